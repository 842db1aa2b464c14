import Instants
import Venues

/// Decides whether a visitor has left the route for another level.
///
/// Near stairs, the level of a position may be late or early by some seconds. A lift stops at levels that the visitor only passes.
struct LevelTest: Sendable {
  /// The last level of a position that differed from that of the route.
  private var level: Int?
  /// The seconds on that level less those on the route's, and the number of consecutive positions there until now.
  private var (seconds, count) = (0.0, 0)
  private var last: Instant?
  /// Whether the visitor may be in a lift, or on stairs that pass the level.
  private(set) var isPassing = false

  /// The seconds on another level after which the visitor has left the route: anywhere, and where the way passes the level.
  private static let (limit, passingLimit) = (6.0, 15.0)
  /// The number of positions in a row that are trusted.
  private static let trusted = 2
  /// The longest time in seconds that one position confirms.
  private static let most = 2.0

  /// Whether the visitor is on another level than the route at the progress, so that its instructions do not apply.
  var isElsewhere: Bool { count >= Self.trusted }

  /// Whether further positions decide if the visitor has left the route.
  var isUndecided: Bool { seconds > 0 || count > 0 }

  /// Takes a position after the track has taken it, and returns whether the visitor has left the route for another level.
  mutating func add(_ position: GuidedPosition, _ track: RouteTrack, in venue: Venue) -> Bool {
    let passed = last.map { min(max(0, (position.time - $0).seconds), Self.most) } ?? 0
    last = position.time
    guard position.place.level != track.level else {
      (seconds, count, isPassing) = (max(0, seconds - passed), 0, false)
      return false
    }
    if level != position.place.level { (level, seconds, count) = (position.place.level, 0, 0) }
    if count > 0 { seconds += passed }
    count += 1
    isPassing = track.passes(position, in: venue)
    return seconds >= (isPassing ? Self.passingLimit : Self.limit)
  }
}

extension RouteTrack {
  /// The metres and sigmas of a position from a lift or stairs within which the visitor may be there.
  private static let (changeReach, changeSigmas) = (3.0, 2.0)

  /// The level of the route at the progress. On stairs it is the one at their end as soon as positions state it.
  var level: Int { segments.last { $0.isChange && $0.changes < changes }?.levelAtEnd ?? segments[0].level }

  /// Returns whether the visitor may pass the level of a position, in the lift ahead or on stairs without an end there.
  fileprivate func passes(_ position: GuidedPosition, in venue: Venue) -> Bool {
    guard let change = segments.first(where: { $0.isChange && $0.changes == changes }),
      change.line.distance(to: position.place.point) <= Self.changeReach + Self.changeSigmas * position.accuracy
    else { return false }
    if change.isLift { return true }
    let ordinals = [change.level, change.levelAtEnd].map { venue.levels[$0].ordinal }.sorted()
    let ordinal = venue.levels[position.place.level].ordinal
    return ordinals[0] < ordinal && ordinal < ordinals[1]
  }
}
