import Beacons
import DBus
import Numerals

/// The names of the bus interface: its bus name, paths and interfaces.
public enum MonitorNames {
  public static let bus = "org.beaconmon.Monitor1"
  public static let root = "/org/beaconmon/Monitor1"
  public static let adapter = "org.beaconmon.Monitor1.Adapter"
  public static let manager = "org.beaconmon.Monitor1.Manager"
  public static let privacy = "org.beaconmon.Monitor1.Privacy"
  public static let region = "org.beaconmon.Monitor1.Region"
  public static let session = "org.beaconmon.Monitor1.Session"
  public static let venue = "org.beaconmon.Monitor1.Venue"

  /// Returns the path of a configured region.
  public static func path(ofRegion identifier: String) -> String { "\(root)/region/\(ObjectPath.element(for: identifier))" }

  /// Returns the path of an adapter: `…/adapter/00_1A_7D_DA_71_13`.
  public static func path(ofAdapter address: BluetoothAddress) -> String {
    "\(root)/adapter/\(String(address.description.map { $0 == ":" ? "_" : $0 }))"
  }

  /// - Parameter token: letters and digits.
  public static func path(ofSession token: String) -> String { "\(sessions)\(token)" }

  /// Returns a new path that no other client can guess and that does not reveal the number of sessions.
  public static func newSessionPath() -> String {
    var random = SystemRandomNumberGenerator()
    let token = (0..<2).map { _ in Hexadecimal.digits(random.next()) }
    return path(ofSession: token.joined())
  }

  private static let sessions = "\(root)/session/"
}
