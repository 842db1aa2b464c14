import Numerals

/// The address of a device or an adapter, written `00:1A:7D:DA:71:13`.
/// A device chooses its own address. The address of an adapter stays when the kernel renumbers it.
public struct BluetoothAddress: Hashable, Sendable {
  /// The 48 bits; the octet that is written first is the most significant one.
  public let value: UInt64

  /// Parses six pairs of hexadecimal digits, in upper or lower case, separated by colons.
  /// Returns nil for any other text.
  public init?(_ text: some StringProtocol) {
    let octets = text.split(separator: ":", omittingEmptySubsequences: false)
    guard octets.count == 6 else { return nil }
    var value: UInt64 = 0
    for octet in octets {
      guard octet.utf8.count == 2, octet.allSatisfy(\.isHexDigit), let number = UInt64(octet, radix: 16) else { return nil }
      value = value << 8 | number
    }
    self.value = value
  }

  /// Creates an address from octets in the order of the kernel and the controllers.
  /// The octet that is written last comes first. Octets after the sixth are ignored.
  public init(reversed octets: some BidirectionalCollection<UInt8>) {
    value = octets.prefix(6).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Creates an address from the lower 48 bits.
  @inlinable
  public init(value: UInt64) {
    self.value = value & 0xFFFF_FFFF_FFFF
  }

  /// The six octets in the same order.
  public var reversedOctets: [UInt8] { (0..<6).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) } }

  /// The last four octets, by which sightings tell transmitters apart.
  @inlinable
  public var transmitter: UInt32 { UInt32(truncatingIfNeeded: value) }

  /// Whether the address is zero, as it is for a moment after an adapter is plugged in.
  public var isZero: Bool { value == 0 }
}

extension BluetoothAddress: CustomStringConvertible {
  public var description: String {
    reversedOctets.reversed().map { Hexadecimal.digits(of: $0, uppercase: true) }.joined(separator: ":")
  }
}
