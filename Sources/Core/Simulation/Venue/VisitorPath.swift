import Instants
import Venues

/// The path of a visitor: straight from place to place, and away before the first place and after the last.
public struct VisitorPath: Hashable, Sendable {
  public struct Waypoint: Hashable, Sendable {
    /// The time since the path's beginning.
    public let at: Span
    public let place: PlanPoint

    public init(at: Span, place: PlanPoint) {
      self.at = at
      self.place = place
    }
  }

  /// The waypoints in order of time, each later than the one before; at least one.
  public let waypoints: [Waypoint]
  /// The period after which the path repeats, longer than the last waypoint's time; nil: it is walked once.
  public let every: Span?

  public init(_ waypoints: [Waypoint], every: Span? = nil) {
    self.waypoints = waypoints
    self.every = every
  }

  /// Returns the place; nil while the visitor is away.
  func place(at time: Span) -> PlanPoint? {
    let time = sinceBeginning(time)
    guard let next = waypoints.firstIndex(where: { $0.at >= time }) else { return nil }
    if waypoints[next].at == time { return waypoints[next].place }
    guard next > 0 else { return nil }
    let (from, to) = (waypoints[next - 1], waypoints[next])
    let share = Double((time.microseconds - from.at.microseconds)) / Double(to.at.microseconds - from.at.microseconds)
    return from.place.towards(to.place, share)
  }

  /// Returns whether the place changes right after `time`.
  func isMoving(at time: Span) -> Bool {
    let time = sinceBeginning(time)
    guard let next = waypoints.firstIndex(where: { $0.at > time }), next > 0 else { return false }
    return waypoints[next - 1].place != waypoints[next].place
  }

  /// Returns the first time after `time` at which a straight segment of the path begins or ends; nil if there is none.
  func nextChange(after time: Span) -> Span? {
    let inPath = sinceBeginning(time)
    let begun = time.microseconds - inPath.microseconds
    if let next = waypoints.first(where: { $0.at > inPath }) { return Span(microseconds: begun + next.at.microseconds) }
    // At the last waypoint the visitor is still present, and is away a moment later.
    if let last = waypoints.last, last.at == inPath { return Span(microseconds: time.microseconds + 1) }
    return every.map { Span(microseconds: begun + $0.microseconds + waypoints[0].at.microseconds) }
  }

  private func sinceBeginning(_ time: Span) -> Span {
    guard let every, time.microseconds > 0 else { return time }
    return Span(microseconds: time.microseconds % every.microseconds)
  }
}
