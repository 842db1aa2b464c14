import BeaconAdvertising
import DBus

/// What one signal about a device says that was just heard of it; properties that are only remembered are not reports.
struct DeviceReport: Equatable {
  /// In dBm. Nil when the signal has none, or an impossible one (above +20).
  var rssi: Int8?
  /// Nil when the signal does not tell it anew: the device still sends what it sent before.
  var content: Content?

  struct Content: Equatable {
    /// The most telling of the companies' data.
    var kind: AdvertisementKind
    var malformed: MalformedReason?
    var beacon: IBeacon?
  }

  /// Of Device1's properties, `a{sv}`, in PropertiesChanged or in InterfacesAdded. Nil when they tell of nothing heard: a name that was
  /// resolved, a connection, or a device that BlueZ remembers from its files.
  init?(_ properties: DBusValue, isNew: Bool) {
    let level: Int? = properties["RSSI"]?.integer()
    let data = properties["ManufacturerData"]
    guard level != nil || data != nil && !isNew else { return nil }
    let strongest = 20
    rssi = level.flatMap { $0 <= strongest ? Int8(exactly: $0) : nil }
    content = data.map(Content.init(companies:)) ?? (isNew ? Content(kind: .other) : nil)
  }
}

extension DeviceReport.Content {
  init(kind: AdvertisementKind) {
    self.kind = kind
  }

  /// What a device sent when it was last heard, of its properties `a{sv}`; nil when BlueZ does not know.
  init?(_ properties: DBusValue) {
    guard let companies = properties["ManufacturerData"] else { return nil }
    self.init(companies: companies)
  }

  /// `a{qv}`: company to what follows its two octets.
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

// MARK: Back into AD structures

extension DeviceReport {
  /// What of an advertisement can be told from Device1's properties: its manufacturer specific data. Nil when they tell none anew.
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
  /// Of `/org/bluez/hci0/dev_00_1A_7D_DA_71_13`.
  init?(devicePath path: String) {
    guard let name = path.split(separator: "/").last, name.hasPrefix("dev_") else { return nil }
    self.init(String(name.dropFirst(4).map { $0 == "_" ? ":" : $0 }))
  }
}
