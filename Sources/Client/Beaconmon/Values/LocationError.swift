/// A reason why a request fails, with its remedy. Core Location's CLError.
public struct LocationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The codes of CLError.Code that occur on Linux, and reasons for a missing location.
  public enum Code: String, Hashable, Sendable {
    /// No consent yet, a denial by the user, or location services that are off.
    case denied
    /// No source knows the location at the moment; the sources keep trying.
    case locationUnknown
    /// A request timed out, and no source knew the location.
    case timeout
    /// The service's config has no source of locations. Updates begin automatically when it has one.
    case noLocationSource
    /// The service is unavailable.
    case network
    /// Monitoring of a region is denied, for one of the reasons of `denied`.
    case regionMonitoringDenied
    /// The service cannot monitor this region: there are too many, or a value is invalid.
    case regionMonitoringFailure
    /// The service cannot range this constraint: there are too many.
    case rangingFailure
    /// No direction: no source, a magnet near the device, or a sensor that fails.
    case headingFailure
    /// The device lacks a capability that the program requires. The message names each, and what to do.
    /// The request starts by itself when the hardware has come, unless it is for a single location.
    case missingCapability
    /// No such destination, or no route to it.
    case routeFailure
    /// No such place for an appointment, several of the name, or too many appointments of the manager.
    case appointmentFailure
  }

  public let code: Code
  /// The human-readable reason and remedy.
  public let message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }
}
