public import BeaconAdvertising
public import Beacons

/// The number of sightings of each beacon, from which a plot selects its beacons.
public struct SightingCounts: Sendable {
  /// The maximum number of beacons; sightings of later ones do not count.
  public static let mostBeacons = 100_000

  private var counts: [BeaconIdentity: Int] = [:]
  private let limit: Int

  public init() { self.init(limit: Self.mostBeacons) }

  init(limit: Int) { self.limit = limit }

  /// The number of beacons.
  public var beaconCount: Int { counts.count }

  public mutating func add(_ sightings: some Sequence<Sighting>) {
    for sighting in sightings where counts[sighting.beacon] != nil || counts.count < limit { counts[sighting.beacon, default: 0] += 1 }
  }

  /// Returns the beacons with the most sightings, these first.
  ///
  /// Equal counts are in the order of the identities, so that the same recording always has the same beacons.
  public func beacons(most: Int) -> [BeaconIdentity] {
    counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(most).map(\.key)
  }
}
