import Instants

/// The result of one attempt.
public enum DeliveryOutcome: Hashable, Sendable {
  case delivered
  /// A failure that may be temporary. The receiver may ask for a pause of `retryAfter` from now.
  case failed(String, retryAfter: Span? = nil)
  /// A permanent refusal of this delivery; the receiver may accept others.
  case refused(String)
}
