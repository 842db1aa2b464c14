import FoundationEssentials

/// The availability of the service. After an outage, the manager reconnects and repeats its requests.
public enum ServiceStatus: Hashable, Sendable {
  /// The first connection is not made yet.
  case connecting
  /// The service is available.
  ///
  /// `after` is the preceding time in which it was unavailable, or in which the program missed events; nil the first time.
  case available(after: ServiceGap?)
  /// The service is unavailable, for this reason.
  case away(LocationError)
}

/// A time in which the program missed events. The changes of state during the gap follow it.
public struct ServiceGap: Hashable, Sendable {
  public enum Cause: Hashable, Sendable {
    /// The service or its bus was unavailable.
    case serviceLost
    /// The program was too slow: more than 256 events waited.
    case notTaken
  }

  public let from: Date
  public let to: Date
  public let cause: Cause
}
