import Foundation
import TestSupport
import Testing

/// A recording with the motion of its device, replayed and played by a daemon.
@Suite struct MotionRecordingTests {
  private static let places = [(4.0, 4.0), (10, 4), (16, 4), (4, 13), (10, 13), (16, 13)]

  private static func venue() throws -> String {
    let beacons = try String(contentsOfFile: Programs.fixture("gallery.beacons.csv"), encoding: .utf8).split(separator: "\n").dropFirst()
    let things =
      beacons.map { line in
        let values = line.split(separator: ",")
        return "[[beacon]]\nmajor = 1\nminor = \(values[0])\nposition = [\(values[1]), \(values[2])]\nheight = \(values[3])\n"
      }
      + places.enumerated().map { number, place in
        "[[place]]\nid = \"exhibit\(number)\"\nposition = [\(place.0), \(place.1)]\nradius = 3\n"
      }
    return """
      format = 1
      name = "Hall"
      uuid = "\(CaptureOctets.uuid)"
      [[level]]
      id = "ground"
      walkable = [[[0, 0], [20.66, 0], [20.66, 17.64], [0, 17.64]]]

      """ + things.joined()
  }

  private static var config: String {
    "venues = [\"hall.toml\"]\n[ranging]\nrssi-offset = 0\n"
      + places.indices.map { "[[region]]\nidentifier = \"exhibit\($0)\"\nplace = \"exhibit\($0)\"\n" }.joined()
  }

  /// Returns the walk as a capture of a Linux monitor, with notes at seconds of the walk.
  private static func walk(_ notes: [(second: Double, text: String)]) throws -> [UInt8] {
    let capture = Array(try Data(contentsOf: URL(fileURLWithPath: Stage.walk)))
    func octets(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }
    func record(_ packet: [UInt8], _ flags: UInt32, _ time: Int64) -> [UInt8] {
      octets(UInt32(packet.count)) + octets(UInt32(packet.count)) + octets(flags) + octets(UInt32(0)) + octets(time) + packet
    }
    func number(_ offset: Int, _ count: Int) -> Int64 { capture[offset..<offset + count].reduce(0) { $0 << 8 | Int64($1) } }
    var (result, offset, left) = (CaptureOctets.header(dataLink: 2001), 16, notes[...])
    let start = number(offset + 16, 8)
    while offset + 24 <= capture.count {
      let (length, time) = (Int(number(offset + 4, 4)), number(offset + 16, 8))
      while let note = left.first, start + Int64(note.second * 1e6) <= time {
        result += record(Array(note.text.utf8) + [0], 0xFFFF_000C, start + Int64(note.second * 1e6))
        left = left.dropFirst()
      }
      // The type of the packet is that of the record.
      result += record(Array(capture[offset + 25..<offset + 24 + length]), 3, time)
      offset += 24 + length
    }
    return result
  }

  @Test func `a replay and a daemon that play a recording apply the motion of its device`() throws {
    let stage = try Stage()
    _ = try stage.file("hall.toml", Self.venue())
    let config = try stage.file("config.toml", Self.config)
    let notes = [
      (35.2, "beaconmon motion: walking cadence=1.85 turn=-3"), (45.5, "beaconmon motion: still"), (46.0, "any other note"),
      (50.0, "beaconmon motion: dancing"), (75.0, "beaconmon motion: moving"),
    ]
    let (moving, plain) = (try stage.file("moving.btsnoop", Self.walk(notes)), try stage.file("plain.btsnoop", Self.walk([])))
    func replay(_ path: String) throws -> [JSON] {
      try CommandLine(["replay", path, "--config", config, "--json", "--drain"]).output.map { try JSON(parsing: $0) }
    }
    let expected = try replay(moving)
    #expect(expected.count > 4)
    #expect(try replay(plain) != expected)

    let listener = try stage.listener()
    let daemon = try stage.daemon(config: config, source: moving)
    _ = try listener.next("the end of the recording") { $0.saysEnded }
    let heard = listener.signals.filter { $0.name == "RegionEvent" }
    #expect(heard.map { $0.arguments[1] } == expected.map { $0["event"] })
    #expect(heard.map { $0.details?["region"] } == expected.map { $0["region"] })
    let times = heard.map { (signal) -> String in
      let microseconds = signal.details?["time"]?.number ?? 0
      return Date(timeIntervalSince1970: (microseconds / 1e6).rounded(.down)).formatted(.iso8601).replacing("Z", with: "")
    }
    #expect(times == expected.map { ($0["time"]?.text ?? "").split(separator: ".").first.map(String.init) ?? "" })
    daemon.signal(SIGTERM)
  }
}
