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

  /// Of the AdvertisementMonitor1.
  ///
  /// Without RSSISamplingPeriod and thresholds BlueZ 5.66 tells of every report; with any of them it tells of a device once until it is lost.
  var monitorProperties: [(name: String, value: DBusValue)] {
    // Start of the pattern, AD type, octets: Manufacturer specific data that begins with Apple's company and the iBeacon's type and length.
    let iBeacon = DBusValue.structure([.byte(0), .byte(0xFF), .bytes([0x4C, 0x00, 0x02, 0x15])])
    let properties = [(name: "Type", value: DBusValue.string("or_patterns")), ("Patterns", .array(of: "(yyay)", [iBeacon]))]
    return self == .hearing ? properties : properties + [("RSSISamplingPeriod", .uint16(0))]
  }
}
