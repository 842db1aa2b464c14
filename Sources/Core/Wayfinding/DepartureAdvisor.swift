public import Instants

/// Decides when to advise a visitor to leave for an appointment. It reads no clock.
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

  /// The stages of an appointment, in this order. The numbers are stored.
  ///
  /// No more advice follows from `over` on, which is an arrival.
  public enum Stage: Int, Comparable, Hashable, Sendable {
    case waiting, told, urgent, over, missed

    public static func < (a: Stage, b: Stage) -> Bool { a.rawValue < b.rawValue }
  }

  /// The beginning of the appointment.
  public let start: Instant
  /// The time before an appointment at which the visitor wants to arrive.
  public let margin: Span
  public private(set) var stage: Stage
  /// The first check that found the visitor at the place; nil since a check found the visitor elsewhere.
  private var arrivedSince: Instant?

  /// The time before the margin at which the advisor checks first. Advice comes late for a visitor whose way takes longer.
  public static let horizon = Span.seconds(2 * 3600)
  /// The time after the beginning for which an appointment still matters.
  public static let grace = Span.seconds(60)
  /// The shortest time between two checks, so that a route that grows as fast as time passes causes no storm of checks.
  private static let shortestWait = Span.seconds(15)
  private static let longestWait = Span.seconds(900)

  /// - Parameter stage: the stage that was stored, so that no advice is repeated.
  public init(start: Instant, margin: Span, stage: Stage = .waiting) {
    self.start = start
    self.margin = margin
    self.stage = stage
  }

  /// Whether no more advice will come: the visitor has arrived, or was late.
  public var isOver: Bool { stage >= .over }

  /// Returns whether the position of the visitor matters at a time.
  public func isNear(_ now: Instant) -> Bool { !isOver && now >= start - margin - Self.horizon && now <= start + Self.grace }

  /// Returns the advice that is due.
  ///
  /// An appointment that began more than a minute ago causes none, because the device was off then, or its clock was set.
  ///
  /// - Parameters:
  ///   - travel: the time of the route from the present position; nil if it is unknown, which postpones the advice.
  /// - hasArrived: whether the visitor is at the place. It counts from the second consecutive check, because a single position may be
  ///     an outlier.
  public mutating func update(at now: Instant, travel: Span?, hasArrived: Bool) -> Advice? {
    guard stage < .over, now <= start + Self.grace else { return nil }
    if hasArrived {
      let wasTold = stage > .waiting
      // A visitor who passes the place hours before may be elsewhere when it is time to leave.
      guard wasTold || start - now <= margin else { return nil }
      guard let first = arrivedSince, now - first >= Self.shortestWait else {
        if arrivedSince.map({ now < $0 }) ?? true { arrivedSince = now }
        return nil
      }
      stage = .over
      return wasTold ? .cancelled : nil
    }
    guard let travel, travel >= .zero else { return nil }
    arrivedSince = nil
    if now >= start {
      stage = .missed
      return .missed
    }
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

  /// Returns the time of the next check; nil if there is none.
  ///
  /// A visitor who walks away makes the way longer by as much as passes meanwhile, so a check after half of the time that is left is never
  /// too late. The first one is at the horizon.
  ///
  /// - Parameter travel: as for `update`.
  public func nextLook(after now: Instant, travel: Span?) -> Instant? {
    guard stage < .over, now <= start + Self.grace else { return nil }
    let first = start - margin - Self.horizon
    if now < first { return first }
    if let arrivedSince, arrivedSince + Self.shortestWait > now { return arrivedSince + Self.shortestWait }
    // The last check shows whether the visitor is there.
    if now >= start { return now + Self.shortestWait }
    let left = start - now
    let wait: Span
    if let travel {
      let slack = (left - travel - (stage == .waiting ? margin : .zero)) * 0.5
      // A visitor who was advised is on the way, and arrives in this time.
      wait = stage == .waiting ? slack : stage == .told ? min(slack, travel * 0.5) : travel * 0.5
    } else {
      wait = left * 0.1
    }
    // Close to the time of advice the check is exact.
    let shortest = travel.map { min(Self.shortestWait, max(.seconds(1), left - $0 - (stage == .waiting ? margin : .zero))) }
    return min(start, now + min(Self.longestWait, max(wait, stage < .urgent ? shortest ?? Self.shortestWait : Self.shortestWait)))
  }
}
