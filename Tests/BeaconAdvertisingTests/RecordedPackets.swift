import Beacons
import Instants

@testable import BeaconAdvertising

/// A recording that a test writes packets to and reads octets from.
struct RecordedPackets {
  var recording: Recording
  /// 2020-09-13T12:26:40Z.
  static let epoch = Span(microseconds: 1_600_000_000_000_000)

  static func address(of adapter: UInt16) -> String { "B0:EC:AC:00:00:0\(adapter)" }

  init(_ options: RecordingOptions = RecordingOptions()) {
    recording = Recording(options, source: "test", key: (7, 9), at: Instant(microseconds: 0), sinceEpoch: Self.epoch)
  }

  mutating func hear(_ packet: [UInt8], adapter: UInt16 = 0, at microseconds: Int64 = 0) {
    recording.hear(packet.span.bytes, adapter: adapter, at: Instant(microseconds: microseconds)) { Self.address(of: $0) }
  }

  mutating func hear(_ report: AdvertisingReport, adapter: UInt16 = 0, at microseconds: Int64 = 0) {
    recording.hear(report, adapter: adapter, at: Instant(microseconds: microseconds)) { Self.address(of: $0) }
  }

  /// Returns all pending octets.
  mutating func drain() -> [UInt8] {
    var octets: [UInt8] = []
    _ = recording.drain { waiting in
      octets = Array(waiting)
      return waiting.count
    }
    return octets
  }

  /// Ends the recording, and returns the octets that were not drained before.
  mutating func end(at microseconds: Int64 = 0) -> [UInt8] {
    recording.end("stopped", at: Instant(microseconds: microseconds))
    return drain()
  }
}

/// The records of a capture, parsed by the test's own code.
struct Records {
  struct Record: Equatable {
    var opcode: UInt16
    var adapter: UInt16
    var drops: UInt32
    /// The time in microseconds since the Unix epoch.
    var time: Int64
    var packet: [UInt8]

    var note: String? { opcode == 12 ? String(decoding: packet.dropLast(), as: UTF8.self) : nil }
  }

  private(set) var all: [Record] = []
  /// Whether the capture ends at the end of a record.
  private(set) var isWhole = false

  init(_ capture: [UInt8]) {
    func number(_ offset: Int, _ count: Int) -> Int { capture[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) } }
    var offset = 16
    while offset + 24 <= capture.count {
      let length = number(offset + 4, 4)
      guard offset + 24 + length <= capture.count else { return }
      all.append(
        Record(
          opcode: UInt16(number(offset + 10, 2)), adapter: UInt16(number(offset + 8, 2)), drops: UInt32(number(offset + 12, 4)),
          time: Int64(number(offset + 16, 8)) - 0x00DC_DDB3_0F2F_8000, packet: Array(capture[offset + 24..<offset + 24 + length])))
      offset += 24 + length
    }
    isWhole = offset == capture.count
  }

  var events: [[UInt8]] { all.filter { $0.opcode == 3 }.map(\.packet) }
  var notes: [String] { all.compactMap(\.note) }
}
