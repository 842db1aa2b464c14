/// What stays of a Bluetooth adapter when the kernel numbers it anew. Written `00:1A:7D:DA:71:13`.
public struct BluetoothAddress: Hashable, Sendable {
  /// 48 bits: the octet that is written first is the most significant one.
  private let value: UInt64

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

  /// What an adapter has for a moment after it was plugged in.
  public var isZero: Bool { value == 0 }

  /// In the kernel's and the controllers' order: the octet that is written last comes first. More than six are not looked at.
  public init(reversed octets: some BidirectionalCollection<UInt8>) {
    value = octets.prefix(6).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension BluetoothAddress: CustomStringConvertible {
  public var description: String {
    (0..<6).map { index in
      let octet = value >> UInt64(40 - 8 * index) & 0xFF
      return (octet < 16 ? "0" : "") + String(octet, radix: 16, uppercase: true)
    }.joined(separator: ":")
  }
}
