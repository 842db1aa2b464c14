import Beacons
import FleetMessages
import Streams

/// The site and the name of a device.
public typealias DeviceAddress = FleetAddress

/// An enrolled device.
public struct Device: Hashable, Sendable {
  public var id: Int32
  public var site: Int32
  public var isRevoked: Bool
  public var numbering: NumberingHistory

  public init(id: Int32, site: Int32, isRevoked: Bool, numbering: NumberingHistory) {
    (self.id, self.site, self.isRevoked, self.numbering) = (id, site, isRevoked, numbering)
  }
}

public struct StreamKey: Hashable, Sendable {
  public var device: Int32
  public var stream: FleetMessage.Stream
  public var journal: StreamJournal

  public init(device: Int32, stream: FleetMessage.Stream, journal: StreamJournal) {
    (self.device, self.stream, self.journal) = (device, stream, journal)
  }
}

/// A stream as the store has it.
public enum LoadedStream: Hashable, Sendable {
  case record(StreamRecord)
  /// The device has too many numberings of events for another one.
  case tooMany
}

public struct BeaconKey: Hashable, Sendable {
  public var site: Int32
  public var beacon: BeaconIdentity

  public init(site: Int32, beacon: BeaconIdentity) { (self.site, self.beacon) = (site, beacon) }
}

/// The state of a beacon at a site. Times are milliseconds since 1970.
public struct BeaconState: Hashable, Sendable {
  public var id: Int32
  public var sightings: Int64
  public var lastSeen: Int64
  /// The device of the newest sighting; 0 before the first.
  public var device: Int32
  /// The filtered RSSI of the newest sighting in dBm.
  public var level: Int16

  public init(id: Int32, sightings: Int64 = 0, lastSeen: Int64 = 0, device: Int32 = 0, level: Int16 = 0) {
    (self.id, self.sightings, self.lastSeen, self.device, self.level) = (id, sightings, lastSeen, device, level)
  }

  mutating func sight(level: Int, device: Int32, time: Int64) {
    sightings += 1
    if time >= lastSeen { (lastSeen, self.device, self.level) = (time, device, Int16(level)) }
  }
}

/// The part of a message that events and digests share.
public struct MessageRow: Hashable, Sendable {
  public var device: Int32
  public var journal: StreamJournal
  public var sequence: Int64
  /// Milliseconds since 1970 by the clock of the device.
  public var time: Int64

  public init(device: Int32, journal: StreamJournal, sequence: Int64, time: Int64) {
    (self.device, self.journal, self.sequence, self.time) = (device, journal, sequence, time)
  }
}

/// The newest message of a device.
public struct DeviceRow: Hashable, Sendable {
  public var time: Int64
  public var numbering: NumberingHistory
}

/// The rows that one transaction writes.
public struct Batch: Sendable {
  public var epochs: [Int: Int64] = [:]
  public var digests: [(row: MessageRow, body: [UInt8])] = []
  public var events: [(row: MessageRow, json: String)] = []
  /// Events whose numbers arrived before. The store sets those aside that differ from the stored event, or that have none.
  public var repeatedEvents: [(row: MessageRow, json: String)] = []
  public var reports: [Int32: (time: Int64, report: DeviceReport)] = [:]
  /// The numbers of messages of the hub that devices have acknowledged.
  public var acknowledged: [(device: Int32, number: Int64)] = []
  public var devices: [Int32: DeviceRow] = [:]
  public var streams: [StreamKey: StreamRecord] = [:]
  /// The streams of each device that got a numbering.
  public var newNumberings: [Int32: Set<FleetMessage.Stream>] = [:]
  public var beacons: [BeaconRow] = []
  public var roomChanges: [RoomChangeRow] = []
  /// The learned offsets of the devices of a site.
  public var offsets: [Int32: [UInt8]] = [:]
  /// The corrections of surveys by beacons, by the keys of the surveys.
  public var corrections: [Int64: [UInt8]] = [:]
  public var refusals: [Refusal: RefusalCount] = [:]
  public var setAside: [SetAsideRow] = []
  /// The numbers that streams skipped, with their queues.
  var skips: [(queue: Int, key: StreamKey, numbers: ClosedRange<Int64>)] = []
  /// The number of messages in each queue that the broker delivered before, and whose numbers are new.
  var recovered: [Int: Int] = [:]
  /// Messages about shares in their order.
  public var shares: [ShareRow] = []

  public init() {}
}
