import BeaconAdvertising
import Beacons
import DBus

/// The new content of one signal about a device that was just received.
/// Properties that BlueZ only remembers are not updates.
struct DeviceUpdate: Equatable {
  /// The RSSI in dBm; nil if the signal has none, or an impossible one (above +20).
  var rssi: Int8?
  /// The content; nil if the signal does not repeat it: the device still sends the previous content.
  var content: Content?

  struct Content: Equatable {
    /// The kind of the most informative of the companies' data.
    var kind: AdvertisementKind
    var malformed: MalformedReason?
    var beacon: BeaconPayload?
  }

  /// Parses Device1's properties, `a{sv}`, from PropertiesChanged or InterfacesAdded.
  /// It returns nil if they carry no received update: a resolved name, a connection, or a device that BlueZ remembers from its files.
  init?(_ properties: DBusValue, isNew: Bool) {
    let level: Int? = properties["RSSI"]?.integer()
    let data = properties["ManufacturerData"]
    guard level != nil || data != nil && !isNew else { return nil }
    let strongest = 20
    rssi = level.flatMap { $0 <= strongest ? Int8(exactly: $0) : nil }
    content = data.map(Content.init(companies:)) ?? (isNew ? Content(kind: .other) : nil)
  }
}

extension DeviceUpdate.Content {
  init(kind: AdvertisementKind) {
    self.kind = kind
  }

  /// Parses the last content of a device from its properties `a{sv}`; nil if BlueZ does not know it.
  init?(_ properties: DBusValue) {
    guard let companies = properties["ManufacturerData"] else { return nil }
    self.init(companies: companies)
  }

  /// Parses `a{qv}`: each company and the data after its two octets.
  fileprivate init(companies: DBusValue) {
    self.init(kind: .empty)
    for entry in companies.entries ?? [] {
      guard let company: UInt16 = entry.key.integer(), let payload = entry.value.bytes else { continue }
      let data = ManufacturerData(company: company, payload: payload)
      if data.kind.rawValue > kind.rawValue { kind = data.kind }
      malformed = malformed ?? data.malformed
      beacon = beacon ?? data.beacon
    }
  }
}

// MARK: Conversion to AD structures

extension DeviceUpdate {
  /// Returns the manufacturer specific data of Device1's properties as AD structures; nil if there is no new data.
  /// The properties lack the rest of the advertisement.
  static func advertisingData(_ properties: DBusValue) -> [UInt8]? {
    properties["ManufacturerData"]?.entries.map { companies in
      companies.reduce(into: []) { data, entry in
        guard let company: UInt16 = entry.key.integer(), let payload = entry.value.bytes else { return }
        data += ManufacturerData.structure(company: company, payload: payload)
      }
    }
  }
}

extension BluetoothAddress {
  /// Parses the address in a path such as `/org/bluez/hci0/dev_00_1A_7D_DA_71_13`.
  init?(devicePath path: String) {
    guard let name = path.split(separator: "/").last, name.hasPrefix("dev_") else { return nil }
    self.init(String(name.dropFirst(4).map { $0 == "_" ? ":" : $0 }))
  }
}
