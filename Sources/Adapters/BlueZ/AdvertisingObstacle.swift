import Beacons
import DBus

/// The reason why a beacon is not sent; adapters are named by address.
public enum AdvertisingObstacle: Hashable, Sendable {
  /// The bus is unavailable.
  case noBus(DBusError)
  /// bluetoothd does not run: the name org.bluez has no owner.
  case noService
  /// No adapter is available, or not the one with this address.
  case noAdapter(BluetoothAddress?)
  case off(BluetoothAddress)
  /// rfkill blocks the adapter.
  case blocked(BluetoothAddress)
  /// The adapter has no Low Energy, or BlueZ no interface for advertising.
  case incapable(BluetoothAddress)
  /// Every advertising instance of the adapter is taken.
  case full(BluetoothAddress)
  /// The bus denies the request.
  case denied(DBusError)
  /// The adapter scans, and must stop for a moment before the advertisement can begin.
  case scanning(BluetoothAddress)
  case refused(BluetoothAddress, DBusError)
}

extension AdvertisingObstacle: CustomStringConvertible {
  /// The fault and its remedy, on one line.
  public var description: String { text(namesSystemctl: true) }

  /// Returns the fault and its remedy, on one line.
  ///
  /// - Parameter namesSystemctl: false for a user whose daemon is not a service of the system.
  public func text(namesSystemctl: Bool) -> String {
    switch self {
    case .noBus(let reason): "\(reason.message); start the system bus, which BlueZ requires"
    case .noService: Self.absence(namesSystemctl: namesSystemctl)
    case .noAdapter(nil): "there is no Bluetooth adapter; plug one in"
    case .noAdapter(let address?): "there is no adapter \(address); plug it in, or select one that \"bluetoothctl list\" shows"
    case .off(let address): "adapter \(address) is off; switch it on with \"bluetoothctl power on\""
    case .blocked(let address): "adapter \(address) is blocked; unblock it with \"rfkill unblock bluetooth\""
    case .incapable(let address):
      "adapter \(address) cannot advertise, because it lacks Low Energy or BlueZ is too old; use another adapter or a newer BlueZ"
    case .full(let address): "adapter \(address) has no room for another advertisement; stop another program that advertises"
    case .denied(let reason):
      "the bus does not let this user advertise: \(reason.message); run it as root, or as a user with permission to call org.bluez"
    case .scanning(let address):
      "adapter \(address) cannot start advertising while it scans; stop the scan for a moment, or use [[advertise]] in beaconmon.toml"
    case .refused(let address, let reason): "BlueZ cannot advertise with \(address): \(reason)"
    }
  }

  /// Returns the message that bluetoothd does not run, with the remedy.
  public static func absence(namesSystemctl: Bool) -> String {
    "bluetoothd is not running; start \(namesSystemctl ? "it with \"systemctl start bluetooth\"" : "the service bluetooth as root")"
  }
}
