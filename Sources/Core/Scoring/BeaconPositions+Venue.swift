public import Beacons
import IndoorPositioning
public import Venues

extension BeaconPositions {
  /// A reason why no venue has the positions of beacons.
  public enum VenueChoiceError: Error, Hashable, Sendable {
    /// No venue has beacons.
    case noBeacons
    /// Beacons of several venues, by their ids, are heard.
    case severalVenues([String])
  }

  /// Creates the positions of a venue's beacons, with heights above the ground floor.
  ///
  /// A beacon without a height hangs at the usual one, and a level is as high as those of positions in the venue.
  public init(_ venue: Venue) {
    self.init(
      venue.beacons.map { beacon in
        let floor = Double(venue.level(beacon.level)?.ordinal ?? 0) * VenueLevel.storeyHeight
        let height = floor + (beacon.height ?? RoomTransmitter.usualHeight)
        return (identity: beacon.identity, position: SIMD3(beacon.position.x, beacon.position.y, height))
      })
  }

  /// Returns the only venue of which a beacon is heard, or the first one with beacons if none is heard.
  ///
  /// Each venue has a plane of its own, and true positions have one.
  public static func venue(among venues: [Venue], heard: Set<BeaconIdentity>) throws(VenueChoiceError) -> Venue {
    let equipped = venues.filter { !$0.beacons.isEmpty }
    let audible = equipped.filter { $0.beacons.contains { heard.contains($0.identity) } }
    guard audible.count < 2 else { throw .severalVenues(audible.map(\.id)) }
    guard let venue = audible.first ?? equipped.first else { throw .noBeacons }
    return venue
  }
}
