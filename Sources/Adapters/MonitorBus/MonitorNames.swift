import BeaconAdvertising
import DBus

/// What is called how on the bus.
public enum MonitorNames {
  public static let bus = "org.beaconmon.Monitor1"
  public static let root = "/org/beaconmon/Monitor1"
  static let adapter = "org.beaconmon.Monitor1.Adapter"
  static let manager = "org.beaconmon.Monitor1.Manager"
  static let privacy = "org.beaconmon.Monitor1.Privacy"
  static let region = "org.beaconmon.Monitor1.Region"
  static let session = "org.beaconmon.Monitor1.Session"
  static let journalChanged = "JournalChanged"
  static let notAuthorized = "NotAuthorized"
  static let locationServicesDisabled = "LocationServicesDisabled"
  static let errorPrefix = "org.beaconmon.Monitor1.Error."

  /// Where a region of the config lives.
  public static func path(ofRegion identifier: String) -> String { "\(root)/region/\(ObjectPath.element(for: identifier))" }

  /// Where an adapter lives: `…/adapter/00_1A_7D_DA_71_13`.
  static func path(ofAdapter address: BluetoothAddress) -> String {
    "\(root)/adapter/\(String(address.description.map { $0 == ":" ? "_" : $0 }))"
  }

  static func path(ofSession number: UInt32) -> String { "\(sessions)\(number)" }

  /// The number of the session at a path.
  static func session(at path: String) -> UInt32? {
    path.hasPrefix(sessions) ? UInt32(path.dropFirst(sessions.count)) : nil
  }

  private static let sessions = "\(root)/session/"
}
