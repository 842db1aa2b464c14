import Foundation
import TestSupport
import Testing

/// `beaconmon replay` on captures.
@Suite struct ReplayTests {
  static let walkUUID = "8ec76ea3-6668-48da-9866-75be8bc86f4d"

  @Test func `a replay without a config has a region for every UUID`() throws {
    let run = try CommandLine(["replay", Stage.walk, "--json", "--drain"])
    let events = try run.output.map { try JSON(parsing: $0) }
    #expect(events.map { $0["event"]?.text } == ["enter", "exit"])
    #expect(events.allSatisfy { $0["region"]?.text == Self.walkUUID })
    #expect(run.status == 0 && run.errors.isEmpty)
  }

  @Test func `time ends with the capture without --drain`() throws {
    let events = try CommandLine(["replay", Stage.walk, "--json"]).output.map { try JSON(parsing: $0)["event"]?.text }
    #expect(events == ["enter"])
  }

  @Test func `both mixed captures contain the iBeacons and malformed reports of their generator`() throws {
    let truth = try JSON(parsing: Fixture.text("mixed-10k.json"))
    for name in ["mixed-10k.btsnoop", "mixed-10k.monitor.btsnoop"] {
      let run = try CommandLine(["replay", Programs.fixture(name), "--summary"])
      let iBeacons = run.errors.first { $0.hasPrefix("iBeacons ") }?.split(separator: " ").last
      #expect(iBeacons.flatMap { Double($0) } == truth["ibeacon_strict"]?.number)
      #expect(run.errors.contains { $0.hasPrefix("seconds of capture") && $0.hasSuffix("5.030") })
      #expect(run.errors.contains { $0.hasPrefix("malformed: structure overrun") && $0.hasSuffix(" 383") })
      #expect(run.errors.contains { $0.hasPrefix("advertisements per second") })
    }
  }

  @Test func `a picture never replaces the capture, by whatever name`() throws {
    let folder = try TemporaryDirectory()
    let (capture, link) = (folder.file("walk.btsnoop"), folder.file("link.btsnoop"))
    try FileManager.default.copyItem(atPath: Stage.walk, toPath: capture)
    try FileManager.default.linkItem(atPath: capture, toPath: link)
    for plot in [capture, "\(folder.path)/./walk.btsnoop", link] {
      let run = try CommandLine(["replay", capture, "--plot", plot, "--force"])
      #expect(run.status == 64 && run.errors.contains { $0.contains("\(plot) is read; name another file for --plot") }, "\(run.errors)")
    }
    #expect(FileManager.default.contentsEqual(atPath: capture, andPath: Stage.walk))
  }

  @Test func `standard input is a capture like any other`() throws {
    let octets = try Data(contentsOf: URL(fileURLWithPath: Stage.walk))
    let run = try CommandLine(["replay", "-", "--json", "--drain"], input: .bringing(octets))
    #expect(run.output == (try CommandLine(["replay", Stage.walk, "--json", "--drain"]).output))
  }

  @Test func `a truncated capture is read to its end and reported, without failure`() throws {
    let stage = try Stage()
    let path = try stage.file("cut.btsnoop", Array(Data(contentsOf: URL(fileURLWithPath: Stage.walk)).prefix(1000)))
    let run = try CommandLine(["replay", path])
    #expect(run.output.count == 1 && run.output[0].contains("  enter  "))
    #expect(
      run.errors == ["beaconmon: \(path): byte 982, record 15: the capture ends inside this record; everything before it was used"])
    #expect(run.status == 0)
  }

  @Test(
    arguments: [
      (["replay", "/nowhere"], 66, "beaconmon: /nowhere: open: No such file or directory; check the path"),
      (["replay", "/etc/passwd"], 65, "beaconmon: /etc/passwd: byte 0: this is not a btsnoop capture; record one with \"btmon -w FILE\""),
      (
        ["range", "8ec76ea3"], 64,
        "beaconmon: the value '8ec76ea3' is invalid for '<uuid>': a UUID has 36 characters (8-4-4-4-12), this has 8; see --help"
      ),
      (
        ["range", walkUUID, "--minor", "1"], 64,
        "beaconmon: --minor requires --major, because a minor is only unique within a major; see --help"
      ),
      (["range", walkUUID, "--speed", "2"], 64, "beaconmon: --speed and --config require --capture; see --help"),
      (
        ["range", walkUUID, "--bus", "unix:path=/nowhere"], 69,
        "beaconmon: cannot connect to the bus at unix:path=/nowhere: No such file or directory (ENOENT); start that bus, or select another one with --bus or --session"
      ),
    ] as [([String], Int32, String)])
  func `an error is one line and a fitting exit code`(arguments: [String], status: Int32, message: String) throws {
    let run = try CommandLine(arguments)
    #expect(run.status == status)
    #expect(run.errors == [message])
    #expect(run.output.isEmpty)
  }

  @Test func `the errors of a config are listed line by line`() throws {
    let stage = try Stage()
    let path = try stage.file("bad.toml", "uuidd = 3\n[[region]]\nidentifier = \"a\"\nuuid = 5\n")
    let run = try CommandLine(["config", "check", path])
    #expect(run.status == 78)
    #expect(run.errors.count == 2 && run.errors.allSatisfy { $0.hasPrefix("beaconmon: \(path):") })
  }

  @Test(arguments: ["replay '\(Stage.walk)'", "config check '\(Stage.walkConfig)'", "range \(walkUUID) --capture '\(Stage.walk)'"])
  func `unwritable output is one line and exit code 74`(command: String) throws {
    let shell = try RunningProgram("/bin/bash", ["-c", "'\(Programs.commandLine)' \(command) > /dev/full"])
    #expect(try shell.log.all() == ["beaconmon: the output cannot be written: No space left on device"])
    #expect(try shell.exitStatus() == 74)
  }

  @Test func `the earliest and latest times of a capture are printed without a trap`() throws {
    let stage = try Stage()
    let header = CaptureOctets.header()
    for time: [UInt8] in [[0x80] + Array(repeating: 0, count: 7), [0x7F] + Array(repeating: 0xFF, count: 7)] {
      var record = CaptureOctets.sighting(minor: 1, at: 0)
      record.replaceSubrange(16..<24, with: time)
      let capture = try stage.file("edge.btsnoop", header + record)
      let run = try CommandLine(["replay", capture, "--json", "--drain"])
      #expect(run.status == 0 && run.output.count == 2 && run.errors.isEmpty)
    }
  }

  @Test func `the shipped config is valid`() throws {
    let run = try CommandLine(["config", "check", Programs.repository("config/beaconmon.toml")])
    #expect(run.status == 0)
    #expect(run.output.first?.contains(": valid, ") == true)
  }

  @Test(arguments: [
    [], ["scan"], ["range"], ["monitor"], ["status"], ["record"], ["replay"], ["simulate"], ["advertise"], ["config"], ["config", "check"],
  ])
  func `the help of a command has an example`(command: [String]) throws {
    let run = try CommandLine(command + ["--help"])
    #expect(run.status == 0)
    #expect(run.output.contains { $0.hasPrefix("  beaconmon ") })
    #expect(run.output.filter { !$0.hasPrefix("USAGE:") }.allSatisfy { $0.count <= 80 })
  }
}
