import Beacons

/// Pseudonyms for the addresses of devices.
/// The same address and key always give the same pseudonym. Without the key, a pseudonym cannot be traced to its address.
struct AddressPseudonyms {
  private let key: (UInt64, UInt64)

  init(key: (UInt64, UInt64)) {
    self.key = key
  }

  /// Returns the pseudonym of an address, which has the same type as the address.
  /// A random address keeps its two highest bits, which say whether it is static, resolvable or neither (Core Specification 5.4, Volume
  /// 6, Part B, 1.3.2). A public address becomes one that IEEE never assigns: locally administered, and unicast (IEEE 802, 8.4).
  func pseudonym(of address: BluetoothAddress, isRandom: Bool) -> BluetoothAddress {
    var hash = SipHash(key: key)
    hash.absorb(address.value | (isRandom ? 1 << 48 : 0))
    let kindBits: UInt64 = isRandom ? 0xC000_0000_0000 : 0x0300_0000_0000
    let kind = isRandom ? address.value & kindBits : 0x0200_0000_0000
    return BluetoothAddress(value: hash.value & ~kindBits | kind)
  }

  /// Returns the pseudonym of an address type and the address after it, both in HCI format.
  /// Resolved addresses (types 2 and 3) count as the identity addresses that they are resolved to.
  func pseudonym(ofTyped octets: [UInt8]) -> [UInt8] {
    let type = octets[0]
    return [type] + pseudonym(of: BluetoothAddress(reversed: octets[1...]), isRandom: type & 1 == 1).reversedOctets
  }
}
