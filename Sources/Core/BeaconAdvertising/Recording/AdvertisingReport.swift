/// An advertisement that somebody else has taken out of its HCI event, to be put into one again.
public struct AdvertisingReport: Hashable, Sendable {
  public var address: BluetoothAddress
  /// False for a public address, which IEEE assigned.
  public var isRandom: Bool
  /// In dBm.
  public var rssi: Int8?
  /// AD structures. At most `FragmentJoiner.longestAdvertisement` octets of them are kept.
  public var data: [UInt8]

  public init(address: BluetoothAddress, isRandom: Bool, rssi: Int8?, data: [UInt8]) {
    self.address = address
    self.isRandom = isRandom
    self.rssi = rssi
    self.data = data
  }

  /// Of a sighting, which has no address: each beacon gets a random static one of its own.
  public init(_ sighting: Sighting) {
    var hash = SipHash(key: (0, 0))
    hash.absorb(sighting.beacon.uuid.high)
    hash.absorb(sighting.beacon.uuid.low)
    hash.absorb(UInt64(sighting.beacon.major) << 16 | UInt64(sighting.beacon.minor))
    address = BluetoothAddress(value: hash.value | 0xC000_0000_0000)
    isRandom = true
    rssi = sighting.rssi
    data = IBeacon(identity: sighting.beacon, measuredPower: sighting.measuredPower).structure
  }
}
