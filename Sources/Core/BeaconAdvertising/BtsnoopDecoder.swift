import Instants

/// The header of one btsnoop record.
struct BtsnoopRecord: Equatable, Sendable {
  /// Bit 0: received from the controller; bit 1: command or event. For a Linux monitor: opcode and index.
  var flags: UInt32
  /// The number of packets that the recorder has lost since its start.
  var drops: UInt32
  /// The time since the Unix epoch, never earlier than that of the previous record.
  var time: Instant
}

/// Splits btsnoop version 1 into records, in chunks of any size.
///
/// Header: `btsnoop\0`, version (4), data link (4). Record: original length (4), included length (4), flags (4), cumulative drops (4),
/// time (8), packet. Everything is big-endian. Times count microseconds from the year 0. The layout is that of RFC 1761 (snoop) with the
/// longer time of Symbian's and BlueZ's btsnoop. The decoder holds at most one record between chunks.
struct BtsnoopDecoder: Sendable {
  static let headerLength = 16
  static let recordHeaderLength = 24
  /// The longest HCI packet: ACL data of 65,535 octets after its header (4) and packet type (1).
  static let longestPacket: UInt32 = 65_540
  /// The Unix epoch in btsnoop time.
  static let unixEpoch: Int64 = 0x00DC_DDB3_0F2F_8000

  /// The data link; nil until the header has been read.
  private(set) var dataLink: BtsnoopDataLink?
  private(set) var clock = RecordClock()
  /// The offset of the next undecoded octet in the capture.
  /// If the last chunk did not complete a record, it is the offset of that record.
  private(set) var offset = 0
  /// The octets of a header or record that the last chunk did not complete.
  private var partial: [UInt8] = []
  private var failure: CaptureError?

  init() {}

  /// The number of octets of an incomplete record.
  var partialCount: Int { partial.count }

  /// Calls `body` for every record that the chunk completes.
  /// After an error, every further call throws the same error.
  @inline(__always)
  mutating func decode(
    _ chunk: RawSpan, record body: (BtsnoopDataLink, BtsnoopRecord, RawSpan, Range<Int>) -> Void
  ) throws(CaptureError) {
    if let failure { throw failure }
    do throws(CaptureError) {
      var position = 0
      guard let dataLink = try decodeHeader(chunk, from: &position) else { return }
      try completePartial(chunk, from: &position, dataLink, body)
      let origin = offset - position
      while chunk.byteCount &- position >= Self.recordHeaderLength {
        let length =
          Self.recordHeaderLength &+ (try packetLength(chunk, at: position, offset: origin &+ position, record: clock.count &+ 1))
        guard length <= chunk.byteCount &- position else { break }
        let packet = Range(uncheckedBounds: (position &+ Self.recordHeaderLength, position &+ length))
        body(dataLink, BtsnoopRecord(chunk, at: position, &clock), chunk, packet)
        position &+= length
      }
      offset = origin + position
      keep(chunk, from: &position, upTo: chunk.byteCount)
    } catch {
      failure = error
      throw error
    }
  }

  /// Ends the capture: throws the missing part at its end, or the error that ended decoding before.
  func finish() throws(CaptureError) {
    if let failure { throw failure }
    if dataLink == nil {
      if partial.isEmpty { throw .empty }
      throw Self.magic.starts(with: partial.prefix(Self.magic.count)) ? .headerTruncated(octets: partial.count) : .notBtsnoop
    }
    guard partial.isEmpty else { throw .recordTruncated(missing: missing, place) }
    if clock.count == 0 { throw .noRecords }
  }
}

extension BtsnoopDecoder {
  private static let magic: [UInt8] = [0x62, 0x74, 0x73, 0x6E, 0x6F, 0x6F, 0x70, 0x00]  // "btsnoop" and a zero octet

  private mutating func decodeHeader(_ chunk: RawSpan, from position: inout Int) throws(CaptureError) -> BtsnoopDataLink? {
    if let dataLink { return dataLink }
    keep(chunk, from: &position, upTo: Self.headerLength)
    guard partial.count == Self.headerLength else { return nil }
    let octets = partial
    partial = []
    let header = octets.span.bytes
    guard octets.starts(with: Self.magic) else { throw .notBtsnoop }
    let version = header.bigEndian(at: 8, as: UInt32.self)
    guard version == 1 else { throw .unsupportedVersion(version) }
    let number = header.bigEndian(at: 12, as: UInt32.self)
    guard let known = BtsnoopDataLink(rawValue: number) else { throw .unknownDataLink(number) }
    dataLink = known
    offset = Self.headerLength
    return known
  }

  /// Completes the record that an earlier chunk began, first its header, then its packet.
  private mutating func completePartial(
    _ chunk: RawSpan, from position: inout Int, _ dataLink: BtsnoopDataLink,
    _ body: (BtsnoopDataLink, BtsnoopRecord, RawSpan, Range<Int>) -> Void
  ) throws(CaptureError) {
    guard !partial.isEmpty else { return }
    keep(chunk, from: &position, upTo: Self.recordHeaderLength)
    guard partial.count >= Self.recordHeaderLength else { return }
    let length = Self.recordHeaderLength + (try packetLength(partial.span.bytes, at: 0, offset: offset, record: clock.count + 1))
    keep(chunk, from: &position, upTo: length)
    guard partial.count == length else { return }
    let octets = partial
    partial = []
    body(dataLink, BtsnoopRecord(octets.span.bytes, at: 0, &clock), octets.span.bytes, Self.recordHeaderLength..<length)
    offset += length
    partial = octets
    partial.removeAll(keepingCapacity: true)
  }
}

extension BtsnoopDecoder {
  private var place: CapturePlace { CapturePlace(offset: offset, record: clock.count + 1) }

  /// The number of missing octets; nil while the end of the record is unknown.
  private var missing: Int? {
    guard partial.count >= Self.recordHeaderLength else { return nil }
    return Self.recordHeaderLength + Int(partial.span.bytes.bigEndian(at: 4, as: UInt32.self)) - partial.count
  }

  @inline(__always)
  private func packetLength(_ header: RawSpan, at start: Int, offset: Int, record: Int) throws(CaptureError) -> Int {
    let original = header.bigEndian(at: start, as: UInt32.self)
    let included = header.bigEndian(at: start &+ 4, as: UInt32.self)
    guard included <= original && included <= Self.longestPacket else {
      throw .recordLength(included: included, original: original, CapturePlace(offset: offset, record: record))
    }
    return Int(included)
  }

  /// Moves octets from the chunk to `partial`, until it has `count` octets or the chunk ends.
  private mutating func keep(_ chunk: RawSpan, from position: inout Int, upTo count: Int) {
    let end = min(chunk.byteCount, position + max(0, count - partial.count))
    guard position < end else { return }
    chunk.extracting(position..<end).withUnsafeBytes { partial.append(contentsOf: $0) }
    position = end
  }
}

/// The number of the records and their times, which never go backwards.
struct RecordClock: Sendable {
  fileprivate(set) var count = 0
  /// The number of records with an earlier time than a record before them.
  fileprivate(set) var held = 0
  /// The time of the first record; nil before it.
  fileprivate(set) var earliest: Instant?
  /// The time of the last record, which is the latest.
  fileprivate(set) var latest = Instant(microseconds: .min)

  /// The period from the first record to the last; nil before the first.
  var period: ClosedRange<Instant>? { earliest.map { $0...latest } }
}

extension BtsnoopRecord {
  /// Reads the header at `start` and counts its record; a time that goes backwards is replaced by the latest.
  @inline(__always)
  fileprivate init(_ header: RawSpan, at start: Int, _ clock: inout RecordClock) {
    let (sinceEpoch, overflow) =
      header.bigEndian(at: start &+ 16, as: Int64.self).subtractingReportingOverflow(BtsnoopDecoder.unixEpoch)
    let time = Instant(microseconds: overflow ? .min : sinceEpoch)
    if time < clock.latest { clock.held += 1 } else { clock.latest = time }
    if clock.count == 0 { clock.earliest = clock.latest }
    clock.count &+= 1
    flags = header.bigEndian(at: start &+ 8, as: UInt32.self)
    drops = header.bigEndian(at: start &+ 12, as: UInt32.self)
    self.time = clock.latest
  }
}

/// The framing of the packets in a btsnoop capture; the raw values are those of the file header.
enum BtsnoopDataLink: UInt32, Sendable {
  /// HCI packets without their packet type; the record's flags hold direction and type.
  case hci = 1001
  /// HCI packets that start with the packet type octet of an H4 transport.
  case h4 = 1002
  /// Linux monitor: the lower half of the flags holds the opcode, the upper half the controller's index.
  case linuxMonitor = 2001
}
