import Foundation
import TestSupport
import Testing

/// `beaconmon` with a running daemon prints the same as `beaconmon` with a capture and no daemon.
@Suite struct CommandLineTests {
  /// Returns the walk without its header, which a feed has already.
  private func walk() throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: Stage.walk)).dropFirst(16))
  }

  @Test func `monitor prints the same octets as replay`() throws {
    let stage = try Stage()
    let (listener, feed) = (try stage.listener(), try CaptureFeed(stage))
    let daemon = try stage.daemon(config: Stage.walkConfig, source: feed.path)
    try listener.waitForDaemon()
    let monitor = try RunningProgram(Programs.commandLine, ["monitor", "--json", "--bus", stage.bus.address])
    try listener.waitForSubscriber(to: "RegionEvent")
    try feed.write(try walk())
    feed.end()
    let expected = try String(contentsOfFile: Programs.fixture("gallery-rectangular_without_rotation.events.jsonl"), encoding: .utf8)
      .split(separator: "\n").map(String.init)
    #expect(try expected.map { _ in try monitor.output.next("an event").withoutJournal } == expected)
    monitor.signal(SIGINT)
    #expect(try monitor.exitStatus() == 0)
    daemon.signal(SIGTERM)
  }

  @Test func `status prints the source and the state of every region`() throws {
    let stage = try Stage()
    let (listener, feed) = (try stage.listener(), try CaptureFeed(stage))
    let daemon = try stage.daemon(config: try stage.file("config.toml", Stage.hall), source: feed.path)
    try feed.hear(minor: 3, at: 1)
    _ = try listener.next("an enter") { $0.name == "RegionEvent" }
    let status = try JSON(
      parsing: try RunningProgram.result(Programs.commandLine, ["status", "--json", "--bus", stage.bus.address]))
    #expect(status["source"] == .text("capture:\(feed.path)"))
    #expect(status["sourceState"] == "scanning")
    let region = status["regions"]?[0]
    #expect(region?["identifier"] == "hall" && region?["state"] == "inside" && region?["since"] == "2020-09-13T12:26:41.000000Z")
    daemon.signal(SIGTERM)
  }

  @Test func `range prints the same for a daemon's beacons as for the capture itself`() throws {
    let stage = try Stage()
    let (listener, feed) = (try stage.listener(), try CaptureFeed(stage))
    let daemon = try stage.daemon(config: Stage.walkConfig, source: feed.path)
    let walk = try walk()
    let firstRecord = 24 + 45
    try feed.write(Array(walk[..<firstRecord]))
    _ = try listener.next("an enter") { $0.name == "RegionEvent" }
    let range = try RunningProgram(Programs.commandLine, ["range", CaptureOctets.uuid, "--json", "--bus", stage.bus.address])
    #expect(try range.output.next("the first snapshot").hasPrefix(#"{"time":"2020-02-09T12:44:44.779766Z","beacons":[{"#))
    try feed.write(Array(walk[firstRecord...]))
    feed.end()
    // Each snapshot is a second of the capture's clock, as without a daemon.
    let alone = try RunningProgram.result(Programs.commandLine, ["range", CaptureOctets.uuid, "--json", "--capture", Stage.walk])
      .split(separator: "\n").map(String.init)
    #expect(alone.count > 80)
    #expect(try alone.map { _ in try range.output.next("a snapshot") } == alone)
    range.signal(SIGINT)
    #expect(try range.exitStatus() == 0)
    daemon.signal(SIGTERM)
  }
}
