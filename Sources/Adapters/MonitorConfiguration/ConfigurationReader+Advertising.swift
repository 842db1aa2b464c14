import BeaconAdvertising

extension ConfigurationReader {
  /// Those that are right.
  static func transmissions(_ tables: [TableReader]) -> [BeaconTransmission] {
    var transmissions: [BeaconTransmission] = []
    var firstLines: [Sender: Int] = [:]
    for var table in tables {
      if let transmission = transmission(&table) {
        let sender = Sender(beacon: transmission.beacon.identity, adapter: transmission.adapter)
        if let first = firstLines[sender] {
          table.report(nil, "is a duplicate of the beacon in line \(first); remove one of them")
        } else {
          firstLines[sender] = table.line
          transmissions.append(transmission)
        }
      }
      table.finish()
    }
    return transmissions
  }

  private static func transmission(_ table: inout TableReader) -> BeaconTransmission? {
    let uuid = table.require("uuid", as: .uuid)
    let major = table.require("major", as: .short)
    let minor = table.require("minor", as: .short)
    let measuredPower = table.read("measured-power", as: .power(BeaconTransmission.measuredPowers))
    let adapter = table.read("adapter", as: .address)
    let interval = table.read("interval", as: .duration(BeaconTransmission.intervals))
    let transmitPower = table.read("transmit-power", as: .power(BeaconTransmission.transmitPowers))
    guard let uuid, let major, let minor else { return nil }
    let beacon = IBeacon(
      identity: BeaconIdentity(uuid: uuid, major: major, minor: minor),
      measuredPower: measuredPower ?? BeaconTransmission.defaultMeasuredPower)
    return BeaconTransmission(
      beacon, adapter: adapter, interval: interval ?? BeaconTransmission.defaultInterval, transmitPower: transmitPower)
  }
}

/// The same beacon may be sent by several adapters, but once by each.
private struct Sender: Hashable {
  let beacon: BeaconIdentity
  let adapter: BluetoothAddress?
}
