public import Instants

/// Decides when to tell a visitor to leave for an appointment. It reads no clock.
///
/// There are two pieces of advice: one when the time of the route and the margin are left, and an urgent one when the margin is used up.
public struct DepartureAdvisor: Hashable, Sendable {
  public enum Advice: Hashable, Sendable {
    /// The margin begins: the time to leave, with the time of the route.
    case leave(travel: Span)
    /// The margin is used up, and the visitor will be late without leaving at once.
    case leaveAtOnce(travel: Span)
    /// The visitor is there, so that earlier advice no longer counts.
    case cancelled
    /// The appointment has begun, and the visitor is not there.
    case missed
  }

  /// The stages of an appointment, in this order.
  private enum Stage: Int, Comparable, Hashable, Sendable {
    case waiting, told, urgent, over

    static func < (a: Stage, b: Stage) -> Bool { a.rawValue < b.rawValue }
  }

  /// The beginning of the appointment.
  public let start: Instant
  /// The time by which the visitor wants to be early.
  public let margin: Span
  private var stage = Stage.waiting

  /// The longest time until the next look at a visitor who may walk away meanwhile.
  private static let longestWait = Span.seconds(60)
  /// The shortest one, so that a route that grows as fast as time passes causes no storm of looks.
  private static let shortestWait = Span.seconds(1)

  public init(start: Instant, margin: Span) {
    self.start = start
    self.margin = margin
  }

  /// Whether no more advice will come: the visitor has arrived, or the appointment has begun.
  public var isOver: Bool { stage == .over }

  /// Returns the advice that is due.
  ///
  /// - Parameters:
  ///   - travel: the time of the route from the present position; nil if it is unknown, which postpones the advice.
  ///   - hasArrived: whether the visitor is at the place.
  public mutating func update(at now: Instant, travel: Span?, hasArrived: Bool) -> Advice? {
    guard stage < .over else { return nil }
    if hasArrived {
      let wasTold = stage > .waiting
      // A visitor who passes the place hours before may be elsewhere when it is time to leave.
      guard wasTold || start - now <= margin else { return nil }
      stage = .over
      return wasTold ? .cancelled : nil
    }
    if now >= start {
      stage = .over
      return .missed
    }
    guard let travel, travel >= .zero else { return nil }
    let left = start - now
    if left <= travel, stage < .urgent {
      stage = .urgent
      return .leaveAtOnce(travel: travel)
    }
    if left <= travel + margin, stage < .told {
      stage = .told
      return .leave(travel: travel)
    }
    return nil
  }

  /// Returns the time of the next look; nil after the end.
  public func nextLook(after now: Instant, travel: Span?) -> Instant? {
    guard stage < .over else { return nil }
    let latest = min(start, now + Self.longestWait)
    guard let travel, stage < .urgent else { return max(latest, now + Self.shortestWait) }
    let due = start - travel - (stage == .waiting ? margin : .zero)
    return max(min(due, latest), now + Self.shortestWait)
  }
}
