import Foundation
import Instants
import TestSupport
import Testing

/// A daemon that plays a recorded walk with the motion of its device, and leads a client by both.
@Suite struct GuidanceMotionPlaybackTests {
  /// A corridor to the east in a venue of one level.
  static let venue = """
    format = 1
    name = "Hall"
    uuid = "\(CaptureOctets.uuid)"
    [frame]
    latitude = 48.137
    longitude = 11.575
    [[level]]
    id = "ground"
    walkable = [[[0, 0], [60, 0], [60, 10], [0, 10]]]
    [[place]]
    id = "clock"
    level = "ground"
    position = [50, 5]
    """
  private static let metre = (latitude: 1 / 111_200.0, longitude: 1 / (111_320 * 0.6673))
  /// The seconds for which the visitor walks to the east, and for which the positions then stray to the west.
  private static let (walk, stray) = (14, 10)

  /// Returns the output of gpsd for a visitor who walks, and then stands while positions and their direction stray back.
  private static var positions: String {
    (0..<walk + stray).map { second in
      let x = second < walk ? 2 + Double(second) : Double(2 * walk - second)
      let time = Instant(microseconds: CaptureOctets.start + Int64(second) * 1_000_000).rfc3339
      return """
        {"class":"TPV","device":"/dev/pts/1","mode":3,"time":"\(time)","lat":\(48.137 + 5 * metre.latitude),\
        "lon":\(11.575 + x * metre.longitude),"alt":500.0,"eph":4.9,"epv":9.0,"track":\(second < walk ? 90.0 : 270.0),"epd":10.0,\
        "speed":1.0}

        """
    }.joined()
  }

  /// Returns a capture that has notes of the motion, and nothing else.
  private static func capture(_ notes: [(second: Double, motion: String)]) -> [UInt8] {
    func octets(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }
    var capture: [UInt8] = []
    for note in notes {
      let text = Array("beaconmon motion: \(note.motion)".utf8) + [0]
      let time = CaptureOctets.start + Int64(note.second * 1e6) + 0x00DC_DDB3_0F2F_8000
      let (length, flags) = (octets(UInt32(text.count)), octets(UInt32(0xFFFF_000C)))
      capture += length + length + flags + octets(UInt32(0)) + octets(time) + text
    }
    return capture
  }

  /// Returns the reasons of the routes that a client gets.
  ///
  /// - Parameter motion: that of the visitor from the end of the walk on.
  private func routes(_ motion: String) throws -> [String?] {
    let stage = try Stage()
    _ = try stage.file("hall.toml", Self.venue)
    let walk = try stage.file("walk.gpsd.txt", Self.positions)
    let config = try stage.file("config.toml", "venues = [\"hall.toml\"]\n[location.capture]\npath = \"\(walk)\"\n")
    let feed = try CaptureFeed(stage, header: CaptureOctets.header(dataLink: 2001))
    let client = try stage.listener()
    let daemon = try stage.daemon(config: config, source: feed.path, speed: "10")
    try client.waitForDaemon()
    let session = try client.openSession()
    let reply = try client.call(BusClient.session, "StartGuidance", at: session, signature: "a{sv}", ["place": "clock"])
    #expect(reply == .values([]))
    // The playback begins with the first record.
    try feed.write(Self.capture([(0, "walking cadence=1.8"), (Double(Self.walk) - 0.5, motion)]))
    let end = CaptureOctets.start + Int64(Self.walk + Self.stray - 1) * 1_000_000
    try wait(for: "the last position") {
      let time = try client.property("Location", "Manager")?["time"]?.number
      return time.map { Int64($0) >= end } ?? false
    }
    daemon.signal(SIGTERM)
    return client.signals.filter { $0.name == "GuidanceRouteChanged" }.map { $0.arguments[0]["reason"]?.text }
  }

  @Test func `a visitor who stands by the recorded motion gets no other route when the positions stray`() throws {
    #expect(try routes("still") == ["start"])
    #expect(try routes("walking cadence=1.8").prefix(2) == ["start", "rerouted"])
  }
}
