import BeaconAdvertising
import DBus
import Instants

/// The object that BlueZ reads to advertise for this program (org.bluez.LEAdvertisement(5)); only this bluetoothd sees it.
///
/// It is of type "broadcast": other devices cannot connect to it, and the kernel sends it from a random address.
final class AdvertisementObject {
  let path: String
  private var object: ExportedObject?

  /// Exports the object at `path`, which may hold one at a time; releasing this value removes it.
  init(
    _ tree: ObjectTree, path: String, for service: String, _ transmission: BeaconTransmission, onRelease: @escaping () -> Void
  ) throws(DBusError) {
    self.path = path
    let release = DBusMethod("Release") { _ in
      onRelease()
      return []
    }
    let properties = Self.properties(of: transmission).map { name, value in
      DBusProperty(name, value.signature, change: .constant) { value }
    }
    object = try tree.export(
      path, [DBusInterface(BlueZName.advertisement, methods: [release], properties: properties)], for: .only(service))
  }

  private static func properties(of transmission: BeaconTransmission) -> [(name: String, value: DBusValue)] {
    let data = DBusValue.Entry(.uint16(transmission.beacon.company), .variant(.bytes(transmission.beacon.payload)))
    let interval = UInt32(clamping: transmission.interval.microseconds / 1000)
    var properties: [(name: String, value: DBusValue)] = [
      ("Type", .string("broadcast")),
      ("ManufacturerData", .dictionary(key: "q", value: "v", [data])),
      // BlueZ needs both or neither.
      ("MinInterval", .uint32(interval)),
      ("MaxInterval", .uint32(interval)),
    ]
    if let power = transmission.transmitPower { properties.append(("TxPower", .int16(Int16(power)))) }
    return properties
  }
}
