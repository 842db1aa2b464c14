import Instants
import Venues

// The way that is left, and its direction.

extension RouteTrack {
  var remaining: Double { max(0, length - progress) }

  /// Whether the visitor walks on a floor, not on stairs, an escalator or a moving walkway, or in a lift.
  var isOnFoot: Bool { segments.last { $0.offset <= progress && $0.changes <= changes }?.isPlain ?? true }

  /// Whether no level change is ahead.
  var isOnLastRun: Bool { changes == changeCount }

  var remainingTime: Span {
    var seconds = 0.0
    for segment in segments where segment.changes >= changes {
      guard segment.length > 0 else {
        seconds += segment.changes >= changes && segment.isChange ? segment.seconds : 0
        continue
      }
      let ahead = segment.offset + segment.length - max(segment.offset, progress)
      if ahead > 0 { seconds += segment.seconds * min(1, ahead / segment.length) }
    }
    return .seconds(seconds)
  }

  /// The point of the route at the progress.
  var matched: VenuePoint { point(at: progress) }

  /// The points of the route at the progress and some metres ahead. Nil in a lift and at the end.
  var directionLine: PlanSegment? {
    let (here, ahead) = (matched, point(at: progress + Self.lookAhead))
    guard here.point.distance(to: ahead.point) > Self.leastDirection else { return nil }
    return PlanSegment(from: here.point, to: ahead.point)
  }

  /// Returns whether a visitor still has to turn into the piece of the route before a point of the route.
  ///
  /// - Parameter offset: metres along the route.
  func isTurn(ahead offset: Double, of heading: Double) -> Bool {
    guard let direction = present.last(where: { $0.direction != nil && $0.offset < offset })?.direction else { return false }
    return abs(turn(from: direction, to: heading)) > Self.leastTurn
  }

  /// The metres to the point that a direction leads to: a visitor begins to turn before the corner.
  private static let lookAhead = 3.0
  private static let leastDirection = 0.3

  private func point(at progress: Double) -> VenuePoint {
    for segment in present {
      guard progress <= segment.offset + segment.length else { continue }
      let share = segment.length > 0 ? min(1, max(0, (progress - segment.offset) / segment.length)) : 0
      // On stairs, the level is that of the positions.
      return VenuePoint(
        segment.line.from.towards(segment.line.to, share), level: segment.changes < changes ? segment.levelAtEnd : segment.level)
    }
    // Beyond the stairs or the lift ahead, the way is on another level.
    let end = present.last ?? segments[segments.count - 1]
    return VenuePoint(end.line.to, level: end.levelAtEnd)
  }
}
