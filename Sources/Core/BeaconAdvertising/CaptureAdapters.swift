/// What a Linux monitor capture says of its controllers. BlueZ, `struct btsnoop_opcode_new_index` and `btsnoop_opcode_index_info`.
struct CaptureAdapters {
  /// More than any machine has; a capture that names more is not believed.
  private static let most = 64

  private var addresses: [UInt16: BluetoothAddress] = [:]
  private var names: [UInt16: String] = [:]

  /// The address where one is known, else the name; nil for a controller that the capture does not introduce.
  func name(_ adapter: UInt16) -> String? { addresses[adapter].map(\.description) ?? names[adapter] }

  /// A record that is no packet of a controller.
  mutating func take(_ record: BtsnoopRecord, _ bytes: RawSpan, in range: Range<Int>) {
    let adapter = UInt16(record.flags >> 16)
    guard names.count < Self.most || names[adapter] != nil else { return }
    let octets = bytes.extracting(range).withUnsafeBytes { Array($0) }
    switch BtsnoopEncoder.Opcode(rawValue: UInt16(truncatingIfNeeded: record.flags)) {
    case .newAdapter where octets.count >= 16:
      let name = String(decoding: octets[8..<16].prefix { $0 != 0 }, as: UTF8.self)
      names[adapter] = name.isEmpty ? "hci\(adapter)" : name
      learn(BluetoothAddress(octets: octets[2..<8]), of: adapter)
    case .adapterInformation where octets.count >= 6:
      names[adapter] = names[adapter] ?? "hci\(adapter)"
      learn(BluetoothAddress(octets: octets[0..<6]), of: adapter)
    default: break
    }
  }

  /// Zero until the controller has been asked for it.
  private mutating func learn(_ address: BluetoothAddress, of adapter: UInt16) {
    if !address.isZero { addresses[adapter] = address }
  }
}
