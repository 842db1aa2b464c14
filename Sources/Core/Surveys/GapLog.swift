import Beacons
import Instants
import Ranging

/// The gaps between the advertisements of one beacon over a survey, from which interval, jitter and loss follow.
///
/// `AdvertisementGaps` learns the interval from the latest gaps of each sender. All gaps together are then compared with the median of what
/// was learned, because a receiver that walks loses a different share at each place.
struct GapLog {
  /// The interval and its regularity.
  struct Regularity {
    /// The mean interval in seconds.
    var interval: Double
    /// One sigma of single intervals in seconds; nil with few of them.
    var jitter: Double?
    /// The share of the advertisements that were lost.
    var loss: Double
    /// The advertisements that were received and sent while the beacon was loud.
    var loud: (received: Double, sent: Double)
  }

  private struct Gap {
    /// Microseconds.
    var length: Int32
    /// Whether the beacon was loud at both ends.
    var isLoud: Bool
  }

  /// The RSSI in dBm from which a beacon is loud.
  ///
  /// Its signal is then far above the noise, so that a loss has another reason than distance.
  static let loud: Int8 = -75
  private static let mostGaps = 4096
  private static let mostIntervals = 256
  /// The gaps after which the interval is learned again.
  private static let pace = 32
  /// The minimum gap, in intervals, in which the beacon was out of range.
  private static let mostMultiple = 12.0
  private static let fewestSingles = 8

  /// The latest gaps.
  private var gaps: [Gap] = []
  private var next = 0
  private var intervals: [Double] = []

  mutating func add(_ gap: Span, isLoud: Bool) {
    let gap = Gap(length: Int32(clamping: gap.microseconds), isLoud: isLoud)
    if gaps.count < Self.mostGaps { gaps.append(gap) } else { gaps[next] = gap }
    next = (next + 1) % Self.mostGaps
  }

  /// Learns the interval from the latest gaps of a sender, from time to time.
  mutating func learn(from latest: AdvertisementGaps) {
    guard next % Self.pace == 0, intervals.count < Self.mostIntervals, let interval = latest.reception?.interval else { return }
    intervals.append(interval)
  }

  /// Returns the regularity; nil if the gaps show no interval.
  ///
  /// - Parameter latest: the latest gaps of the senders, which decide if nothing was learned before.
  func regularity(_ latest: some Sequence<AdvertisementGaps>) -> Regularity? {
    let learned = (intervals.isEmpty ? latest.compactMap { $0.reception?.interval } : intervals).sorted()
    guard !learned.isEmpty else { return nil }
    let guess = learned[learned.count / 2]
    var singles: [Double] = []
    var (received, sent) = (0.0, 0.0)
    var loud = (received: 0.0, sent: 0.0)
    for gap in gaps {
      let length = Double(gap.length) / 1e6
      let multiple = max(1, (length / guess).rounded())
      guard multiple <= Self.mostMultiple else { continue }
      received += 1
      sent += multiple
      if gap.isLoud { (loud.received, loud.sent) = (loud.received + 1, loud.sent + multiple) }
      if multiple == 1 { singles.append(length) }
    }
    guard sent > 0 else { return nil }
    let jitter = singles.count >= Self.fewestSingles ? Self.spread(singles) : nil
    return Regularity(interval: guess, jitter: jitter, loss: 1 - received / sent, loud: loud)
  }

  /// Returns one sigma by the median of the deviations from the median, which outliers do not change.
  private static func spread(_ values: [Double]) -> Double {
    let middle = values.sorted()[values.count / 2]
    return 1.4826 * values.map { abs($0 - middle) }.sorted()[values.count / 2]
  }
}
