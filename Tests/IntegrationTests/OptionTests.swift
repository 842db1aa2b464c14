import Foundation
import TestSupport
import Testing

/// The options that commands share, and the errors for an incomplete or invalid command line.
@Suite struct OptionTests {
  private static let uuid = CaptureOctets.uuid

  // MARK: Choice of the bus

  @Test func `the bus is selected by one of three common options`() throws {
    let stage = try Stage()
    let listener = try stage.listener()
    let daemon = try stage.daemon(config: Stage.walkConfig, source: Stage.walk)
    _ = try listener.next("the end of the walk") { $0.saysEnded }
    for (option, variable) in [("--system", "DBUS_SYSTEM_BUS_ADDRESS"), ("--session", "DBUS_SESSION_BUS_ADDRESS")] {
      let run = try RunningProgram(Programs.commandLine, ["status", option], environment: [variable: stage.bus.address])
      let errors = try run.log.all()
      #expect(try run.exitStatus() == 0, "\(errors)")
    }
    let both = try CommandLine(["status", "--system", "--bus", stage.bus.address])
    #expect(both.status == 64 && both.errors.first?.contains("--bus, --session and --system cannot be combined") == true)
    let needless = try CommandLine(["range", Self.uuid, "--capture", Stage.walk, "--system"])
    #expect(
      needless.status == 64
        && needless.errors.first?.contains("--capture cannot be combined with a bus, because it does not use the daemon") == true)
    daemon.signal(SIGTERM)
  }

  // MARK: Start of the period

  @Test func `a date means local midnight, or midnight in UTC with --utc`() throws {
    let stage = try Stage()
    let (listener, feed) = (try stage.listener(), try CaptureFeed(stage))
    let daemon = try stage.daemon(config: try stage.file("config.toml", Stage.hall), source: feed.path)
    // 12:26:40 UTC on 13 September 2020 is the next day in Kiritimati, 14 hours ahead.
    try feed.hear(at: 0)
    _ = try listener.next("the enter") { $0.name == "RegionEvent" }
    func count(_ arguments: String...) throws -> Int {
      let run = try RunningProgram(
        Programs.commandLine, ["events", "--json", "--bus", stage.bus.address] + arguments, environment: ["TZ": "Pacific/Kiritimati"])
      let lines = try run.output.all()
      let errors = try run.log.all()
      #expect(try run.exitStatus() == 0, "\(errors)")
      return lines.count
    }
    #expect(try count("--since", "2020-09-14") == 1)
    #expect(try count("--since", "2020-09-14", "--utc") == 0)
    #expect(try count("--since", "2020-09-13", "--utc") == 1)
    #expect(try count("--since", "yesterday") == 0)
    #expect(try count("--since", "monday") == 0)
    daemon.signal(SIGTERM)
  }

  // MARK: Files

  @Test func `simulate overwrites no file and creates none of the others without --force`() throws {
    let stage = try Stage()
    let scenario = Programs.repository("Docs/examples/scenarios/quiet-shop.toml")
    let truth = try stage.file("truth.jsonl", "mine\n")
    let capture = stage.folder.file("shop.btsnoop")
    let command = ["simulate", scenario, "--duration", "1m", "--output", capture, "--truth", truth]
    let refused = try CommandLine(command)
    #expect(refused.status == 74)
    #expect(refused.errors == ["beaconmon: \(truth): already exists; --force replaces it"])
    #expect(try String(contentsOfFile: truth, encoding: .utf8) == "mine\n")
    #expect(!FileManager.default.fileExists(atPath: capture))
    #expect(try CommandLine(command + ["--force"]).status == 0)
    #expect(try String(contentsOfFile: truth, encoding: .utf8) != "mine\n")
    #expect(try CommandLine(["simulate", scenario, "--duration", "1m", "--output", "/dev/null"]).status == 0)
  }

  @Test func `record --force replaces a file, but not before the first packet`() throws {
    let scene = try SessionScene()
    let file = try scene.stage.file("walk.btsnoop", String(repeating: "mine", count: 100_000))
    let command = ["record", file, "--force", "--bus"]
    #expect(try CommandLine(command + ["unix:path=/nonexistent"]).status == 69)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)).count == 400_000)
    let recording = try RunningProgram(Programs.commandLine, command + [scene.stage.bus.address])
    try wait(for: "the capture's header") { try Data(contentsOf: URL(fileURLWithPath: file)).starts(with: Data("btsnoop\0".utf8)) }
    recording.signal(SIGINT)
    #expect(try recording.exitStatus() == 0)
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_size < 400_000 && status.st_mode & 0o777 == 0o600)
    #expect(try CommandLine(["replay", file]).status == 0)
    scene.daemon.signal(SIGTERM)
  }

  // MARK: Missing and excessive values

  @Test(
    arguments: [
      (["explain"], "<sequence>", "\"beaconmon events --json\" shows the number"), (["record"], "<file>", "specify a new file"),
      (["replay"], "<capture>", "\"beaconmon record walk.btsnoop\" records a capture"),
      (["simulate"], "<scenario>", "/usr/share/beaconmon/scenarios"), (["advertise"], "<uuid>", "\"uuidgen\" makes a UUID"),
      (["privacy", "grant"], "<user>", "\"getent passwd\" lists the users"),
      (["privacy", "forget", "anna"], "<app>", "\"beaconmon privacy\""),
      (["region", "add", "circle", "shop"], "--latitude <degrees>", "\"beaconmon locate\" shows the latitude"),
    ])
  func `a missing argument is named, with the usage line and the next step`(arguments: [String], missing: String, next: String) throws {
    let run = try CommandLine(arguments)
    #expect(run.status == 64 && run.output.isEmpty)
    #expect(run.errors.count == 3)
    #expect(run.errors.first?.hasPrefix("beaconmon: missing \(missing)") == true, "\(run.errors)")
    let words = arguments.prefix { $0 != "anna" && $0 != "shop" }.joined(separator: " ")
    #expect(run.errors.dropFirst().first?.hasPrefix("beaconmon: usage: beaconmon \(words) ") == true, "\(run.errors)")
    #expect(run.errors.last?.contains(next) == true, "\(run.errors)")
  }

  @Test(
    arguments: [
      (["range", uuid, "--major", "65536"], "--major", "0 to 65535"),
      (["range", uuid, "--major", "1", "--minor", "x"], "--minor", "0 to 65535"),
      (["advertise", uuid, "70000", "1"], "<major>", "0 to 65535"), (["advertise", uuid, "-1", "5"], "<major>", "0 to 65535"),
      (["advertise", uuid, "5", "-1", "--interval", "1s"], "<minor>", "0 to 65535"),
      (["range", uuid, "--major", "-1"], "--major", "0 to 65535"),
      (["explain", "-3"], "<sequence>", "1 to 18446744073709551615"), (["locate", "--accuracy", "-3m"], "--accuracy", "m or km"),
      (["explain", "0"], "<sequence>", "1 to 18446744073709551615"),
      (["simulate", "x.toml", "--seed", "1e3"], "--seed", "0 to 18446744073709551615"),
      (["range", uuid, "--capture", "x", "--speed", "0"], "--speed", "greater than 0 and up to 1000000, or max"),
      (["advertise", uuid, "1", "1", "--measured-power", "0"], "--measured-power", "-100 and -20"),
      (["advertise", uuid, "1", "1", "--interval", "1ms"], "--interval", "100ms and 10s"),
      (["locate", "--timeout", "1h"], "--timeout", "100ms to 10m"), (["record", "x", "--duration", "31d"], "--duration", "30d"),
      (["record", "x", "--limit-size", "1B"], "--limit-size", "at least"),
      (
        ["region", "add", "circle", "shop", "--latitude", "91", "--longitude", "0", "--radius", "10", "--config", "/nonexistent"],
        "latitude", "-90"
      ),
      (
        ["region", "add", "circle", "shop", "--latitude", "9", "--longitude", "0", "--radius", "0", "--config", "/nonexistent"], "radius",
        "1"
      ),
    ])
  func `the error for a number out of range names the range`(arguments: [String], option: String, range: String) throws {
    let run = try CommandLine(arguments)
    #expect(run.status == 64)
    #expect(run.errors.count == 1 && run.errors[0].contains(option) && run.errors[0].contains(range), "\(run.errors)")
  }
}
