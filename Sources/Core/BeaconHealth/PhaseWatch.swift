import Beacons
import Instants

/// The evidence of two transmitters with one address: two phases of the interval, each with its own level.
///
/// A transmitter advertises after each interval and a random delay of at most 10 ms (Bluetooth Core 5.4, Vol 6, Part B, 4.4.2.2.1), so the
/// time of its next packets is known for a while. Packets at other times, at another level, are of a second transmitter if the first one
/// is heard again at its own times and its own level. A delayed packet has another time as well, but its level is the same.
struct PhaseWatch: Sendable {
  /// The dB between the two levels.
  static let leastDifference = 12.0
  /// The packets from which a level is known.
  private static let leastPackets = 3
  /// The greatest difference in dB between a packet and the level of its beacon.
  ///
  /// After a greater change, the watch follows the beacon from the start.
  private static let mostDeviation = 10.0
  /// The part of an interval within which packets of one phase must be expected.
  private static let sharpness = 0.25

  private struct Signal {
    var first: Instant
    var last: Instant
    var level: Double
    var packets = 1

    init(_ rssi: Int8, at time: Instant) { (first, last, level) = (time, time, Double(rssi)) }

    mutating func hear(_ rssi: Int8, at time: Instant) {
      last = time
      packets = min(packets + 1, 1000)
      level += (Double(rssi) - level) / Double(min(packets, 8))
    }
  }

  /// The followed phase, and its adapter.
  private var followed: (signal: Signal, adapter: UInt16)?
  /// All packets at other times.
  private var other: Signal?
  private var isOtherPresent = false
  private var alternation = SignalAlternation()

  /// The levels of the two transmitters in dBm; nil while they are unknown.
  var levels: (present: Double?, other: Double?) {
    isOtherPresent ? (other?.level, followed?.signal.level) : (followed?.signal.level, other?.level)
  }

  /// Returns the milliseconds by which a packet of the phase may differ from its expected time.
  ///
  /// They are the random delays since the last packet, and an error of the interval.
  private static func tolerance(_ intervals: Double) -> Double { 6 + 10 * intervals.squareRoot() + intervals }

  /// Applies a packet, and returns whether the packets show two transmitters.
  ///
  /// - Parameter interval: the learned interval of the beacon.
  mutating func hear(_ rssi: Int8, adapter: UInt16, at time: Instant, interval: Span) -> Bool {
    guard let present = followed, interval > .zero else {
      follow(rssi, adapter, at: time)
      return false
    }
    let gap = (time - present.signal.last).seconds
    let intervals = max(1, (gap / interval.seconds).rounded())
    let tolerance = Self.tolerance(intervals) / 1000
    guard tolerance <= interval.seconds * Self.sharpness, gap >= 0 else {
      follow(rssi, adapter, at: time)
      return false
    }
    // The times of another adapter can be later, and its levels differ.
    guard adapter == present.adapter else { return false }
    if let last = other?.last, time - last > SignalAlternation.longestAbsence { (other, isOtherPresent) = (nil, false) }
    if abs(gap - intervals * interval.seconds) > tolerance { noteOther(rssi, at: time) } else { noteFollowed(rssi, at: time) }
    return alternation.takeEvidence(at: time)
  }

  private mutating func follow(_ rssi: Int8, _ adapter: UInt16, at time: Instant) {
    (followed, other, isOtherPresent, alternation) = ((Signal(rssi, at: time), adapter), nil, false, SignalAlternation())
  }

  private mutating func noteOther(_ rssi: Int8, at time: Instant) {
    guard let signal = other, fits(rssi, signal, ratherThan: followed?.signal) else {
      alternation = SignalAlternation()
      return (other, isOtherPresent) = (Signal(rssi, at: time), true)
    }
    other?.hear(rssi, at: time)
    if !isOtherPresent { alternation.leave() }
    isOtherPresent = true
  }

  private mutating func noteFollowed(_ rssi: Int8, at time: Instant) {
    guard let present = followed, fits(rssi, present.signal, ratherThan: other) else {
      return follow(rssi, followed?.adapter ?? 0, at: time)
    }
    if let other, isOtherPresent, isDistinct {
      alternation.return(at: time, other: other.first, packets: other.packets)
    } else {
      alternation.stay()
    }
    followed?.signal.hear(rssi, at: time)
    isOtherPresent = false
  }

  /// Whether both levels are known, and differ.
  private var isDistinct: Bool {
    guard let signal = followed?.signal, let other else { return false }
    return min(signal.packets, other.packets) >= Self.leastPackets && abs(signal.level - other.level) >= Self.leastDifference
  }

  /// Returns whether a packet has the level of its signal. If it has that of the other one, levels do not belong to phases.
  private func fits(_ rssi: Int8, _ signal: Signal, ratherThan other: Signal?) -> Bool {
    let deviation = abs(Double(rssi) - signal.level)
    guard let other, isDistinct else { return deviation <= Self.mostDeviation }
    return deviation <= Self.mostDeviation && deviation < abs(Double(rssi) - other.level)
  }
}
