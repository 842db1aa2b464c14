/// Why something does not work, and what to do about it. Core Location's CLError.
public struct LocationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Those of CLError.Code that can happen here, and why there may be no location at all.
  public enum Code: String, Hashable, Sendable {
    /// Nobody allowed it, somebody said no, or location services are off.
    case denied
    /// No source knows where the device is. They go on trying, so this is for now.
    case locationUnknown
    /// A request's time was up, and no source knew where the device is.
    case timeout
    /// The service's config has no source of locations. Updates begin by themselves when it has one.
    case noLocationSource
    /// The service cannot be reached.
    case network
    /// As `denied`, of a region.
    case regionMonitoringDenied
    /// The service cannot monitor this region: too many of them, or a value that it cannot have.
    case regionMonitoringFailure
    /// The service cannot range this constraint: too many of them.
    case rangingFailure
  }

  public let code: Code
  /// For people.
  public let message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }
}
