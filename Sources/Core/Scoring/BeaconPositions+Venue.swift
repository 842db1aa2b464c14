import IndoorPositioning
import Venues

extension BeaconPositions {
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
}
