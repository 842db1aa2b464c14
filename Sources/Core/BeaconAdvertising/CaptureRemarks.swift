/// What a Linux monitor capture says of its controllers, and to people. BlueZ, `struct btsnoop_opcode_new_index` and `btsnoop_opcode_index_info`.
struct CaptureRemarks {
  /// More than any machine has; a capture that names more is not believed.
  private static let most = 64

  private var addresses: [UInt16: BluetoothAddress] = [:]
  private var names: [UInt16: String] = [:]
  /// The last one; what is longer than `longestNote` octets is cut.
  private(set) var note: String?
  private static let longestNote = 256

  /// The address where one is known, else the name; nil for a controller that the capture does not introduce.
  func adapterName(_ adapter: UInt16) -> String? { addresses[adapter].map(\.description) ?? names[adapter] }

  /// A record that is no packet of a controller.
  mutating func take(_ record: BtsnoopRecord, _ bytes: RawSpan, in range: Range<Int>) {
    let adapter = UInt16(record.flags >> 16)
    let octets = bytes.extracting(range).withUnsafeBytes { Array($0.prefix(Self.longestNote)) }
    let isNamed = names.count < Self.most || names[adapter] != nil
    switch BtsnoopEncoder.Opcode(rawValue: UInt16(truncatingIfNeeded: record.flags)) {
    case .note:
      note = String(decoding: octets.prefix { $0 != 0 }, as: UTF8.self)
    case .newAdapter where octets.count >= 16 && isNamed:
      let name = String(decoding: octets[8..<16].prefix { $0 != 0 }, as: UTF8.self)
      names[adapter] = name.isEmpty ? "hci\(adapter)" : name
      learn(BluetoothAddress(reversed: octets[2..<8]), of: adapter)
    case .adapterInformation where octets.count >= 6 && isNamed:
      names[adapter] = names[adapter] ?? "hci\(adapter)"
      learn(BluetoothAddress(reversed: octets[0..<6]), of: adapter)
    default: break
    }
  }

  /// Zero until the controller has been asked for it.
  private mutating func learn(_ address: BluetoothAddress, of adapter: UInt16) {
    if !address.isZero { addresses[adapter] = address }
  }
}
