import Beacons
import Instants

/// A capture in progress: takes packets and reports, and delivers octets to its reader.
///
/// At most `capacity` octets wait for the reader. Records beyond that are lost, and each record states how many were lost so far. The
/// capture begins and ends with a note, so that a replay covers the same time as the recording. Between the notes it holds only complete
/// records.
public struct Recording {
  /// A lookup of the name that people know an adapter by, from its number in sightings; nil if it has none.
  public typealias AdapterName = (UInt16) -> String?

  /// The maximum number of waiting octets: more than a second of the densest traffic.
  static let capacity = 256 * 1024
  /// The length of the longest note with its header.
  /// Two notes always fit: one for lost packets, and one for the end.
  private static let noteRoom = 256

  public let options: RecordingOptions
  /// Whether the recording has ended; it takes no more input, but waiting octets can still be read.
  public private(set) var hasEnded = false
  /// The number of packets that were lost because the reader was slow.
  public private(set) var drops: UInt32 = 0

  private let sinceEpoch: Span
  private var beacons: BeaconReports
  private var adapters: Set<UInt16> = []
  private var reportedDrops: UInt32 = 0
  private var hasReportedMadePackets = false
  /// The state that could not be recorded, because the reader was slow.
  private var missedState: String?
  /// The size of the capture so far, read or not.
  private var size = 0
  private var waiting: [UInt8] = []
  private var read = 0

  /// Starts a recording.
  ///
  /// - Parameters:
  ///   - source: the name of the source in the notes.
  ///   - key: for the pseudonyms; random, and forgotten with the recording.
  ///   - sinceEpoch: the difference from the source's clock to time since the Unix epoch. It is constant, so that setting the wall clock
  ///     does not distort the recording.
  public init(
    _ options: RecordingOptions, source: String, key: (UInt64, UInt64), at time: Instant, sinceEpoch: Span
  ) {
    self.options = options
    self.sinceEpoch = sinceEpoch
    beacons = BeaconReports(AddressPseudonyms(key: key))
    put(BtsnoopEncoder.header)
    // btmon shows some 60 characters of each note.
    note("beaconmon records \(source)", at: time)
    note(
      options.keepsEverything
        ? "it contains every advertisement with its real address" : "it contains only beacons, with pseudonymous addresses", at: time)
  }

  /// Records one packet that starts with its packet type; only events are recorded.
  public mutating func hear(_ packet: RawSpan, adapter: UInt16, at time: Instant, named name: AdapterName) {
    guard !hasEnded else { return }
    if !options.keepsEverything {
      put(beacons.events(in: packet, adapter: adapter, time: time), adapter, time, name)
    } else if packet.byteCount > 1, packet.octet(at: 0) == 0x04 {
      put([packet.withUnsafeBytes { Array($0.dropFirst()) }], adapter, time, name)
    }
  }

  /// Records a report that no longer has a packet, in a new packet.
  public mutating func hear(_ report: AdvertisingReport, adapter: UInt16, at time: Instant, named name: AdapterName) {
    guard !hasEnded else { return }
    let events = options.keepsEverything ? AdvertisingReportEncoder.events(of: report) : beacons.events(of: report)
    if !events.isEmpty, !hasReportedMadePackets {
      note("its packets are reconstructed from the reports of the source", at: time)
      hasReportedMadePackets = true
    }
    put(events, adapter, time, name)
  }

  /// Records a state of the device from this time on, as a note between the packets.
  ///
  /// If the reader is slow, only the latest state is recorded, before the next packet.
  public mutating func note(state text: String, at time: Instant) {
    guard !hasEnded else { return }
    guard waiting.count - read + 3 * Self.noteRoom <= Self.capacity else {
      missedState = text
      return
    }
    guard UInt64(size + 3 * Self.noteRoom) <= options.limitSize.octets else {
      return end("limit of \(options.limitSize.text) reached", at: time)
    }
    missedState = nil
    note(text, at: time)
  }

  /// Ends the recording; `reason` becomes a note, and a second call has no effect.
  public mutating func end(_ reason: String, at time: Instant) {
    guard !hasEnded else { return }
    hasEnded = true
    reportDrops(at: time)
    note(Self.endOfRecording + reason, at: time)
  }

  /// The beginning of the last note.
  private static let endOfRecording = "beaconmon ends the recording: "

  /// Returns the reason why a recording ended, from its last note.
  /// Nil for any other note, which means that the recording was cut off.
  public static func reason(inLastNote note: String?) -> String? {
    guard let note, note.hasPrefix(endOfRecording) else { return nil }
    return String(note.dropFirst(endOfRecording.count))
  }
}

// MARK: Reader

extension Recording {
  public var isDrained: Bool { read == waiting.count }

  /// Passes the waiting octets to `body`, oldest first; `body` returns the number of octets that it has taken.
  public mutating func drain(_ body: (UnsafeRawBufferPointer) -> Int) -> Int {
    let count = waiting.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[read...])) }
    read += count
    if isDrained {
      waiting.removeAll(keepingCapacity: true)
      read = 0
    } else if read > Self.capacity {
      waiting.removeSubrange(..<read)
      read = 0
    }
    return count
  }
}

// MARK: Records

extension Recording {
  /// Appends all events of one packet, or none of them.
  private mutating func put(_ events: [[UInt8]], _ adapter: UInt16, _ time: Instant, _ name: AdapterName) {
    guard !events.isEmpty else { return }
    var records = adapters.contains(adapter) ? [] : introduction(of: adapter, time, name)
    for event in events { records += BtsnoopEncoder.record(.event, event, adapter: adapter, drops: drops, time: time + sinceEpoch) }
    guard waiting.count - read + records.count + 2 * Self.noteRoom <= Self.capacity else {
      if drops < .max { drops += 1 }
      return
    }
    guard UInt64(size + records.count + 2 * Self.noteRoom) <= options.limitSize.octets else {
      return end("limit of \(options.limitSize.text) reached", at: time)
    }
    reportDrops(at: time)
    if let missedState { note(state: missedState, at: time) }
    guard !hasEnded else { return }
    adapters.insert(adapter)
    put(records)
  }

  private func introduction(of adapter: UInt16, _ time: Instant, _ name: AdapterName) -> [UInt8] {
    let name = name(adapter)
    let address = name.flatMap { BluetoothAddress($0) }
    let packet = BtsnoopEncoder.newAdapter(address: address, name: address == nil ? name ?? "hci\(adapter)" : "hci\(adapter)")
    return BtsnoopEncoder.record(.newAdapter, packet, adapter: adapter, drops: drops, time: time + sinceEpoch)
  }

  /// Records a single note for the reader after packets were lost.
  private mutating func reportDrops(at time: Instant) {
    guard drops != reportedDrops else { return }
    note("beaconmon has dropped \(drops) packets that were not read", at: time)
    reportedDrops = drops
  }

  private mutating func note(_ text: String, at time: Instant) {
    let room = Self.noteRoom - BtsnoopDecoder.recordHeaderLength - 1
    let text = String(decoding: text.utf8.prefix(room), as: UTF8.self)
    put(BtsnoopEncoder.record(.note, BtsnoopEncoder.note(text), drops: drops, time: time + sinceEpoch))
  }

  private mutating func put(_ octets: [UInt8]) {
    size += octets.count
    waiting += octets
  }
}
