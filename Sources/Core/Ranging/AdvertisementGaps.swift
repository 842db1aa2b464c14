import Beacons
import Instants

/// The latest gaps between the sightings of a beacon, from which its interval and the loss follow.
///
/// A beacon advertises after each interval and a random delay of at most 10 ms (Bluetooth Core 5.4, Vol 6, Part B, 4.4.2.2.1). A gap is
/// therefore a multiple of the mean interval, and the multiple counts the advertisements that were lost in it.
public struct AdvertisementGaps: Hashable, Sendable {
  /// The number of gaps that are kept.
  static let capacity = 64
  /// The number of gaps from which an interval is learned.
  static let least = 12
  /// The unit of gaps, 0.25 ms, so that the longest interval of the standard, 10.24 s, fits into 16 bits.
  private static let unit: Int64 = 250
  /// The gap below which two sightings are one advertisement that several adapters have received.
  /// The shortest interval of the standard is 20 ms.
  private static let sameAdvertisement: UInt16 = 32

  private var gaps: [UInt16] = []
  private var next = 0
  public private(set) var last: Instant

  public init(from time: Instant) {
    last = time
    gaps.reserveCapacity(Self.capacity)
  }

  public mutating func hear(at time: Instant) {
    let gap = UInt16(clamping: Swift.max(0, (time - last).microseconds) / Self.unit)
    guard gap >= Self.sameAdvertisement else { return }
    last = time
    // Out of range: the silence is not a gap between two advertisements.
    guard gap < .max else { return }
    if gaps.count < Self.capacity { gaps.append(gap) } else { gaps[next] = gap }
    next = (next + 1) % Self.capacity
  }

  /// The interval and the loss by the latest gaps; nil if there are too few gaps, or if no interval explains them.
  public var reception: BeaconReception? {
    guard gaps.count >= Self.least else { return nil }
    let sorted = gaps.sorted()
    // The longest interval that explains the gaps: each divisor of it would explain them as well.
    for index in stride(from: sorted.count * 3 / 4, through: 0, by: -1) {
      if index > 0, sorted[index] == sorted[index - 1] { continue }
      if let fit = fit(around: Double(sorted[index])) { return fit }
    }
    return nil
  }

  /// Returns the interval near a guess, and the loss; nil if the gaps are not its multiples.
  private func fit(around guess: Double) -> BeaconReception? {
    var interval = guess
    for _ in 0..<2 {
      guard let sums = sums(interval) else { return nil }
      interval = sums.length / sums.multiples
    }
    guard let sums = sums(interval) else { return nil }
    let seconds = interval * Double(Self.unit) / 1e6
    return BeaconReception(interval: seconds, loss: Swift.max(0, 1 - Double(gaps.count) / sums.all))
  }

  /// Returns the sums over the gaps that decide about an interval, and the number of advertisements of all.
  /// Nil if less than four fifths of these gaps are multiples of the interval, or if few are the interval itself.
  private func sums(_ interval: Double) -> (length: Double, multiples: Double, all: Double)? {
    var (length, multiples, all) = (0.0, 0.0, 0.0)
    var (fitting, single, deciding) = (0, 0, 0)
    for gap in gaps {
      let multiple = Swift.max(1, (Double(gap) / interval).rounded())
      all += multiple
      // The delays of many intervals make a long gap fit any interval.
      guard multiple <= Self.mostMultiple else { continue }
      deciding += 1
      let deviation = abs(Double(gap) - multiple * interval)
      guard deviation <= Swift.min(0.3 * interval, 0.08 * interval + Self.delay * multiple.squareRoot()) else { continue }
      fitting += 1
      if multiple == 1 { single += 1 }
      length += Double(gap)
      multiples += multiple
    }
    guard deciding >= Self.least / 2, fitting * 5 >= deciding * 4, single * 8 >= deciding else { return nil }
    return (length, multiples, all)
  }

  private static let mostMultiple = 6.0
  /// The maximum amount by which a gap of one interval differs from the mean, 10 ms: the difference of two delays.
  private static let delay = 40.0
}
