import DBus

/// The errors of the bus interface, by their names after the common prefix.
public enum MonitorError: String, CaseIterable, Sendable {
  case ambiguousPlace = "AmbiguousPlace"
  case cancelled = "Cancelled"
  case headingDisturbed = "HeadingDisturbed"
  case headingUnavailable = "HeadingUnavailable"
  case invalidConfiguration = "InvalidConfiguration"
  case invalidConstraint = "InvalidConstraint"
  case invalidOptions = "InvalidOptions"
  case invalidRegion = "InvalidRegion"
  case invalidSocket = "InvalidSocket"
  case invalidVenue = "InvalidVenue"
  case journalChanged = "JournalChanged"
  case journalUnreadable = "JournalUnreadable"
  case limitsExceeded = "LimitsExceeded"
  case locationServicesDisabled = "LocationServicesDisabled"
  case locationUnknown = "LocationUnknown"
  case missingCapability = "MissingCapability"
  case noAppID = "NoAppId"
  case noBeaconSource = "NoBeaconSource"
  case noHeadingSource = "NoHeadingSource"
  case noLocationSource = "NoLocationSource"
  case noRoute = "NoRoute"
  case noSuchAppointment = "NoSuchAppointment"
  case noSuchLevel = "NoSuchLevel"
  case noSuchPlace = "NoSuchPlace"
  case noSuchRevision = "NoSuchRevision"
  case noSuchVenue = "NoSuchVenue"
  case notAuthorized = "NotAuthorized"
  case notEditable = "NotEditable"
  case notGuiding = "NotGuiding"
  case notHearing = "NotHearing"
  case notMonitoring = "NotMonitoring"
  case notRanging = "NotRanging"
  case notRegistered = "NotRegistered"
  case notUpdatingHeading = "NotUpdatingHeading"
  case notUpdatingLocation = "NotUpdatingLocation"
  case staleRevision = "StaleRevision"
  /// The session of a client has ended; the client reports it, and never the daemon.
  case stopped = "Stopped"
  case storageFailed = "StorageFailed"

  private static let prefix = "org.beaconmon.Monitor1.Error."

  /// Returns the error with a name on the bus; nil for an error of the bus itself, or of a later version.
  public init?(name: String) {
    guard name.hasPrefix(Self.prefix) else { return nil }
    self.init(rawValue: String(name.dropFirst(Self.prefix.count)))
  }

  /// The name on the bus, such as `org.beaconmon.Monitor1.Error.NoRoute`.
  public var name: String { Self.prefix + rawValue }
}

extension DBusError {
  /// Returns an error of the interface.
  public static func monitor(_ error: MonitorError, _ message: String) -> DBusError { DBusError(name: error.name, message: message) }

  /// The error of the interface; nil for an error of the bus itself, or of a later version.
  public var monitorError: MonitorError? { MonitorError(name: name) }
}
