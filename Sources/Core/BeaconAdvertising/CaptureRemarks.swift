/// The notes for people in a Linux monitor capture.
struct CaptureRemarks {
  /// The last note, cut to `longestNote` octets.
  private(set) var note: String?
  private static let longestNote = 256

  /// Takes a record that is not a packet of a controller.
  mutating func take(_ record: BtsnoopRecord, _ bytes: RawSpan, in range: Range<Int>) {
    guard BtsnoopEncoder.Opcode(rawValue: UInt16(truncatingIfNeeded: record.flags)) == .note else { return }
    let octets = bytes.octets(range.prefix(Self.longestNote)).prefix { $0 != 0 }
    note = String(decoding: octets, as: UTF8.self)
  }
}
