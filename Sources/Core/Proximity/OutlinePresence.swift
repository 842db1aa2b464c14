import Instants
import Regions
import Venues

/// Decides from fixes alone whether the device is at a venue without beacons.
///
/// A fix is inside if most of its probability is inside the outline, and outside if little of it is. Between the two limits, the last
/// answer remains. Without a valid fix, the answer is unknown.
struct OutlinePresence: Sendable {
  /// The time for which fixes must agree that the device is inside. A passer-by is inside for less.
  private static let hold = CircularRegion.hold

  private let outline: VenueOutline
  /// The position of the last fix; `nil` if it has expired.
  private var position: AreaPosition?
  /// The time of the first of the fixes that have put the device inside since.
  private var insideSince: Instant?
  /// The time at which the last fix expires.
  private var end = Instant.never
  /// The time of the next required call of `take`; `.never` while only fixes change something.
  private(set) var deadline = Instant.never
  /// The last answer; `nil` if none is valid.
  private(set) var reported: AreaPosition?

  init(_ outline: VenueOutline) {
    self.outline = outline
  }

  /// The accuracy in metres, one sigma, of fixes that decide.
  var wantedAccuracy: Double { outline.wantedAccuracy }

  /// Applies a fix that has not expired.
  mutating func note(_ fix: Fix, at time: Instant) {
    let position = AreaRule.wide.position(at: outline.probability(at: fix.place, accuracy: fix.accuracy))
    (self.position, end, deadline) = (position, fix.end, time)
    // A configured location needs no confirmation.
    if position == .inner { insideSince = fix.isLasting ? time - Self.hold : insideSince ?? time } else { insideSince = nil }
  }

  /// Forgets the last fix.
  mutating func forget(at time: Instant) {
    (position, insideSince, end, deadline) = (nil, nil, .never, time)
  }

  /// Decides at a deadline, and returns whether the answer may have changed; `reported` is the answer.
  mutating func take(at time: Instant) -> Bool {
    guard deadline <= time else { return false }
    if end <= time { (position, insideSince, end) = (nil, nil, .never) }
    deadline = end
    guard let position else {
      reported = nil
      return true
    }
    if position == .inner, let insideSince, case let arrival = insideSince + Self.hold, arrival > time {
      deadline = min(deadline, arrival)
    } else if position != .border {
      reported = position
    }
    return true
  }
}
