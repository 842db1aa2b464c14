/// What a Linux monitor capture says to people.
struct CaptureRemarks {
  /// The last one; what is longer than `longestNote` octets is cut.
  private(set) var note: String?
  private static let longestNote = 256

  /// A record that is no packet of a controller.
  mutating func take(_ record: BtsnoopRecord, _ bytes: RawSpan, in range: Range<Int>) {
    guard BtsnoopEncoder.Opcode(rawValue: UInt16(truncatingIfNeeded: record.flags)) == .note else { return }
    let octets = bytes.octets(range.prefix(Self.longestNote)).prefix { $0 != 0 }
    note = String(decoding: octets, as: UTF8.self)
  }
}
