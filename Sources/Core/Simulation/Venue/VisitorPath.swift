import Instants
import Venues

/// The path of a visitor: straight from place to place, and away before the first place and after the last.
public struct VisitorPath: Hashable, Sendable {
  public struct Waypoint: Hashable, Sendable {
    /// The time since the path's beginning.
    public let at: Span
    public let place: PlanPoint
    /// The ordinal of the level. On the way to another level, the visitor is on stairs or in a lift.
    public let level: Int

    public init(at: Span, place: PlanPoint, level: Int = 0) {
      self.at = at
      self.place = place
      self.level = level
    }

    fileprivate var location: BuildingPoint { BuildingPoint(point: place, storey: Double(level)) }
  }

  /// The waypoints in order of time, each later than the one before; at least one.
  public let waypoints: [Waypoint]
  /// The period after which the path repeats, longer than the last waypoint's time; nil: it is walked once.
  public let every: Span?

  public init(_ waypoints: [Waypoint], every: Span? = nil) {
    self.waypoints = waypoints
    self.every = every
  }

  /// Returns the location; nil while the visitor is away.
  func location(at time: Span) -> BuildingPoint? {
    let time = sinceBeginning(time)
    let next = index { $0 >= time }
    guard next < waypoints.count else { return nil }
    if waypoints[next].at == time { return waypoints[next].location }
    guard next > 0 else { return nil }
    let (from, to) = (waypoints[next - 1], waypoints[next])
    let share = Double((time.microseconds - from.at.microseconds)) / Double(to.at.microseconds - from.at.microseconds)
    let storey = from.level == to.level ? Double(from.level) : Double(from.level) + share * Double(to.level - from.level)
    return BuildingPoint(point: from.place.towards(to.place, share), storey: storey)
  }

  /// Returns whether the place changes right after `time`.
  func isMoving(at time: Span) -> Bool {
    let time = sinceBeginning(time)
    let next = index { $0 > time }
    guard next > 0, next < waypoints.count else { return false }
    return waypoints[next - 1].location != waypoints[next].location
  }

  /// Returns the first time after `time` at which a straight segment of the path begins or ends; nil if there is none.
  func nextChange(after time: Span) -> Span? {
    let inPath = sinceBeginning(time)
    let begun = time.microseconds - inPath.microseconds
    let next = index { $0 > inPath }
    if next < waypoints.count { return Span(microseconds: begun + waypoints[next].at.microseconds) }
    // At the last waypoint the visitor is still present, and is away a moment later.
    if let last = waypoints.last, last.at == inPath { return Span(microseconds: time.microseconds + 1) }
    return every.map { Span(microseconds: begun + $0.microseconds + waypoints[0].at.microseconds) }
  }

  /// Returns the index of the first waypoint whose time meets a condition; the number of waypoints if none does.
  /// The condition must hold for all later times.
  private func index(where isMet: (Span) -> Bool) -> Int {
    var (low, high) = (0, waypoints.count)
    while low < high {
      let middle = (low + high) / 2
      if isMet(waypoints[middle].at) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func sinceBeginning(_ time: Span) -> Span {
    guard let every, time.microseconds > 0 else { return time }
    return Span(microseconds: time.microseconds % every.microseconds)
  }
}
