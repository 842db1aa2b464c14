import Instants

/// Joins the reports into which a controller split one extended advertisement.
///
/// All reports but the last say "incomplete, more data to come"; address type, address, SID and PHYs are the same in all of them.
/// Bluetooth Core Specification 5.4, Volume 4, Part E, 7.7.65.13. Memory is bounded: `capacity` × `longestAdvertisement` octets.
struct FragmentJoiner: Sendable {
  /// The maximum number of pending advertisements; one more drops the one that has waited longest.
  static let capacity = 16
  /// The maximum number of octets in an advertisement (7.8.57).
  static let longestAdvertisement = 1650
  /// The longest time between two fragments of one advertisement.
  /// An auxiliary packet follows its predecessor by at most 8191 × 300 µs (Volume 6, Part B, 2.3.4.5), so a later fragment belongs to
  /// another advertisement.
  static let longestGap = Span.milliseconds(2500)

  /// The result of taking a report.
  struct Outcome {
    enum Advertisement {
      /// No advertisement is complete yet.
      case none
      /// The report is a complete advertisement.
      case unjoined
      /// The report completed these octets, which arrived in this number of reports.
      case joined([UInt8], parts: Int)
    }

    var advertisement = Advertisement.none
    /// The number of reports that can no longer be part of an advertisement.
    var dropped = 0
    var malformed: MalformedReason?
  }

  fileprivate struct Pending {
    var key: FragmentKey
    var time: Instant
    var parts = 1
    /// The octets; nil once they exceed the limit.
    var octets: [UInt8]?
  }

  private var pending: [Pending] = []

  var isEmpty: Bool { pending.isEmpty }

  /// The number of pending octets, at most `capacity` × `longestAdvertisement`.
  var octetCount: Int { pending.reduce(0) { $0 + ($1.octets?.count ?? 0) } }

  mutating func take(_ data: RawSpan, status: DataStatus, key: FragmentKey, time: Instant) -> Outcome {
    var outcome = Outcome()
    var place = pending.firstIndex { $0.key == key }
    if let stale = place, status == .reserved || time - pending[stale].time > Self.longestGap {
      outcome.dropped += pending.remove(at: stale).parts
      place = nil
    }
    switch (status, place) {
    case (.reserved, _):
      outcome.dropped += 1
      outcome.malformed = .reservedDataStatus
    case (.moreToCome, nil):
      if pending.count == Self.capacity { outcome.dropped += removeOldest() }
      pending.append(Pending(key: key, time: time, octets: Array(data)))
    case (.moreToCome, let place?):
      pending[place].append(data, time: time)
    case (.complete, nil), (.truncated, nil):
      outcome.advertisement = .unjoined
    case (.complete, let place?), (.truncated, let place?):
      var whole = pending.remove(at: place)
      whole.append(data, time: time)
      if let octets = whole.octets {
        outcome.advertisement = .joined(octets, parts: whole.parts)
      } else {
        outcome.dropped += whole.parts
        outcome.malformed = .advertisementLength
      }
    }
    return outcome
  }

  /// Drops all pending advertisements and returns the number of their reports.
  mutating func removeAll() -> Int {
    defer { pending.removeAll() }
    return pending.reduce(0) { $0 + $1.parts }
  }

  private mutating func removeOldest() -> Int {
    let oldest = pending.indices.min { pending[$0].time < pending[$1].time }
    return oldest.map { pending.remove(at: $0).parts } ?? 0
  }
}

extension FragmentJoiner.Pending {
  mutating func append(_ data: RawSpan, time: Instant) {
    self.time = time
    parts += 1
    guard let count = octets?.count, count + data.byteCount <= FragmentJoiner.longestAdvertisement else { return octets = nil }
    octets?.append(contentsOf: Array(data))
  }
}

/// Bits 5 and 6 of the event type of an extended report.
enum DataStatus: UInt8 {
  case complete, moreToCome, truncated, reserved

  init(eventType: UInt8) {
    self = [.complete, .moreToCome, .truncated, .reserved][Int(eventType >> 5 & 3)]
  }
}

/// The fields that the reports of one split advertisement have in common.
struct FragmentKey: Equatable {
  /// Address type, address and primary PHY.
  private let sender: UInt64
  /// Secondary PHY and SID.
  private let set: UInt16
  /// Whether the report is a scan response, which is split on its own.
  private let isScanResponse: Bool
  private let adapter: UInt16

  /// Reads the key from a report that has its whole header.
  init(report: RawSpan, adapter: UInt16) {
    isScanResponse = report.octet(at: 0) & 0x08 != 0
    sender = report.littleEndian(at: 2, as: UInt64.self)
    set = report.littleEndian(at: 10, as: UInt16.self)
    self.adapter = adapter
  }
}

extension Array<UInt8> {
  fileprivate init(_ data: RawSpan) {
    self = data.withUnsafeBytes { Array($0) }
  }
}
