import Beacons

/// An advertisement that another program has extracted from its HCI event, to be encoded as an event again.
public struct AdvertisingReport: Hashable, Sendable {
  public var address: BluetoothAddress
  /// Whether the address is random; false for a public address, which IEEE assigned.
  public var isRandom: Bool
  /// The RSSI in dBm.
  public var rssi: Int8?
  /// The AD structures, cut to `FragmentJoiner.longestAdvertisement` octets.
  public var data: [UInt8]

  public init(address: BluetoothAddress, isRandom: Bool, rssi: Int8?, data: [UInt8]) {
    self.address = address
    self.isRandom = isRandom
    self.rssi = rssi
    self.data = data
  }

  /// Creates a report of a sighting, which has no address: each beacon gets a random static address of its own.
  public init(_ sighting: Sighting) {
    var hash = SipHash(key: (0, 0))
    hash.absorb(sighting.beacon.uuid.high)
    hash.absorb(sighting.beacon.uuid.low)
    hash.absorb(UInt64(sighting.beacon.major) << 16 | UInt64(sighting.beacon.minor))
    address = BluetoothAddress(value: hash.value | 0xC000_0000_0000)
    isRandom = true
    rssi = sighting.rssi
    data = BeaconPayload(identity: sighting.beacon, measuredPower: sighting.measuredPower, format: sighting.format).structure
  }
}
