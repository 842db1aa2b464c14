import Foundation
import Testing

/// Captures that are read from a pipe while they are written.
@Suite struct PipeTests {
  @Test(arguments: ["max", "1", "50"])
  func `an event is reported while the FIFO is still open`(speed: String) throws {
    let stage = try Stage()
    let (listener, feed) = (try stage.listener(), try CaptureFeed(stage))
    let daemon = try stage.daemon(config: try stage.file("config.toml", Stage.hall), source: feed.path, speed: speed)
    try feed.hear(at: 0)
    let enter = try listener.next("an enter") { $0.name == "RegionEvent" }
    #expect(enter.arguments[1] == "enter")
    #expect(try listener.property("SourceState", "Manager") == "scanning")
    daemon.signal(SIGTERM)
    #expect(try daemon.exitStatus() == 0)
  }

  @Test func `standard input is a source, and ends with its writer`() throws {
    let stage = try Stage()
    let listener = try stage.listener()
    let daemon = try stage.daemon(config: try stage.file("config.toml", Stage.hall), source: "-")
    try daemon.input.write(contentsOf: Data(CaptureOctets.header() + CaptureOctets.sighting(minor: 1, at: 0)))
    _ = try listener.next("an enter") { $0.name == "RegionEvent" }
    try daemon.input.close()
    let exit = try listener.next("an exit") { $0.name == "RegionEvent" }
    #expect(exit.arguments[1] == "exit" && exit.details?["time"] == .number(1_600_000_030_000_000))
    _ = try listener.next("the pause") { $0.saysEnded }
    #expect(
      try daemon.log.next("the end") == "beaconmond: capture:-: ended; time continues until every exit delay has passed")
    daemon.signal(SIGTERM)
  }

  @Test func `a writer that dies inside a record ends the source, and the note names the record`() throws {
    let stage = try Stage()
    let (listener, feed) = (try stage.listener(), try CaptureFeed(stage))
    let daemon = try stage.daemon(config: try stage.file("config.toml", Stage.hall), source: feed.path)
    try feed.hear(at: 0)
    try feed.write(Array(CaptureOctets.sighting(minor: 2, at: 1).dropLast(5)))
    _ = try listener.next("an enter") { $0.name == "RegionEvent" }
    feed.end()
    let pause = try listener.next("the pause") { $0.saysEnded }
    let note = "\(feed.path): byte 85, record 2: the capture ends inside this record, 5 bytes early; everything before it was used"
    #expect(pause.changed["SourceNote"] == .text(note))
    #expect(try daemon.log.next("the note") == "beaconmond: warning: \(note)")
    daemon.signal(SIGTERM)
  }

  @Test func `a pipe that ends without a record ends the daemon with a data error`() throws {
    let stage = try Stage()
    let daemon = try stage.daemon(config: try stage.file("config.toml", Stage.hall), source: "-")
    try daemon.input.close()
    #expect(try daemon.exitStatus() == 65)
    #expect(try daemon.log.all() == ["beaconmond: standard input: byte 0: the capture is empty; record one with \"btmon -w FILE\""])
  }
}
