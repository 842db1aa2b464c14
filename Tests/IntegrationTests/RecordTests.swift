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

  /// Returns a daemon with one sighting a second before the walk, and a client of it.
  private func daemonBeforeTheWalk(environment: [String: String] = [:]) throws -> (RunningProgram, CaptureFeed, BusClient) {
    let feed = try CaptureFeed(stage)
    let daemon = try stage.daemon(config: Stage.walkConfig, source: feed.path, environment: environment)
    // The walk starts at 2020-02-09T12:44:44.779766Z.
    let start = Double(1_581_252_284_779_766 - CaptureOctets.start) / 1e6
    try feed.write(CaptureOctets.record([0x04, 0x0E, 0x01, 0x00], at: start - 1))
    let client = try stage.listener()
    try client.waitForDaemon()
    try wait(for: "the first record") { try client.property("Statistics", "Manager")?["advertisements"] != nil }
    return (daemon, feed, client)
  }

  /// Plays the walk once the recording has started and its file is not empty.
  private func play(_ feed: CaptureFeed, into path: String) throws {
    try wait(for: "the beginning of \(path)") { try FileManager.default.fileExists(atPath: path) && !octets(path).isEmpty }
    // The header of the capture is skipped.
    try feed.write(Array(try octets(Stage.walk).dropFirst(16)))
  }

  @Test func `a replay of a recording prints the same octets as the live monitor`() throws {
    let (daemon, feed, client) = try daemonBeforeTheWalk()
    let monitor = try RunningProgram(Programs.commandLine, ["monitor", "--json", "--bus", stage.bus.address])
    try client.waitForSubscriber(to: "RegionEvent")
    let file = stage.folder.file("walk.btsnoop")
    let record = try record(file)
    try play(feed, into: file)
    feed.end()
    _ = try client.next("the end of the walk") { $0.saysEnded }
    record.signal(SIGINT)
    #expect(try record.exitStatus() == 0)
    let summary = try record.log.all().last ?? ""
    #expect(
      summary.contains("1949 advertisements, 1949 iBeacons, 127 kB in ") && summary.hasSuffix("; stopped by the client"), "\(summary)")
    let replayed = try CommandLine(["replay", file, "--config", Stage.walkConfig, "--json", "--drain"]).output
    #expect(replayed.count == 37)
    for line in replayed { #expect(try monitor.output.next().withoutJournal == line) }
    daemon.signal(SIGTERM)
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/tshark"), "tshark is not installed"))
  func `tshark reads every packet of a recording, with one address for each beacon`() throws {
    let (daemon, feed, _) = try daemonBeforeTheWalk()
    let file = stage.folder.file("walk.btsnoop")
    let run = try record(file, "--limit-size", "50kB", "--json")
    try play(feed, into: file)
    let packets = try JSON(parsing: try run.output.next("the summary"))["advertisements"]?.number
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

  @Test func `a recording can be piped into a replay`() throws {
    let clocks = try TestClocks()
    let (daemon, feed, client) = try daemonBeforeTheWalk(environment: clocks.environment)
    let file = stage.folder.file("piped.btsnoop")
    let (record, replay) = ("record - --duration 10m --bus '\(stage.bus.address)'", "replay - --json")
    let shell = try RunningProgram(
      "/bin/bash",
      [
        "-c",
        "'\(Programs.commandLine)' \(record) | tee '\(file)' | '\(Programs.commandLine)' \(replay); echo ${PIPESTATUS[0]}",
      ])
    try play(feed, into: file)
    try feed.waitUntilRead(by: client)
    clocks.pass(seconds: 600)
    try client.ping()
    let lines = try shell.output.all()
    #expect(lines.last == "0")
    #expect(lines.first?.contains("\"event\":\"enter\"") == true)
    #expect(try shell.log.all().last?.hasSuffix("; the duration has passed") == true)
    daemon.signal(SIGTERM)
  }

  @Test func `a size limit ends the recording, and the file is smaller and whole`() throws {
    let (daemon, feed, _) = try daemonBeforeTheWalk()
    let file = stage.folder.file("short.btsnoop")
    let run = try record(file, "--limit-size", "5kB", "--json")
    try play(feed, into: file)
    let summary = try JSON(parsing: try run.output.next("the summary"))
    #expect(try run.exitStatus() == 0)
    #expect(summary["reason"] == "limit of 5kB reached")
    let size = try octets(file).count
    #expect(size <= 5000 && size > 4200 && summary["octets"] == .number(Double(size)))
    #expect(try CommandLine(["replay", file]).errors.isEmpty)
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    daemon.signal(SIGTERM)
  }

  @Test func `a daemon that dies leaves a whole recording and exit code 69`() throws {
    let (daemon, feed, _) = try daemonBeforeTheWalk()
    let file = stage.folder.file("cut.btsnoop")
    let record = try record(file)
    try play(feed, into: file)
    try wait(for: "some beacons") { try octets(file).count > 3000 }
    daemon.signal(SIGKILL)
    #expect(try record.exitStatus() == 69)
    #expect(try record.log.all().last == "beaconmon: beaconmond has stopped; \(file) contains the packets received until then")
    let replay = try CommandLine(["replay", file])
    #expect(replay.status == 0 && replay.errors.isEmpty && !replay.output.isEmpty)
  }

  @Test func `a disk that fills up leaves whole records and one line of error`() throws {
    let (daemon, feed, _) = try daemonBeforeTheWalk()
    let file = stage.folder.file("full.btsnoop")
    let shell = try RunningProgram(
      "/bin/bash",
      ["-c", "trap '' XFSZ; ulimit -f 8; exec '\(Programs.commandLine)' record '\(file)' --bus '\(stage.bus.address)'"])
    try play(feed, into: file)
    #expect(try shell.exitStatus() == 74)
    #expect(
      try shell.log.all() == ["beaconmon: \(file): write: File too large; free some space; the file ends after its last complete record"])
    let size = try octets(file).count
    #expect(size > 0 && size <= 8192)
    let replay = try CommandLine(["replay", file])
    #expect(replay.status == 0 && replay.errors.isEmpty)
    daemon.signal(SIGTERM)
  }

  @Test func `an output device that takes no data ends the recording with one line and exit code 74`() throws {
    let (daemon, feed, _) = try daemonBeforeTheWalk()
    let record = try record("/dev/full")
    #expect(try record.exitStatus() == 74)
    #expect(
      try record.log.all()
        == ["beaconmon: /dev/full: write: No space left on device; free some space; the file ends after its last complete record"])
    feed.end()
    daemon.signal(SIGTERM)
  }

  @Test(.enabled(if: SmallDisk.isPossible, "requires the right to mount"))
  func `a full disk ends the recording with one line and exit code 74, and without a file`() throws {
    let (daemon, feed, _) = try daemonBeforeTheWalk()
    let disk = try SmallDisk()
    _ = try RunningProgram("/bin/sh", ["-c", "head -c 4M /dev/zero >'\(disk.path)/filling'"]).exitStatus()
    let file = "\(disk.path)/walk.btsnoop"
    let record = try record(file)
    #expect(try record.exitStatus() == 74)
    #expect(
      try record.log.all() == [
        "beaconmon: \(file): write: No space left on device; free some space; the file ends after its last complete record"
      ])
    #expect(!FileManager.default.fileExists(atPath: file))
    feed.end()
    daemon.signal(SIGTERM)
  }

  @Test func `record leaves an existing file unchanged, and creates none without a daemon`() throws {
    let file = try stage.file("there.btsnoop", "mine")
    let refused = try CommandLine(["record", file, "--bus", stage.bus.address])
    #expect(refused.status == 74)
    #expect(refused.errors == ["beaconmon: \(file): open for writing: File exists; specify another file, or replace it with --force"])
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
    let new = stage.folder.file("new.btsnoop")
    #expect(try CommandLine(["record", new, "--bus", stage.bus.address]).status == 69)
    #expect(!FileManager.default.fileExists(atPath: new))
  }

  @Test(
    arguments: [
      (
        ["--limit-size", "10"],
        "the value '10' is invalid for '--limit-size <size>': write a whole number and B, kB, MB or GB, at least 1kB"
      ),
      (["--duration", "31d"], "--duration: 31d is not between 0 and 30d"),
    ])
  func `the error for an invalid limit is one line and exit code 64`(arguments: [String], message: String) throws {
    let run = try CommandLine(["record", "x"] + arguments)
    #expect(run.status == 64)
    #expect(run.errors == ["beaconmon: \(message); see --help"])
  }
}
