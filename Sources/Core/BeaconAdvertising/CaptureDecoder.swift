import Instants

/// From the octets of a capture to sightings: btsnoop records, HCI events, advertising reports, iBeacons.
///
/// Chunks may have any size; the sightings and counts are the same however the capture was cut.
public struct CaptureDecoder: Sendable {
  private var records = BtsnoopDecoder()
  private var reports = AdvertisingReportDecoder()
  private var adapters = CaptureAdapters()
  private var remarks = CaptureRemarks()
  private var lostPackets = 0

  public init() {}

  /// From the first record to the last so far; nil before the first.
  public var period: ClosedRange<Instant>? { records.earliest.map { $0...records.latest } }
  /// How much of the capture so far is whole records: what comes after them is the beginning of one.
  public var wholeOctets: Int { records.offset }
  /// The last of the notes to people in it, which only a Linux monitor has.
  public var note: String? { remarks.note }
  /// The adapters so far: only a Linux monitor tells several apart, by address where it knows that.
  public var roster: AdapterRoster { adapters.roster }

  public var counts: AdvertisementCounts {
    var counts = reports.counts
    counts.heldTimes = records.heldTimes
    counts.lostPackets = lostPackets
    return counts
  }

  /// Says which adapters count and how each hears, for what is decoded from now on.
  public mutating func configure(_ settings: [AdapterSettings]) {
    adapters.configure(settings)
  }

  /// Appends the sightings of every record that the chunk completes. Those before an error are appended, too;
  /// after one the counts are final, and every further call throws it again.
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
        reports.decode(packet: bytes, in: range, Receipt(adapter: adapters.onlyNumber(), time: record.time), into: &sightings)
      case .hci:
        let receivedEvent: UInt32 = 3
        if record.flags & 3 == receivedEvent {
          reports.decode(event: bytes, in: range, Receipt(adapter: adapters.onlyNumber(), time: record.time), into: &sightings)
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
          reports.decode(event: bytes, in: range, Receipt(adapter: adapter, time: record.time), into: &sightings)
        } else {
          reports.passOver()
        }
      }
    }
  }

  /// The capture has ended. Throws what its end lacks, or the error that ended decoding before; the counts are final either way.
  public mutating func finish() throws(CaptureError) {
    reports.finish()
    try records.finish()
  }
}
