import Failures
import Instants
import Scheduling

/// Decides when a program that follows guidance ends.
///
/// It ends at the destination, when the daemon ends the guidance, and after a time without any route.
public final class GuidanceWatch {
  /// The time without any route after which the program ends; the daemon searches every five seconds.
  static let patience = Span.seconds(12)

  /// The receiver of the end, which is called once; with nil at the destination.
  public var onEnd: (Failure?) -> Void = { _ in }
  /// Whether the guidance has ended, so that nothing else matters.
  public private(set) var isOver = false

  private let scheduler: any Scheduler
  private var hasRoute = false
  /// The reason why the last position had no route; nil if it had one, or there is no position.
  private var noRoute: Failure?
  private var giveUp: (any SchedulerTimer)?

  public init(_ scheduler: any Scheduler) {
    self.scheduler = scheduler
    giveUp = scheduler.timer { [unowned self] in if !hasRoute, let noRoute { end(noRoute) } }
  }

  /// Call when guidance leads along a route. Later positions without a route do not end the program.
  public func noteRoute() { (hasRoute, noRoute) = (true, nil) }

  /// Call when the daemon cannot guide from the present position.
  ///
  /// - Parameter isLackOfRoute: whether the position is known, and has no route.
  public func noteFailure(_ failure: Failure, isLackOfRoute: Bool) {
    noRoute = isLackOfRoute ? failure : nil
    // One inaccurate position may be beside the floor.
    if !hasRoute, isLackOfRoute { giveUp?.arm(at: scheduler.now + Self.patience) }
  }

  /// Call when the daemon ends the guidance, with its reason as on the bus.
  public func noteEnd(_ reason: String, _ message: String) {
    switch reason {
    case "arrived": end(nil)
    case "notAuthorized": end(Failure(.noPermission, message))
    case "noLocationSource": end(Failure(.unavailable, message))
    default: end(Failure(.temporaryFailure, message))
    }
  }

  private func end(_ failure: Failure?) {
    guard !isOver else { return }
    isOver = true
    onEnd(failure)
  }
}
