import Foundation
import TestSupport
import Testing

/// `beaconmon record` beside a daemon that plays a capture.
@Suite struct RecordTests {
  private let stage: Stage

  init() throws {
    stage = try Stage()
  }

  private func record(_ file: String, _ more: String...) throws -> RunningProgram {
    try RunningProgram(Programs.commandLine, ["record", file, "--bus", stage.bus.address] + more)
  }

  private func octets(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

  /// The recording has begun when something is in it.
  private func waitForBeginning(_ path: String) throws {
    try wait(for: "the beginning of \(path)") { try FileManager.default.fileExists(atPath: path) && !octets(path).isEmpty }
  }

  /// A daemon that has heard something, but no beacon yet, a second before the walk.
  private func daemonBeforeTheWalk(speed: String = "max") throws -> (RunningProgram, CaptureFeed) {
    let feed = try CaptureFeed(stage)
    let daemon = try stage.daemon(config: Stage.walkConfig, source: feed.path, speed: speed)
    // The walk begins at 2020-02-09T12:44:44.779766Z.
    let start = Double(1_581_252_284_779_766 - CaptureOctets.start) / 1e6
    try feed.write(CaptureOctets.record([0x04, 0x0E, 0x01, 0x00], at: start - 1))
    let client = try BusClient(stage.bus, matching: "type='signal'")
    try client.waitForDaemon()
    try wait(for: "the first record") { try client.property("Statistics", "Manager")?["advertisements"] != nil }
    return (daemon, feed)
  }

  @Test func `what was live is what a replay of the recording prints, octet by octet`() throws {
    let (daemon, feed) = try daemonBeforeTheWalk()
    let monitor = try RunningProgram(Programs.commandLine, ["monitor", "--json", "--bus", stage.bus.address])
    let file = stage.folder.file("walk.btsnoop")
    let record = try record(file)
    try waitForBeginning(file)
    let listener = try stage.listener()
    try feed.write(octetsOfTheWalk())
    feed.end()
    _ = try listener.next("the end of the walk") { $0.saysPaused }
    record.signal(SIGINT)
    #expect(try record.exitStatus() == 0)
    #expect(try record.log.all().last?.hasSuffix("1949 advertisements, 1949 iBeacons, 127 kB in 0:00:00; it was stopped") == true)
    let replayed = try CommandLine(["replay", file, "--config", Stage.walkConfig, "--json", "--drain"]).output
    #expect(replayed.count == 37)
    for line in replayed { #expect(try monitor.output.next().withoutJournal == line) }
    daemon.signal(SIGTERM)
  }

  /// Without its header.
  private func octetsOfTheWalk() throws -> [UInt8] { Array(try octets(Stage.walk).dropFirst(16)) }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/tshark"), "tshark is not installed"))
  func `tshark reads every packet of it, and one address for each beacon`() throws {
    let daemon = try stage.daemon(config: Stage.walkConfig, source: Stage.walk, speed: "40")
    _ = try stage.listener().next("an event") { $0.name == "RegionEvent" }
    let file = stage.folder.file("walk.btsnoop")
    let run = try CommandLine(["record", file, "--limit-size", "50kB", "--json", "--bus", stage.bus.address])
    let packets = try JSON(parsing: run.output.first ?? "")["advertisements"]?.number
    func tshark(_ filter: String) throws -> [String] {
      try RunningProgram.result("/usr/bin/tshark", ["-r", file, "-Y", filter, "-T", "fields", "-e", "bthci_evt.bd_addr"])
        .split(separator: "\n").map(String.init)
    }
    let addresses = try tshark("bthci_evt.le_meta_subevent == 2 and btcommon.eir_ad.entry.company_id == 0x004c")
    #expect(Double(addresses.count) == packets)
    #expect(Set(addresses).count == 12)
    #expect(try tshark("_ws.malformed or _ws.short").isEmpty)
    daemon.signal(SIGTERM)
  }

  @Test func `it goes through a pipe into a replay`() throws {
    let daemon = try stage.daemon(config: Stage.walkConfig, source: Stage.walk, speed: "40")
    _ = try stage.listener().next("an event") { $0.name == "RegionEvent" }
    let shell = try RunningProgram(
      "/bin/bash",
      [
        "-c",
        "'\(Programs.commandLine)' record - --duration 1s --bus '\(stage.bus.address)' | '\(Programs.commandLine)' replay - --json; echo ${PIPESTATUS[0]}",
      ])
    let lines = try shell.output.all()
    #expect(lines.last == "0")
    #expect(lines.first?.contains("\"event\":\"enter\"") == true)
    #expect(try shell.log.all().last?.hasSuffix("; its time is over") == true)
    daemon.signal(SIGTERM)
  }

  @Test func `a limit of size ends it, and the file is smaller and whole`() throws {
    let daemon = try stage.daemon(config: Stage.walkConfig, source: Stage.walk, speed: "40")
    _ = try stage.listener().next("an event") { $0.name == "RegionEvent" }
    let file = stage.folder.file("short.btsnoop")
    let run = try CommandLine(["record", file, "--limit-size", "5kB", "--bus", stage.bus.address, "--json"])
    let summary = try JSON(parsing: run.output.first ?? "")
    #expect(run.status == 0)
    #expect(summary["reason"] == "limit of 5kB reached")
    let size = try octets(file).count
    #expect(size <= 5000 && size > 4200 && summary["octets"] == .number(Double(size)))
    #expect(try CommandLine(["replay", file]).errors.isEmpty)
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    daemon.signal(SIGTERM)
  }

  @Test func `a daemon that dies leaves a whole file and exit code 69`() throws {
    let daemon = try stage.daemon(config: Stage.walkConfig, source: Stage.walk, speed: "20")
    _ = try stage.listener().next("an event") { $0.name == "RegionEvent" }
    let file = stage.folder.file("cut.btsnoop")
    let record = try record(file)
    try wait(for: "some beacons") { try FileManager.default.fileExists(atPath: file) && octets(file).count > 3000 }
    daemon.signal(SIGKILL)
    #expect(try record.exitStatus() == 69)
    #expect(try record.log.all().last == "beaconmon: beaconmond went away; \(file) has what was heard until then")
    let replay = try CommandLine(["replay", file])
    #expect(replay.status == 0 && replay.errors.isEmpty && !replay.output.isEmpty)
  }

  @Test func `a disk that fills leaves whole records and one line`() throws {
    let daemon = try stage.daemon(config: Stage.walkConfig, source: Stage.walk, speed: "40")
    _ = try stage.listener().next("an event") { $0.name == "RegionEvent" }
    let file = stage.folder.file("full.btsnoop")
    let shell = try RunningProgram(
      "/bin/bash",
      ["-c", "trap '' XFSZ; ulimit -f 8; exec '\(Programs.commandLine)' record '\(file)' --bus '\(stage.bus.address)'"])
    #expect(try shell.exitStatus() == 74)
    #expect(
      try shell.log.all() == ["beaconmon: \(file): write: File too large; make room; the file ends with its last whole record"])
    let size = try octets(file).count
    #expect(size > 0 && size <= 8192)
    let replay = try CommandLine(["replay", file])
    #expect(replay.status == 0 && replay.errors.isEmpty)
    daemon.signal(SIGTERM)
  }

  @Test func `a file that is there is not touched, and without a daemon none is made`() throws {
    let file = try stage.file("there.btsnoop", "mine")
    let refused = try CommandLine(["record", file, "--bus", stage.bus.address])
    #expect(refused.status == 74)
    #expect(refused.errors == ["beaconmon: \(file): open: File exists; name another file, or remove it"])
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
    let new = stage.folder.file("new.btsnoop")
    #expect(try CommandLine(["record", new, "--bus", stage.bus.address]).status == 69)
    #expect(!FileManager.default.fileExists(atPath: new))
  }

  @Test(
    arguments: [
      (
        ["--limit-size", "10"], "The value '10' is invalid for '--limit-size <size>': give a whole number and B, kB, MB or GB, 1kB at least"
      ),
      (["--duration", "31d"], "--duration: 31d is not between nothing and 30d"),
    ])
  func `a limit that is none is one line and exit code 64`(arguments: [String], message: String) throws {
    let run = try CommandLine(["record", "x"] + arguments)
    #expect(run.status == 64)
    #expect(run.errors == ["beaconmon: \(message); see --help"])
  }
}
