public import Beacons
import Instants

/// Decodes a capture into sightings: btsnoop records, HCI events, advertising reports, beacons.
///
/// Chunks may have any size; sightings and counts do not depend on the boundaries of the chunks.
public struct CaptureDecoder: Sendable {
  private var records = BtsnoopDecoder()
  private var reports = AdvertisingReportDecoder()
  private var adapters = CaptureAdapters()
  private var remarks = CaptureRemarks()
  private var lostPackets = 0

  public init() {}

  /// The period from the first record to the last so far; nil before the first.
  public var period: ClosedRange<Instant>? { records.clock.period }
  /// The number of octets in complete records so far; an incomplete record follows.
  public var wholeOctets: Int { records.offset }
  /// The last note in the capture; only a Linux monitor capture has notes.
  public var note: String? { remarks.note?.text }
  /// Whether all notes are kept until `takeNotes`.
  public var keepsNotes: Bool {
    get { remarks.keepsAll }
    set { remarks.keepsAll = newValue }
  }
  /// Whether the senders of the sightings are kept until `takeSenders`.
  public var keepsSenders: Bool {
    get { reports.keepsSenders }
    set { reports.keepsSenders = newValue }
  }
  /// The adapters so far.
  /// Only a Linux monitor capture distinguishes several, by address if it is known.
  public var roster: AdapterRoster { adapters.roster }

  public var counts: AdvertisementCounts {
    var counts = reports.counts
    counts.heldTimes = records.clock.held
    counts.lostPackets = lostPackets
    return counts
  }

  /// Configures the adapters for everything that is decoded from now on.
  public mutating func configure(_ settings: [AdapterSettings]) {
    adapters.configure(settings)
  }

  /// Appends the sightings of every record that the chunk completes.
  /// Sightings before an error are appended, too. After an error the counts are final, and every further call throws it again.
  public mutating func decode(_ chunk: RawSpan, into sightings: inout [Sighting]) throws(CaptureError) {
    let most = reports.mostSightings(in: chunk.byteCount + records.partialCount)
    do throws(CaptureError) {
      try sightings.append(addingCapacity: most) { output throws(CaptureError) in
        try decode(chunk, appendingTo: &output)
      }
    } catch {
      reports.finish()
      throw error
    }
  }

  private mutating func decode(_ chunk: RawSpan, appendingTo sightings: inout OutputSpan<Sighting>) throws(CaptureError) {
    try records.decode(chunk) { dataLink, record, bytes, range in
      switch dataLink {
      case .h4:
        reports.decode(packet: bytes, in: range, Reception(adapter: adapters.onlyNumber(), time: record.time), into: &sightings)
      case .hci:
        let receivedEvent: UInt32 = 3
        if record.flags & 3 == receivedEvent {
          reports.decode(event: bytes, in: range, Reception(adapter: adapters.onlyNumber(), time: record.time), into: &sightings)
        } else {
          reports.passOver()
        }
      case .linuxMonitor:
        let eventPacket: UInt16 = 3
        if UInt16(truncatingIfNeeded: record.flags) != eventPacket {
          reports.passOver()
          adapters.take(record, bytes, in: range)
          remarks.take(record, bytes, in: range)
          lostPackets = Int(record.drops)
        } else if let adapter = adapters.number(of: UInt16(record.flags >> 16)) {
          reports.decode(event: bytes, in: range, Reception(adapter: adapter, time: record.time), into: &sightings)
        } else {
          reports.passOver()
        }
      }
    }
  }

  /// Returns the telemetry of beacons since the last call.
  public mutating func takeTelemetry() -> [BeaconTelemetry] { reports.takeTelemetry() }

  /// Returns the notes since the last call, in their order.
  public mutating func takeNotes() -> [CaptureNote] { remarks.takeAll() }

  /// Returns the addresses that sent the sightings since the last call, in their order. A recording has pseudonyms instead.
  public mutating func takeSenders() -> [BluetoothAddress] { reports.takeSenders() }

  /// Ends the capture: throws the missing part at its end, or the error that ended decoding before.
  /// The counts are final in either case.
  public mutating func finish() throws(CaptureError) {
    reports.finish()
    try records.finish()
  }
}

/// A text in a Linux monitor capture.
public struct CaptureNote: Hashable, Sendable {
  public let text: String
  public let time: Instant
}

/// The texts in a Linux monitor capture.
private struct CaptureRemarks {
  /// The last note, cut to `longestNote` octets.
  private(set) var note: CaptureNote?
  var keepsAll = false
  private var all: [CaptureNote] = []
  private static let longestNote = 256

  mutating func takeAll() -> [CaptureNote] {
    guard !all.isEmpty else { return [] }
    defer { all = [] }
    return all
  }

  /// Takes a record that is not a packet of a controller.
  mutating func take(_ record: BtsnoopRecord, _ bytes: RawSpan, in range: Range<Int>) {
    guard BtsnoopEncoder.Opcode(rawValue: UInt16(truncatingIfNeeded: record.flags)) == .note else { return }
    let octets = bytes.octets(range.prefix(Self.longestNote)).prefix { $0 != 0 }
    let note = CaptureNote(text: String(decoding: octets, as: UTF8.self), time: record.time)
    self.note = note
    if keepsAll { all.append(note) }
  }
}
