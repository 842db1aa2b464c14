import Beacons
import Instants

/// The evidence that two transmitters send the identity of one beacon.
///
/// A beacon may change its address, but an earlier address does not return: two addresses that take turns are two transmitters. With one
/// address, two transmitters show by advertisements that follow each other faster than the interval of the beacon, at levels that no
/// movement explains in that time.
struct TransmitterWatch: Sendable {
  /// The time within which an address must return, and in which the evidence counts.
  static let window = Span.seconds(60)
  /// The most short gaps that are kept.
  private static let mostGaps = 2 * leastJumps
  /// The returns of addresses that show two transmitters.
  static let leastReturns = 3
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
    var last: Instant
    var level: Double?
  }

  /// The present address, and the one before.
  private var present: Transmitter?
  private var former: Transmitter?
  /// The times of the latest returns of an address, at most `leastReturns`.
  private var returns: [Instant] = []
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

  /// Takes a time for that of the last evidence, if there is none since the start.
  mutating func wait(from time: Instant) { lastEvidence = lastEvidence ?? time }

  /// The address of the latest advertisement; nil if it is unknown.
  var address: UInt32? { present?.address }
  /// The levels of the two transmitters in dBm; nil while they are unknown.
  var levels: (present: Double?, other: Double?) { (present?.level, former?.level) }

  /// Returns whether an address was heard within a span around a time.
  func hasHeard(_ address: UInt32, around time: Instant, within span: Span) -> Bool {
    [present, former].contains { $0.map { $0.address == address && max($0.last - time, time - $0.last) <= span } ?? false }
  }

  /// Applies an advertisement.
  ///
  /// - Parameters:
  ///   - address: 0 if it is unknown.
  ///   - interval: the learned interval of the beacon; nil while it is unknown.
  ///   - isLearning: whether the habits of the beacon are not known yet.
  /// - Returns: the evidence for a second transmitter, if there is enough.
  mutating func hear(
    _ address: UInt32, rssi: Int8?, adapter: UInt16, at time: Instant, interval: Span?, isLearning: Bool
  ) -> BeaconFinding.Cause? {
    if let rssi, noteGap(rssi, adapter, at: time, interval: interval) {
      lastEvidence = time
      return .jumps
    }
    guard address != 0 else { return nil }
    noteAddress(address, rssi, at: time)
    guard returns.count == Self.leastReturns, let first = returns.first, time - first <= Self.window else { return nil }
    let difference = present?.level.flatMap { level in former?.level.map { abs(level - $0) } } ?? 0
    if isLearning, difference < Self.leastDifference { hasSeveralAddresses = true }
    guard !hasSeveralAddresses || difference >= 2 * Self.leastDifference else { return nil }
    lastEvidence = time
    return .addresses
  }

  private mutating func noteAddress(_ address: UInt32, _ rssi: Int8?, at time: Instant) {
    if present?.address != address {
      let isReturning = former.map { $0.address == address && time - $0.last <= Self.window } ?? false
      if isReturning {
        if returns.count == Self.leastReturns { returns.removeFirst() }
        returns.append(time)
      }
      (present, former) = (former?.address == address ? former : Transmitter(address: address, last: time), present)
    }
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
