import Foundation
import TestSupport
import Testing

/// The method behind `beaconmon record`, called by a foreign program that may misbehave.
@Suite struct StartRecordingTests {
  private let stage: Stage
  private let feed: CaptureFeed
  private let daemon: RunningProgram
  private let file: String

  /// Starts a daemon that plays the feed.
  init() throws {
    stage = try Stage()
    feed = try CaptureFeed(stage)
    let config = try stage.file("door.toml", "[[region]]\nidentifier = \"door\"\nuuid = \"\(CaptureOctets.uuid)\"\n")
    daemon = try stage.daemon(config: config, source: feed.path)
    file = stage.folder.file("recorded.btsnoop")
    let listener = try stage.listener()
    try listener.waitForDaemon()
    try feed.hear(at: 0)
    try wait(for: "the first beacon") { try listener.property("Statistics", "Manager")?["iBeacons"] == 1 }
  }

  private func peer(_ kind: String, _ options: String = "{}") throws -> RunningProgram {
    try RunningProgram(Programs.python, [Programs.peer("recorder.py"), stage.bus.address, kind, options, file])
  }

  /// Returns the daemon's answer to a peer that asks and then ends.
  private func answer(_ kind: String, _ options: String = "{}") throws -> String {
    let peer = try peer(kind, options)
    return try withExtendedLifetime(peer) { try peer.output.next("the answer") }
  }

  private func tell(_ peer: RunningProgram, _ command: String) throws {
    try peer.input.write(contentsOf: Data((command + "\n").utf8))
  }

  /// Returns all octets until the daemon closes its end.
  private func read(_ peer: RunningProgram) throws -> [UInt8] {
    try tell(peer, "read")
    _ = try peer.output.next("the end of the recording")
    return Array(try Data(contentsOf: URL(fileURLWithPath: file)))
  }

  @Test(arguments: ["file", "pipe", "udp"])
  func `a recording accepts only a Unix stream, which cannot block the daemon`(kind: String) throws {
    let answer = try answer(kind)
    #expect(answer.hasPrefix("org.beaconmon.Monitor1.Error.InvalidSocket getsockopt: "))
    #expect(answer.hasSuffix("; pass one end of a Unix stream socket pair"))
  }

  @Test(
    arguments: [
      (#"{"al": true}"#, #"unknown option "al"; StartRecording has all, limitSize and duration"#),
      (#"{"limitSize": 999}"#, "limitSize must be a number of bytes, 1000 at least"),
      (#"{"duration": "31d"}"#, #"duration must be a text such as "10m", 30d at most"#),
    ])
  func `an invalid option is refused`(options: String, message: String) throws {
    #expect(try answer("socket", options) == "org.beaconmon.Monitor1.Error.InvalidOptions \(message)")
  }

  @Test func `the error for an option of a wrong type is InvalidArgs`() throws {
    #expect(
      try answer("socket", #"{"all": "yes"}"#) == "org.freedesktop.DBus.Error.InvalidArgs all must be a boolean (b), but is of type s")
  }

  @Test func `a shutdown of the socket ends the recording with a note`() throws {
    let peer = try peer("socket")
    _ = try peer.output.next { $0 == "recording" }
    try feed.hear(minor: 2, at: 1)
    try wait(for: "the second beacon") { try stage.listener().property("Statistics", "Manager")?["iBeacons"] == 2 }
    try tell(peer, "stop")
    let text = String(decoding: try read(peer), as: UTF8.self)
    #expect(text.contains("beaconmon ends the recording: stopped by the client"))
    #expect(try CommandLine(["replay", file, "--summary"]).errors.first == "advertisements             1")
  }

  @Test func `a client that leaves the bus ends its recording`() throws {
    let peer = try peer("socket")
    _ = try peer.output.next { $0 == "recording" }
    try tell(peer, "leave")
    #expect(String(decoding: try read(peer), as: UTF8.self).contains("beaconmon ends the recording: the client left the bus"))
  }

  @Test func `a client that stops reading does not delay or grow the daemon, and lost packets are counted`() throws {
    let peer = try peer("socket")
    _ = try peer.output.next { $0 == "recording" }
    let before = try residentKiB()
    let listener = try stage.listener()
    let count = 40_000
    for index in 0..<count { try feed.hear(minor: UInt16(index % 50), at: 1 + Double(index) / 1000) }
    try wait(for: "all beacons") { try listener.property("Statistics", "Manager")?["iBeacons"] == .number(Double(count + 1)) }
    #expect(try residentKiB() < before + 2048)
    try tell(peer, "stop")
    _ = try read(peer)
    let summary = try CommandLine(["replay", file, "--summary"])
    func figure(_ name: String) -> Int? {
      summary.errors.first { $0.hasPrefix(name + " ") }?.split(separator: " ").last.flatMap { Int($0) }
    }
    let (kept, lost) = (try #require(figure("advertisements")), try #require(figure("lost packets")))
    #expect(lost > 0 && kept + lost == count)
    #expect(summary.status == 0)
  }

  @Test func `four recordings may run at a time, and one that ends makes room`() throws {
    let peers = try (0..<4).map { _ in try peer("socket") }
    for peer in peers { #expect(try peer.output.next() == "recording") }
    #expect(try answer("socket") == "org.beaconmon.Monitor1.Error.LimitsExceeded there are already 4 recordings; stop one")
    kill(peers[0].pid, SIGKILL)
    try wait(for: "room") { try answer("socket") == "recording" }
  }

  private func residentKiB() throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(daemon.pid)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return try #require(line?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
  }
}
