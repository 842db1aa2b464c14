import Events
import Instants

/// The delivery of one event to one target.
public struct Delivery: Hashable, Sendable {
  /// The place in the target's queue; later deliveries have larger ids.
  public let id: Int64
  /// An id that is unique to the event and the same for every attempt, even after a crash.
  /// A receiver that stores it recognises a repetition.
  public let message: String
  public let event: Event
  /// The event at the time of queueing, as one line. A signature covers these octets.
  public let json: String
  /// The target's time after which a failure is final.
  public let deadline: Instant
  /// The target's time after which the event is too old to be of use.
  public let expiry: Instant
  /// Whether the delivery was sent by hand to test the target; it must have no lasting effect.
  public let isTest: Bool

  public init(
    id: Int64, message: String, event: Event, json: String, deadline: Instant = .never, expiry: Instant = .never, isTest: Bool = false
  ) {
    self.id = id
    self.message = message
    self.event = event
    self.json = json
    self.deadline = deadline
    self.expiry = expiry
    self.isTest = isTest
  }

  public var region: String { event.region ?? "" }

  /// The event in the log, such as `event 12 (enter entrance)`.
  public var name: String { "event \(event.sequence) (\(event.kind?.rawValue ?? "?") \(event.region ?? event.alert?.rawValue ?? "?"))" }
}

/// A destination for events.
public protocol DeliveryTarget: AnyObject {
  /// Makes one attempt.
  /// `completion` is called once, never from inside this call, and not at all if the target is released first.
  func deliver(_ delivery: Delivery, completion: @escaping (DeliveryOutcome) -> Void)
}

/// A target that knows when it can be reached again.
public protocol ReturningTarget: DeliveryTarget {
  /// A callback from the loop when the target can be reached again, after an attempt failed because it could not.
  var onReturn: () -> Void { get set }
}

/// The result of one attempt.
public enum DeliveryOutcome: Hashable, Sendable {
  case delivered
  /// A failure that may be temporary. The receiver may ask for a pause of `retryAfter` from now.
  case failed(String, retryAfter: Span? = nil)
  /// A permanent refusal of this delivery; the receiver may accept others.
  case refused(String)
}
