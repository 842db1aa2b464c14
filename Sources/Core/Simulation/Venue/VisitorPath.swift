import Instants

/// Where somebody is at what time: straight from place to place, and away before the first and after the last.
public struct VisitorPath: Hashable, Sendable {
  public struct Waypoint: Hashable, Sendable {
    /// Since the path's beginning.
    public let at: Span
    public let place: Point

    public init(at: Span, place: Point) {
      self.at = at
      self.place = place
    }
  }

  /// In order of time, each later than the one before; at least one.
  public let waypoints: [Waypoint]
  /// After so long from its beginning the path is walked again. Longer than the last waypoint's time.
  public let every: Span?

  public init(_ waypoints: [Waypoint], every: Span? = nil) {
    self.waypoints = waypoints
    self.every = every
  }

  /// Nil while away.
  func place(at time: Span) -> Point? {
    let time = sinceBeginning(time)
    guard let next = waypoints.firstIndex(where: { $0.at >= time }) else { return nil }
    if waypoints[next].at == time { return waypoints[next].place }
    guard next > 0 else { return nil }
    let (from, to) = (waypoints[next - 1], waypoints[next])
    let share = Double((time.microseconds - from.at.microseconds)) / Double(to.at.microseconds - from.at.microseconds)
    return from.place.towards(to.place, share)
  }

  /// Whether the place changes right after `time`.
  func isMoving(at time: Span) -> Bool {
    let time = sinceBeginning(time)
    guard let next = waypoints.firstIndex(where: { $0.at > time }), next > 0 else { return false }
    return waypoints[next - 1].place != waypoints[next].place
  }

  /// The first instant after `time` at which a straight piece of the path begins or ends; nil when there is none.
  func nextChange(after time: Span) -> Span? {
    let inPath = sinceBeginning(time)
    let begun = time.microseconds - inPath.microseconds
    if let next = waypoints.first(where: { $0.at > inPath }) { return Span(microseconds: begun + next.at.microseconds) }
    // Away begins a moment after the last waypoint, at which one is still there.
    if let last = waypoints.last, last.at == inPath { return Span(microseconds: time.microseconds + 1) }
    return every.map { Span(microseconds: begun + $0.microseconds + waypoints[0].at.microseconds) }
  }

  private func sinceBeginning(_ time: Span) -> Span {
    guard let every, time.microseconds > 0 else { return time }
    return Span(microseconds: time.microseconds % every.microseconds)
  }
}
