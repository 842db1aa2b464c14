/// Somewhere that events go.
public protocol DeliveryTarget: AnyObject {
  /// Makes one attempt. `completion` is called once, never from inside this call, and not at all when the target is released first.
  func deliver(_ delivery: Delivery, completion: @escaping (DeliveryOutcome) -> Void)
}

/// One that knows when it can be reached again.
public protocol ReturningTarget: DeliveryTarget {
  /// Called from the loop once it can, after an attempt failed because it could not be.
  var onReturn: () -> Void { get set }
}
