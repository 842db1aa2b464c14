import ConfigurationTree
import BeaconAdvertising
import Beacons
import Instants

extension ConfigurationReader {
  /// Reads the transmissions, and returns the valid ones.
  static func transmissions(_ tables: [TableReader]) -> [BeaconTransmission] {
    var transmissions: [BeaconTransmission] = []
    var firstLines: [Sender: SourceLine?] = [:]
    for var table in tables {
      if let transmission = transmission(&table) {
        let sender = Sender(beacon: transmission.beacon.identity, adapter: transmission.adapter)
        if let first = firstLines[sender] {
          table.report(nil, "is a duplicate of the beacon \(table.reference(to: first)); remove one of them")
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
    let measuredPower = table.read(
      "measured-power", as: .power(BeaconTransmission.measuredPowers), default: .integer(Int(BeaconTransmission.defaultMeasuredPower)))
    let adapter = table.read("adapter", as: .address)
    let interval = table.read(
      "interval", as: .duration(BeaconTransmission.intervals), default: .text(BeaconTransmission.defaultInterval.text))
    let transmitPower = table.read("transmit-power", as: .power(BeaconTransmission.transmitPowers))
    guard let uuid, let major, let minor else { return nil }
    let beacon = BeaconPayload(
      identity: BeaconIdentity(uuid: uuid, major: major, minor: minor),
      measuredPower: measuredPower ?? BeaconTransmission.defaultMeasuredPower)
    return BeaconTransmission(
      beacon, adapter: adapter, interval: interval ?? BeaconTransmission.defaultInterval, transmitPower: transmitPower)
  }
}

/// A pair of beacon and adapter: several adapters may send the same beacon, but each only once.
private struct Sender: Hashable {
  let beacon: BeaconIdentity
  let adapter: BluetoothAddress?
}
