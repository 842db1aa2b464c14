/// The place in a venue of a receiver that never moves.
public struct FixedReceiver: Hashable, Sendable {
  /// The position on the plan in metres.
  public var position: PlanPoint
  /// The id of the level; `nil` for the only level of the venue.
  public var level: String?
  /// The id of the venue; `nil` for the only venue.
  public var venue: String?

  /// The accuracy of the position in metres, one sigma: people measure a place on a plan to about a metre.
  public static let accuracy = 1.0

  public init(position: PlanPoint, level: String? = nil, venue: String? = nil) {
    (self.position, self.level, self.venue) = (position, level, venue)
  }

  /// Returns the venue and the level of the receiver; `nil` if they are missing or several are possible.
  public func place(in venues: [Venue]) -> (venue: Venue, level: VenueLevel)? {
    let candidates = venues.filter { venue == nil || $0.id == venue }
    guard candidates.count == 1, let found = candidates.first else { return nil }
    let levels = found.levels.filter { level == nil || $0.id == level }
    return levels.count == 1 ? levels.first.map { (found, $0) } : nil
  }
}
