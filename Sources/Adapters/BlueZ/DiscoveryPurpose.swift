import DBus

/// What discovery is for.
public enum DiscoveryPurpose: Sendable {
  /// What bluetoothd signals of devices is what is heard.
  case hearing
  /// The controllers are to scan, and somebody else takes their packets: bluetoothd is asked to say as little as it can.
  case scanning

  /// `a{sv}` for SetDiscoveryFilter.
  var filter: DBusValue {
    switch self {
    // Any RSSI at all: asking for one is what makes BlueZ signal each of them, and duplicates are what makes it signal data again.
    case .hearing: .options(["Transport": .string("le"), "DuplicateData": .boolean(true), "RSSI": .int16(-127)])
    case .scanning: .options(["Transport": .string("le")])
    }
  }
}
