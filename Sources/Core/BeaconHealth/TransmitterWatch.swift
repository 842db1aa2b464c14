import Beacons
import Instants

/// The evidence that two transmitters send the identity of one beacon.
///
/// A beacon may change its address, but an earlier address does not return: two addresses that take turns are two transmitters. Two
/// transmitters with one address differ in level by more than a movement in that time explains. Their advertisements also follow each
/// other faster than the interval of the beacon, or come at other times than expected.
struct TransmitterWatch: Sendable {
  /// The time in which jumps of the level count.
  private static let window = Span.seconds(60)
  /// The maximum number of short gaps that are kept.
  private static let mostGaps = 2 * leastJumps
  /// The dB between two transmitters of one address, and between two addresses of a beacon that always had several.
  static let leastDifference = 12.0
  /// The jumps of the level that show two transmitters of one address.
  static let leastJumps = 5
  /// The time without evidence after which there is one transmitter again.
  static let timeToEnd = Span.seconds(600)
  /// The gap below which two sightings can be one advertisement.
  private static let sameAdvertisement = Span.milliseconds(40)

  private struct Transmitter {
    var address: UInt32
    var first: Instant
    var last: Instant
    var packets = 0
    var level: Double?
  }

  /// The present address, and the one before.
  private var present: Transmitter?
  private var former: Transmitter?
  private var alternation = SignalAlternation()
  private var phases = PhaseWatch()
  /// The latest gaps that were shorter than the interval, at most `mostGaps`, and whether the level jumped.
  private var shortGaps: [(time: Instant, hasJumped: Bool)] = []
  private var last: (time: Instant, adapter: UInt16, rssi: Int8)?
  /// The time of the last evidence.
  private(set) var lastEvidence: Instant?
  /// Whether the beacon has used several addresses at once from the beginning.
  private(set) var hasSeveralAddresses = false

  init(hasSeveralAddresses: Bool = false) {
    self.hasSeveralAddresses = hasSeveralAddresses
  }

  /// Sets the time of the last evidence, if there was none since the start.
  mutating func wait(from time: Instant) { lastEvidence = lastEvidence ?? time }

  /// The address of the latest advertisement; nil if it is unknown.
  var address: UInt32? { present?.address }
  /// Returns the levels of the two transmitters in dBm; nil while they are unknown.
  func levels(_ cause: BeaconFinding.Cause) -> (present: Double?, other: Double?) {
    cause == .phases ? phases.levels : (present?.level, former?.level)
  }

  /// Returns whether an address was heard within a span around a time.
  func hasHeard(_ address: UInt32, around time: Instant, within span: Span) -> Bool {
    [present, former].contains { $0.map { $0.address == address && max($0.last - time, time - $0.last) <= span } ?? false }
  }

  /// Applies an advertisement.
  ///
  /// - Parameters:
  ///   - address: 0 if it is unknown.
  ///   - interval: the learned interval of the beacon; nil while it is unknown.
  ///   - isLearning: whether the beacon was not yet heard for long enough to know whether it uses several addresses.
  /// - Returns: the evidence for a second transmitter, if there is enough.
  mutating func hear(
    _ address: UInt32, rssi: Int8?, adapter: UInt16, at time: Instant, interval: Span?, isLearning: Bool
  ) -> BeaconFinding.Cause? {
    if let rssi, noteGap(rssi, adapter, at: time, interval: interval) {
      lastEvidence = time
      return .jumps
    }
    if let rssi, let interval, phases.hear(rssi, adapter: adapter, at: time, interval: interval) {
      lastEvidence = time
      return .phases
    }
    guard address != 0 else { return nil }
    noteAddress(address, rssi, at: time)
    guard alternation.takeEvidence(at: time) else { return nil }
    let difference = present?.level.flatMap { level in former?.level.map { abs(level - $0) } } ?? 0
    if isLearning, difference < Self.leastDifference { hasSeveralAddresses = true }
    guard !hasSeveralAddresses || difference >= 2 * Self.leastDifference else { return nil }
    lastEvidence = time
    return .addresses
  }

  private mutating func noteAddress(_ address: UInt32, _ rssi: Int8?, at time: Instant) {
    if present?.address == address {
      alternation.stay()
    } else if let present, let former, former.address == address, time - former.last <= SignalAlternation.longestAbsence {
      alternation.return(at: time, other: present.first, packets: present.packets)
      (self.present, self.former) = (former, present)
    } else {
      alternation.leave()
      (present, former) = (Transmitter(address: address, first: time, last: time), present)
    }
    present?.packets += 1
    present?.last = time
    guard let rssi else { return }
    let level = present?.level
    present?.level = level.map { $0 + (Double(rssi) - $0) / 8 } ?? Double(rssi)
  }

  /// Counts a gap that is shorter than the interval, and returns whether the levels show two transmitters.
  private mutating func noteGap(_ rssi: Int8, _ adapter: UInt16, at time: Instant, interval: Span?) -> Bool {
    defer { last = (time, adapter, rssi) }
    // The levels of two adapters differ for one transmitter as well.
    guard let last, last.adapter == adapter, let interval else { return false }
    let gap = time - last.time
    guard gap >= Self.sameAdvertisement, gap < interval * 0.7 else { return false }
    if shortGaps.count == Self.mostGaps { shortGaps.removeFirst() }
    shortGaps.append((time, abs(Double(rssi) - Double(last.rssi)) >= Self.leastDifference))
    let recent = shortGaps.filter { time - $0.time <= Self.window }
    let jumps = recent.count { $0.hasJumped }
    return jumps >= Self.leastJumps && jumps * 2 >= recent.count
  }
}
