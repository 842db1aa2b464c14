import FoundationEssentials

/// Whether the service is there. It comes back by itself, and with it everything that was asked for.
public enum ServiceStatus: Hashable, Sendable {
  /// Nothing is known yet.
  case connecting
  /// It works. `after` is the time before in which it did not, or in which more happened than was taken; nil at the first time.
  case available(after: ServiceGap?)
  /// It cannot be reached, for this reason.
  case away(LocationError)
}

/// A time in which something happened that was not told. What changed in it comes after it as a change of state.
public struct ServiceGap: Hashable, Sendable {
  public enum Cause: Hashable, Sendable {
    /// The service or its bus was away.
    case serviceLost
    /// This program did not take what it was told: more than 256 events waited.
    case notTaken
  }

  public let from: Date
  public let to: Date
  public let cause: Cause
}
