import Instants

/// What came of one attempt.
public enum DeliveryOutcome: Hashable, Sendable {
  case delivered
  /// It may work later; not before `retryAfter` from now, where the receiver asked for that.
  case failed(String, retryAfter: Span? = nil)
  /// The receiver will never take this one; others may be welcome.
  case refused(String)
}
