import Instants

/// A capture that is being written: what is heard goes in, octets for its reader come out.
///
/// Between the two waits at most `capacity`: what comes on top of that is lost and counted, and each record says how much was. The capture
/// begins and ends with a note, so that a replay's time begins and ends with the recording's; between them it holds whole records only.
public struct Recording {
  /// Who heard something: its number in sightings, and what people call it.
  public typealias AdapterName = (UInt16) -> String?

  /// In octets. More than a second of the densest traffic.
  static let capacity = 256 * 1024
  /// The longest note and its header. Room for two is always left: for what was dropped, and for the end.
  private static let noteRoom = 256

  public let options: RecordingOptions
  /// Nothing more is taken; what waits is still to be read.
  public private(set) var hasEnded = false
  /// Packets that were lost because their reader was slow.
  public private(set) var drops: UInt32 = 0

  private let sinceEpoch: Span
  private var beacons: BeaconReports
  private var adapters: Set<UInt16> = []
  private var toldDrops: UInt32 = 0
  private var hasToldOfMadePackets = false
  /// Of the capture so far, read or not.
  private var size = 0
  private var waiting: [UInt8] = []
  private var read = 0

  /// - Parameters:
  ///   - source: as people call it.
  ///   - key: for the pseudonyms; random, and forgotten with the recording.
  ///   - sinceEpoch: what the source's clock lacks to time since the Unix epoch. It stays: a wall clock that is set does not bend the recording.
  public init(
    _ options: RecordingOptions, source: String, key: (UInt64, UInt64), at time: Instant, sinceEpoch: Span
  ) {
    self.options = options
    self.sinceEpoch = sinceEpoch
    beacons = BeaconReports(AddressPseudonyms(key: key))
    put(BtsnoopEncoder.header)
    // btmon shows some 60 characters of each.
    note("beaconmon records \(source)", at: time)
    note(options.keepsEverything ? "it keeps everything as it is" : "it keeps iBeacons only, with pseudonyms for addresses", at: time)
  }

  /// One packet with its packet type first. What is no event is not recorded.
  public mutating func hear(_ packet: RawSpan, adapter: UInt16, at time: Instant, named name: AdapterName) {
    guard !hasEnded else { return }
    if !options.keepsEverything {
      put(beacons.events(in: packet, adapter: adapter, time: time), adapter, time, name)
    } else if packet.byteCount > 1, packet.octet(at: 0) == 0x04 {
      put([packet.withUnsafeBytes { Array($0.dropFirst()) }], adapter, time, name)
    }
  }

  /// A report that has no packet any more, in one that is made for it.
  public mutating func hear(_ report: AdvertisingReport, adapter: UInt16, at time: Instant, named name: AdapterName) {
    guard !hasEnded else { return }
    let events = options.keepsEverything ? AdvertisingReportEncoder.events(of: report) : beacons.events(of: report)
    if !events.isEmpty, !hasToldOfMadePackets {
      note("its packets are made anew, from what the source tells", at: time)
      hasToldOfMadePackets = true
    }
    put(events, adapter, time, name)
  }

  /// `reason` is for people; a second end changes nothing.
  public mutating func end(_ reason: String, at time: Instant) {
    guard !hasEnded else { return }
    hasEnded = true
    tellDrops(at: time)
    note(Self.endOfRecording + reason, at: time)
  }

  /// What the last note begins with.
  private static let endOfRecording = "beaconmon ends the recording: "

  /// Why a recording ended, by its last note. Nil for any other note: then it was cut off.
  public static func reason(inLastNote note: String?) -> String? {
    guard let note, note.hasPrefix(endOfRecording) else { return nil }
    return String(note.dropFirst(endOfRecording.count))
  }
}

// MARK: For the reader

extension Recording {
  public var isDrained: Bool { read == waiting.count }

  /// What waits, oldest first. Returns how much of it `body` has taken.
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
  /// All events of one packet, or none of them.
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
    tellDrops(at: time)
    adapters.insert(adapter)
    put(records)
  }

  private func introduction(of adapter: UInt16, _ time: Instant, _ name: AdapterName) -> [UInt8] {
    let name = name(adapter)
    let address = name.flatMap { BluetoothAddress($0) }
    let packet = BtsnoopEncoder.newAdapter(address: address, name: address == nil ? name ?? "hci\(adapter)" : "hci\(adapter)")
    return BtsnoopEncoder.record(.newAdapter, packet, adapter: adapter, drops: drops, time: time + sinceEpoch)
  }

  /// After a gap the reader is told once.
  private mutating func tellDrops(at time: Instant) {
    guard drops != toldDrops else { return }
    note("beaconmon has dropped \(drops) packets that were not read", at: time)
    toldDrops = drops
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
