import Instants

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
