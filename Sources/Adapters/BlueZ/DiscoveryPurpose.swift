import DBus

/// The purpose of a discovery.
public enum DiscoveryPurpose: Sendable {
  /// The source receives beacons from bluetoothd's signals about devices.
  case hearing
  /// The controllers scan, and another source takes their packets; bluetoothd signals as little as possible.
  case scanning

  /// The filter for SetDiscoveryFilter, `a{sv}`.
  var filter: DBusValue {
    switch self {
    // An RSSI filter makes BlueZ signal each RSSI, so this one accepts all. DuplicateData makes BlueZ signal data again.
    case .hearing: .options(["Transport": .string("le"), "DuplicateData": .boolean(true), "RSSI": .int16(-127)])
    case .scanning: .options(["Transport": .string("le")])
    }
  }

  /// The properties of the AdvertisementMonitor1.
  ///
  /// Without RSSISamplingPeriod and thresholds BlueZ 5.66 signals every report. With any of them it signals a device once until it is
  /// lost.
  var monitorProperties: [(name: String, value: DBusValue)] {
    // Start of the pattern, AD type, octets: manufacturer specific data that begin with Apple's company and the iBeacon's type and length,
    // or that have the AltBeacon's code after any company.
    let iBeacon = DBusValue.structure([.byte(0), .byte(0xFF), .bytes([0x4C, 0x00, 0x02, 0x15])])
    let altBeacon = DBusValue.structure([.byte(2), .byte(0xFF), .bytes([0xBE, 0xAC])])
    let patterns = DBusValue.array(of: "(yyay)", [iBeacon, altBeacon])
    let properties = [(name: "Type", value: DBusValue.string("or_patterns")), ("Patterns", patterns)]
    return self == .hearing ? properties : properties + [("RSSISamplingPeriod", .uint16(0))]
  }
}
