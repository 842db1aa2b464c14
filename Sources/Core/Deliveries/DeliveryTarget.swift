/// Somewhere that events go.
public protocol DeliveryTarget: AnyObject {
  /// Makes one attempt. `completion` is called once, never from inside this call, and not at all when the target is released first.
  func deliver(_ delivery: Delivery, completion: @escaping (DeliveryOutcome) -> Void)
}
