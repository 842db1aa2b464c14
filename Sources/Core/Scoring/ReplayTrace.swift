import BeaconAdvertising
import Beacons
import Instants
import Ranging

/// The course of a replay for a plot: the RSSI of each beacon, and its estimates.
///
/// It takes bounded memory on a recording of any length: neighbouring times are joined when there are too many.
public struct ReplayTrace: Sendable {
  /// The values of a beacon.
  public struct Beacon: Sendable {
    /// RSSI in dBm as received.
    public internal(set) var signals = TimeSeries()
    /// Distances in metres.
    public internal(set) var distances = TimeSeries()
    /// One sigma of the distances in metres.
    public internal(set) var accuracies = TimeSeries()
    /// The numbers of the proximities in `BeaconProximity.allCases`.
    public internal(set) var proximities = TimeSeries()
  }

  public private(set) var beacons: [BeaconIdentity: Beacon]
  /// The times of the first and the last sighting; nil before there is one.
  public private(set) var period: ClosedRange<Instant>?

  /// - Parameter beacons: those of the trace, which omits all others.
  public init(of beacons: some Sequence<BeaconIdentity>) {
    self.beacons = Dictionary(uniqueKeysWithValues: Set(beacons).map { ($0, Beacon()) })
  }

  public mutating func hear(_ sightings: some Sequence<Sighting>) {
    for sighting in sightings {
      period = min(sighting.time, period?.lowerBound ?? sighting.time)...max(sighting.time, period?.upperBound ?? sighting.time)
      guard let rssi = sighting.rssi else { continue }
      beacons[sighting.beacon]?.signals.add(Double(rssi), at: sighting.time)
    }
  }

  public mutating func range(_ ranged: some Sequence<RangedBeacon>, at time: Instant) {
    for beacon in ranged { beacons[beacon.beacon]?.estimate(beacon, at: time) }
  }
}

extension ReplayTrace.Beacon {
  fileprivate mutating func estimate(_ beacon: RangedBeacon, at time: Instant) {
    proximities.add(Double(BeaconProximity.allCases.firstIndex(of: beacon.proximity) ?? 0), at: time)
    guard let distance = beacon.distance else { return }
    distances.add(distance, at: time)
    if let accuracy = beacon.accuracy { accuracies.add(accuracy, at: time) }
  }
}

/// Values over time in buckets of equal width, at first of a second. The width doubles when there are too many buckets.
public struct TimeSeries: Sendable {
  public struct Bucket: Hashable, Sendable {
    public private(set) var count: Int
    public private(set) var least: Double
    public private(set) var most: Double
    /// The last value.
    public private(set) var last: Double
    private var sum: Double

    public var mean: Double { sum / Double(count) }

    fileprivate init(_ value: Double) {
      (count, least, most, last, sum) = (1, value, value, value, value)
    }

    fileprivate mutating func add(_ later: Bucket) {
      count += later.count
      (least, most, last) = (min(least, later.least), max(most, later.most), later.last)
      sum += later.sum
    }
  }

  /// The buckets by their numbers since the Unix epoch.
  private var buckets: [Int64: Bucket] = [:]
  public private(set) var width = Span.seconds(1)

  /// The maximum number of buckets of a series.
  public static let mostBuckets = 2_000

  public init() {}

  /// Adds a value. Values that are not finite numbers do not count.
  public mutating func add(_ value: Double, at time: Instant) {
    guard value.isFinite else { return }
    add(Bucket(value), Self.number(time.microseconds, width.microseconds))
    while buckets.count > Self.mostBuckets {
      let halves = buckets.sorted { $0.key < $1.key }
      width = Span(microseconds: 2 * width.microseconds)
      buckets.removeAll(keepingCapacity: true)
      for (number, bucket) in halves { add(bucket, Self.number(number, 2)) }
    }
  }

  private mutating func add(_ bucket: Bucket, _ number: Int64) {
    if buckets[number]?.add(bucket) == nil { buckets[number] = bucket }
  }

  /// Divides and rounds down.
  private static func number(_ value: Int64, _ width: Int64) -> Int64 {
    value / width - (value % width < 0 ? 1 : 0)
  }

  /// The buckets in the order of their times, each with the middle of its time.
  public var points: [(time: Instant, bucket: Bucket)] {
    buckets.sorted { $0.key < $1.key }.map {
      // The first bucket of the clock begins before it.
      let (start, isBefore) = $0.key.multipliedReportingOverflow(by: width.microseconds)
      return (Instant(microseconds: isBefore ? .min : start) + Span(microseconds: width.microseconds / 2), $0.value)
    }
  }
}
