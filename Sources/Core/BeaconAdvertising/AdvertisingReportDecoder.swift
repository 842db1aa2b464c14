import Beacons
import Instants
import Records

/// Decodes HCI packets from a capture or a live socket into sightings.
///
/// Reads the LE Advertising Report (sub-event 0x02) and the LE Extended Advertising Report (0x0D) in the layout that the Linux kernel
/// reads: whole reports, one after another. Bluetooth Core Specification 5.4, Volume 4, Part E, 7.7.65.2 and 7.7.65.13. The decoder never
/// fails: it counts broken data by reason and continues after them. It allocates memory only for fragments.
public struct AdvertisingReportDecoder: Sendable {
  public internal(set) var counts = AdvertisementCounts()
  var fragments = FragmentJoiner()
  /// Whether the sender of each sighting is kept until `takeSenders`.
  var keepsSenders = false
  private var senders: [BluetoothAddress] = []
  /// The frames of telemetry since they were taken last; the oldest go first.
  private var telemetry: [BeaconTelemetry] = []

  public init() {}

  /// Returns the senders of the sightings since the last call, in their order.
  mutating func takeSenders() -> [BluetoothAddress] {
    defer { senders.removeAll(keepingCapacity: true) }
    return senders
  }

  /// Decodes one packet that starts with its packet type octet.
  /// An H4 transport and a raw HCI socket carry packets in this form (Volume 4, Part A, 2).
  public mutating func decode(packet: RawSpan, adapter: UInt16 = 0, time: Instant, into sightings: inout [Sighting]) {
    sightings.append(addingCapacity: mostSightings(in: packet.byteCount)) { output in
      decode(packet: packet, in: 0..<packet.byteCount, Reception(adapter: adapter, time: time), into: &output)
    }
  }

  /// Decodes one HCI event: code, parameter length, parameters (Volume 4, Part E, 5.4.4).
  public mutating func decode(event: RawSpan, adapter: UInt16 = 0, time: Instant, into sightings: inout [Sighting]) {
    sightings.append(addingCapacity: mostSightings(in: event.byteCount)) { output in
      decode(event: event, in: 0..<event.byteCount, Reception(adapter: adapter, time: time), into: &output)
    }
  }

  /// Returns the maximum number of beacons in that many octets and the pending fragments; no octet is read twice.
  func mostSightings(in octets: Int) -> Int {
    (octets + fragments.octetCount) / (1 + BeaconPayload.structureLength)
  }

  /// Counts a packet without advertising reports: a command, data, or a record that a capture adds.
  public mutating func passOver() {
    counts.passedOver += 1
  }

  /// Returns the frames of telemetry since the last call, at most `BeaconTelemetry.mostPending`.
  public mutating func takeTelemetry() -> [BeaconTelemetry] {
    guard !telemetry.isEmpty else { return [] }
    defer { telemetry.removeAll(keepingCapacity: true) }
    return telemetry
  }

  @inline(never)  // few advertisements have telemetry
  private mutating func noteTelemetry(_ bytes: RawSpan, in range: Range<Int>, _ transmitter: UInt32, at time: Instant) {
    guard let frame = BeaconTelemetry.frame(in: bytes, range, transmitter: transmitter, time: time) else { return }
    if telemetry.count >= BeaconTelemetry.mostPending { telemetry.removeFirst() }
    telemetry.append(frame)
  }

  /// Drops the pending fragments, because the source has ended or the next packet is unrelated to the previous ones.
  public mutating func finish() {
    counts.droppedFragments += fragments.removeAll()
  }
}

/// The adapter and the time of a report.
struct Reception {
  var adapter: UInt16
  var time: Instant
}

// The code below reads ranges of one span and appends to reserved capacity. Smaller spans at every layer, and an array that checks before
// each element whether it is shared, slowed a full pass by an eighth. Offsets stay within 257 octets of a valid one, so the wrapping sums
// never wrap.
extension AdvertisingReportDecoder {
  @inline(__always)
  mutating func decode(packet bytes: RawSpan, in range: Range<Int>, _ reception: Reception, into sightings: inout OutputSpan<Sighting>) {
    let eventType: UInt8 = 0x04
    if !range.isEmpty && bytes.octet(at: range.lowerBound) == eventType {
      decode(event: bytes, in: Range(uncheckedBounds: (range.lowerBound &+ 1, range.upperBound)), reception, into: &sightings)
    } else {
      passOver()
    }
  }

  @inline(__always)
  mutating func decode(event bytes: RawSpan, in range: Range<Int>, _ reception: Reception, into sightings: inout OutputSpan<Sighting>) {
    let leMetaEvent: UInt8 = 0x3E
    let start = range.lowerBound
    let length = range.upperBound &- start
    guard length >= 4, bytes.octet(at: start) == leMetaEvent, Int(bytes.octet(at: start &+ 1)) == length &- 2 else {
      return judge(otherEvent: bytes, in: range)
    }
    let layout: ReportLayout
    switch bytes.octet(at: start &+ 2) {
    case 0x02: layout = .legacy
    case 0x0D: layout = .extended
    default: return counts.passedOver += 1
    }
    decode(reports: bytes, of: layout, in: range, reception, into: &sightings)
  }

  /// Counts an event that is not LE Meta, has a wrong length, or is too short for the number of its reports.
  @inline(never)
  private mutating func judge(otherEvent bytes: RawSpan, in range: Range<Int>) {
    let event = bytes.extracting(range)
    let isWhole = event.byteCount >= 2 && Int(event.octet(at: 1)) == event.byteCount - 2
    let isMeta = isWhole && event.octet(at: 0) == 0x3E
    let isReport = isMeta && (event.byteCount == 2 || [0x02, 0x0D].contains(event.octet(at: 2)))
    if isWhole && !isReport { counts.passedOver += 1 } else { counts.malformed.count(.eventLength) }
  }
}

/// The layout of one kind of report: a header whose last octet is the length of the data, the data, and a trailer.
private struct ReportLayout {
  let headerLength: Int
  let trailerLength: Int

  /// Event type (1), address type (1), address (6), data length (1), data, RSSI (1).
  static let legacy = ReportLayout(headerLength: 9, trailerLength: 1)
  /// The layout of an extended report.
  ///
  /// Event type (2), address type (1), address (6), PHYs (2), SID (1), TX power (1), RSSI (1), interval (2), direct address type (1) and
  /// address (6), data length (1), data.
  static let extended = ReportLayout(headerLength: 24, trailerLength: 0)
}

extension AdvertisingReportDecoder {
  @inline(__always)
  private mutating func decode(
    reports bytes: RawSpan, of layout: ReportLayout, in event: Range<Int>, _ reception: Reception,
    into sightings: inout OutputSpan<Sighting>
  ) {
    counts.events &+= 1
    let isExtended = layout.trailerLength == 0
    let longestLegacyData = 31
    let end = event.upperBound &- layout.trailerLength
    var offset = event.lowerBound &+ 4
    for _ in 0..<bytes.octet(at: event.lowerBound &+ 3) {
      let dataStart = offset &+ layout.headerLength
      guard dataStart <= end else { return counts.malformed.count(.reportOverrun) }
      let dataEnd = dataStart &+ Int(bytes.octet(at: dataStart &- 1))
      guard dataEnd <= end else { return counts.malformed.count(.reportOverrun) }
      let data = Range(uncheckedBounds: (dataStart, dataEnd))
      if isExtended {
        // Legacy PDUs (bit 4) are never split, so they are not among the fragments.
        let eventType = bytes.octet(at: offset)
        if eventType & 0x70 == 0x10 || (eventType & 0x60 == 0 && fragments.isEmpty) {
          note(
            advertisement: bytes, in: data, rssi: bytes.octet(at: offset &+ 13), sender: bytes.address(at: offset &+ 3), reception,
            into: &sightings)
        } else {
          join(bytes.extracting(offset..<dataEnd), headerLength: layout.headerLength, reception, into: &sightings)
        }
      } else if dataEnd &- dataStart <= longestLegacyData {
        note(
          advertisement: bytes, in: data, rssi: bytes.octet(at: dataEnd), sender: bytes.address(at: offset &+ 2), reception,
          into: &sightings)
      } else {
        counts.malformed.count(.legacyDataLength)
        counts.kinds.count(.malformed)
      }
      offset = dataEnd &+ layout.trailerLength
    }
  }

  @inline(never)
  private mutating func join(
    _ report: RawSpan, headerLength: Int, _ reception: Reception, into sightings: inout OutputSpan<Sighting>
  ) {
    let data = report.extracting(headerLength..<report.byteCount)
    let rssi = report.octet(at: 13)
    let status = DataStatus(eventType: report.octet(at: 0))
    let outcome = fragments.take(data, status: status, key: FragmentKey(report: report, adapter: reception.adapter), time: reception.time)
    counts.droppedFragments += outcome.dropped
    if let reason = outcome.malformed { counts.malformed.count(reason) }
    switch outcome.advertisement {
    case .none: break
    case .unjoined:
      note(
        advertisement: data, in: 0..<data.byteCount, rssi: rssi, sender: report.address(at: 3), reception,
        isTruncated: status == .truncated, into: &sightings)
    case .joined(let octets, let parts):
      counts.joinedFragments += parts - 1
      note(
        advertisement: octets.span.bytes, in: 0..<octets.count, rssi: rssi, sender: report.address(at: 3), reception,
        isTruncated: status == .truncated, into: &sightings)
    }
  }
}

extension AdvertisingReportDecoder {
  @inline(__always)
  private mutating func note(
    advertisement bytes: RawSpan, in range: Range<Int>, rssi: @autoclosure () -> UInt8, sender: @autoclosure () -> BluetoothAddress,
    _ reception: Reception, isTruncated: Bool = false, into sightings: inout OutputSpan<Sighting>
  ) {
    let content = AdvertisementContent(bytes, in: range) { beacon in
      let rssi = Int8(bitPattern: rssi())
      counts.beacons.count(beacon.format)
      sightings.append(
        Sighting(
          beacon: beacon.identity, measuredPower: beacon.measuredPower, rssi: rssi <= 20 && rssi != -128 ? rssi : nil,
          format: beacon.format, adapter: reception.adapter, transmitter: sender().transmitter, time: reception.time))
      if keepsSenders { senders.append(sender()) }
    }
    counts.kinds.count(content.kind)
    if content.mayHaveTelemetry && content.kind == .eddystone { noteTelemetry(bytes, in: range, sender().transmitter, at: reception.time) }
    if let reason = content.malformed {
      counts.malformed.count(isTruncated && reason == .structureOverrun ? .dataTruncated : reason)
    }
  }
}
