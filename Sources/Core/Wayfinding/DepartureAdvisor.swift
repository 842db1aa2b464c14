public import Instants

/// Decides when to advise a visitor to leave for an appointment. It reads no clock.
///
/// It advises twice: when only the time of the route and the margin are left, and urgently when the margin is used up.
public struct DepartureAdvisor: Hashable, Sendable {
  public enum Advice: Hashable, Sendable {
    /// The advice to leave: only the time of the route and the margin are left.
    case leave(travel: Span)
    /// The urgent advice: the margin is used up, and the visitor will be late without leaving at once.
    case leaveAtOnce(travel: Span)
    /// The visitor is there, so that earlier advice no longer counts.
    case cancelled
    /// The appointment has begun, and two positions show that the visitor is elsewhere.
    case missed
  }

  /// The stages of an appointment, in this order. The numbers are stored.
  ///
  /// `over` is an arrival. No advice follows after `over` or `missed`.
  public enum Stage: Int, Comparable, Hashable, Sendable {
    case waiting, advised, urgent, over, missed

    public static func < (a: Stage, b: Stage) -> Bool { a.rawValue < b.rawValue }
  }

  /// The beginning of the appointment.
  public let start: Instant
  /// The time before an appointment at which the visitor wants to arrive.
  public let margin: Span
  public private(set) var stage: Stage
  /// The first check that found the visitor at the place; nil since a check found the visitor elsewhere.
  private var arrivedSince: Instant?
  /// The time of the route at the first check after the advice to leave.
  private var advisedTravel: Span?
  /// The first check since the beginning that found the visitor elsewhere; nil since a check found the visitor at the place.
  private var absentSince: Instant?

  /// The time before the margin at which the advisor checks first. Advice comes late for a visitor whose way takes longer.
  public static let horizon = Span.seconds(2 * 3600)
  /// The time after the beginning for which an appointment still matters.
  public static let grace = Span.seconds(60)
  /// The shortest time between two checks, so that a route that grows as fast as time passes causes no storm of checks.
  private static let shortestWait = Span.seconds(15)
  private static let longestWait = Span.seconds(900)
  /// The shortest time between two checks of a visitor who was advised, and is on the way.
  private static let shortestWaitUnderWay = Span.seconds(5)
  /// The share of the way at the advice from which the visitor counts as on the way. Positions are inaccurate by some metres.
  private static let onTheWay = 0.9
  /// The times after which another position confirms one, and after which the same one does.
  ///
  /// A search accepts a position that is five seconds old. A source that reports only changes repeats its position.
  private static let (confirmation, repetition) = (Span.seconds(6), Span.seconds(15))

  /// - Parameter stage: the stage that was stored, so that no advice is repeated.
  public init(start: Instant, margin: Span, stage: Stage = .waiting) {
    self.start = start
    self.margin = margin
    self.stage = stage
  }

  /// Whether no more advice will come: the visitor has arrived or missed the appointment.
  public var isOver: Bool { stage >= .over }

  /// Returns whether the position of the visitor matters at a time.
  public func isNear(_ now: Instant) -> Bool { !isOver && now >= start - margin - Self.horizon && now <= start + Self.grace }

  /// Returns the advice that is due.
  ///
  /// An appointment that began more than a minute ago causes no advice: the device was off, or its clock was changed.
  ///
  /// - Parameters:
  ///   - travel: the time of the route from the last known position; nil if it is unknown, which postpones the advice.
  ///   - hasArrived: whether the visitor is at the place; nil while the position is unknown, which neither cancels advice nor reports a
  ///     missed appointment. It counts from the second consecutive check, because a single position may be an outlier.
  ///   - isFresh: whether the position differs from that of the last check.
  public mutating func update(at now: Instant, travel: Span?, hasArrived: Bool?, isFresh: Bool = true) -> Advice? {
    guard stage < .over, now <= start + Self.grace else { return nil }
    if hasArrived == true {
      absentSince = nil
      let wasTold = stage > .waiting
      // A visitor who passes the place hours before may be elsewhere when it is time to leave.
      guard wasTold || start - now <= margin, Self.confirms(&arrivedSince, at: now, isFresh: isFresh) else { return nil }
      stage = .over
      return wasTold ? .cancelled : nil
    }
    if hasArrived == false { arrivedSince = nil }
    guard let travel, travel >= .zero else { return nil }
    if now >= start {
      guard hasArrived == false, Self.confirms(&absentSince, at: now, isFresh: isFresh) else { return nil }
      stage = .missed
      return .missed
    }
    let left = start - now
    if stage == .advised, advisedTravel == nil { advisedTravel = travel }
    // A visitor who was on the way when the position was lost has walked on.
    let isOnTheWay = hasArrived == nil && advisedTravel.map { travel <= $0 * Self.onTheWay } ?? false
    if left <= travel, stage < .urgent, !isOnTheWay {
      stage = .urgent
      return .leaveAtOnce(travel: travel)
    }
    if left <= travel + margin, stage < .advised {
      (stage, advisedTravel) = (.advised, travel)
      return .leave(travel: travel)
    }
    return nil
  }

  /// Returns whether a check confirms the one at `since`, or stores its own time there.
  private static func confirms(_ since: inout Instant?, at now: Instant, isFresh: Bool) -> Bool {
    if let first = since, now >= first { return now - first >= (isFresh ? confirmation : repetition) }
    since = now
    return false
  }

  /// Returns the time of the next check; nil if there is none.
  ///
  /// While a visitor walks away for a second, the way back grows by a second. A check after half of the time that is left is therefore
  /// never too late. The first check is at the horizon.
  ///
  /// - Parameter travel: as for `update`.
  public func nextCheck(after now: Instant, travel: Span?) -> Instant? {
    guard stage < .over, now <= start + Self.grace else { return nil }
    let first = start - margin - Self.horizon
    if now < first { return first }
    let doubt = now >= start ? absentSince ?? arrivedSince : arrivedSince
    if let doubt, doubt + Self.confirmation > now { return doubt + Self.confirmation }
    // The last checks show whether the visitor is there.
    if now >= start { return now + Self.shortestWaitUnderWay }
    let left = start - now
    guard let travel else { return min(start, now + min(Self.longestWait, max(left * 0.1, Self.shortestWait))) }
    let slack = left - travel - (stage == .waiting ? margin : .zero)
    // Close to the time of advice the check is exact.
    let exact = max(.seconds(1), slack)
    // A visitor who was advised is on the way, and may walk faster than expected.
    let wait =
      switch stage {
      case .waiting: max(slack * 0.5, min(Self.shortestWait, exact))
      case .advised: max(min(slack * 0.5, travel * 0.25), min(Self.shortestWaitUnderWay, exact))
      default: max(travel * 0.25, Self.shortestWaitUnderWay)
      }
    return min(start, now + min(Self.longestWait, wait))
  }
}
