import DBus

/// The names of the bus interface of beaconmon-notifier for shares of positions.
public enum SharingNames {
  public static let bus = "org.beaconmon.Sharing1"
  public static let path = "/org/beaconmon/Sharing1"
  public static let interface = "org.beaconmon.Sharing1"
  public static let changed = "Changed"
}

/// The errors of the interface for shares, by their names after the common prefix.
public enum SharingErrorName: String, CaseIterable, Sendable {
  case invalidShare = "InvalidShare"
  case noHub = "NoHub"
  case noSuchShare = "NoSuchShare"
  case notStored = "NotStored"
  case tooManyShares = "TooManyShares"

  fileprivate static let prefix = "org.beaconmon.Sharing1.Error."
}

extension DBusError {
  /// Returns an error of the interface for shares.
  public static func sharing(_ error: SharingErrorName, _ message: String) -> DBusError {
    DBusError(name: SharingErrorName.prefix + error.rawValue, message: message)
  }

  /// The error of the interface for shares; nil for an error of the bus itself, or of a later version.
  public var sharingError: SharingErrorName? {
    guard name.hasPrefix(SharingErrorName.prefix) else { return nil }
    return SharingErrorName(rawValue: String(name.dropFirst(SharingErrorName.prefix.count)))
  }
}
