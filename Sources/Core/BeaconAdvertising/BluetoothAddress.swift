/// Who a device says it is, or what stays of an adapter when the kernel numbers it anew. Written `00:1A:7D:DA:71:13`.
public struct BluetoothAddress: Hashable, Sendable {
  /// 48 bits: the octet that is written first is the most significant one.
  let value: UInt64

  /// Nil for anything but six pairs of hexadecimal digits with colons between them; their case does not matter.
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

  /// In the kernel's and the controllers' order: the octet that is written last comes first. More than six are not looked at.
  public init(reversed octets: some BidirectionalCollection<UInt8>) {
    value = octets.prefix(6).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Only the lower 48 bits count.
  init(value: UInt64) {
    self.value = value & 0xFFFF_FFFF_FFFF
  }

  /// Six, in the same order.
  public var reversedOctets: [UInt8] { (0..<6).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) } }

  /// What an adapter has for a moment after it was plugged in.
  public var isZero: Bool { value == 0 }
}

extension BluetoothAddress: CustomStringConvertible {
  public var description: String {
    reversedOctets.reversed().map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: ":")
  }
}
