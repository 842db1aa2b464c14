import Beacons
import FleetMessages
import Ingest
import Instants
import Partitions
import Rooms
import Streams

struct Stop: Error {}

final class ManualClock: IngestClock, @unchecked Sendable {
  var uptime = Instant(microseconds: 0)
  var wallTime: Instant { Instant(microseconds: 1_700_000_000_000_000 + uptime.microseconds) }
  /// The time since the Unix epoch in milliseconds, as rows have it.
  var rowTime: Int64 { wallTime.microseconds / 1000 }
  var seconds: Double { (uptime - Instant(microseconds: 0)).seconds }
}

/// A database in memory.
final class MemoryStore: FleetStore {
  var enrolled: [DeviceAddress: Device] = [:]
  var workers: [String] = []
  var epochs: [Int: Int64] = [:]
  var records: [StreamKey: StreamRecord] = [:]
  var states: [BeaconKey: BeaconState] = [:]
  var batches: [Batch] = []
  var revision: Int64 = 1
  /// Decides whether a write fails.
  var refuses: (Batch) throws -> Void = { _ in }
  /// Decides whether a test write fails.
  var testsWrite: () throws -> Void = {}
  var mostBeacons = 100
  var beaconQueries = 0
  var erased: Set<BeaconKey> = []
  private var nextBeacon: Int32 = 0
  var placed: [SiteDevice] = []
  var surveys: [LoadedSurvey] = []
  var surveyQueries = 0
  var offsets: [Int32: [UInt8]] = [:]
  /// The beacons that are in a room.
  var roomed: [BeaconKey: LoadedBeacon] = [:]
  /// The messages to devices without an acknowledgement, with the time before which each is not sent again.
  var messages: [(waiting: WaitingMessage, device: Int32, queue: Int, isSent: Bool)] = []
  var hasNotice = false
  var messageQueries = 0

  func register(worker: String) -> [String] { workers + [worker] }

  func acquire(queue: Int, worker: String) -> Int64 {
    epochs[queue, default: 0] += 1
    return epochs[queue, default: 0]
  }

  func devices(at addresses: [DeviceAddress]) -> [DeviceAddress: Device] { enrolled.filter { addresses.contains($0.key) } }
  func streams(_ keys: [StreamKey]) -> [StreamKey: LoadedStream] { records.filter { keys.contains($0.key) }.mapValues { .record($0) } }

  func beacons(_ keys: [BeaconKey], silentSince: Int64) -> LoadedBeacons {
    beaconQueries += 1
    var evicted: [BeaconKey] = []
    for key in keys where states[key] == nil && !erased.contains(key) {
      if states.count >= mostBeacons, let old = states.first(where: { $0.value.lastSeen < silentSince })?.key {
        states[old] = nil
        evicted.append(old)
      }
      nextBeacon += 1
      if states.count < mostBeacons { states[key] = BeaconState(id: nextBeacon) }
    }
    return LoadedBeacons(
      found: states.filter { keys.contains($0.key) }.mapValues { LoadedBeacon(state: $0) }, evicted: evicted,
      erased: keys.filter { erased.contains($0) })
  }

  func sites(_ sites: [Int32]) -> [Int32: LoadedSite] {
    Dictionary(
      uniqueKeysWithValues: sites.map {
        ($0, LoadedSite(devices: placed, offsets: offsets[$0], beacons: roomed, surveys: surveys.map(\.key).sorted()))
      })
  }

  func surveys(of site: Int32) -> [LoadedSurvey] {
    surveyQueries += 1
    return surveys
  }

  func testWrite() throws { try testsWrite() }

  func write(_ batch: Batch) throws -> Int64 {
    try refuses(batch)
    for (queue, epoch) in batch.epochs where epochs[queue] != epoch { throw Stop() }
    batches.append(batch)
    records.merge(batch.streams) { $1 }
    offsets.merge(batch.offsets) { $1 }
    for index in surveys.indices { surveys[index].corrections = batch.corrections[surveys[index].key] ?? surveys[index].corrections }
    for row in batch.beacons where row.room == nil { roomed = roomed.filter { $0.value.state.id != row.state.id } }
    messages.removeAll { message in
      batch.acknowledged.contains { $0.device == message.device && $0.number == message.waiting.message.number }
    }
    for state in batch.beacons.map(\.state) {
      for (key, old) in states where old.id == state.id { states[key] = state }
    }
    return revision
  }

  func hasMessageNotice() -> Bool {
    defer { hasNotice = false }
    return hasNotice
  }

  func dueMessages(for devices: Set<Int32>, newIn queues: Set<Int>, limit: Int) -> [WaitingMessage] {
    messageQueries += 1
    let due = messages.indices.filter {
      devices.contains(messages[$0].device) || !messages[$0].isSent && queues.contains(messages[$0].queue)
    }
    return due.prefix(limit).map { messages[$0].waiting }
  }

  func noteSent(_ sent: [WaitingMessage]) {
    for index in messages.indices where sent.contains(messages[index].waiting) { messages[index].isSent = true }
  }

  var digests: [MessageRow] { batches.flatMap { $0.digests.map(\.row) } }

  var setAside: [SetAsideRow] { batches.flatMap(\.setAside) }

  func refused(_ reason: Refusal.Reason) -> Int64 {
    batches.reduce(0) { sum, batch in sum + batch.refusals.filter { $0.key.reason == reason }.values.reduce(0) { $0 + $1.messages } }
  }
}

/// A log of outages, in which each error whose text has "full" means a full disk.
final class ListOutages: OutageLog {
  /// The sign of a full disk, which the test may end.
  final class Sign: OutageSign {
    var isGone = false
    func check() throws { if isGone { throw Stop() } }
  }

  var isDown = false
  /// The signs that were made, with the seconds since the start of the outage. Released ones are nil.
  private(set) var signs: [(seconds: Int, sign: () -> Sign?)] = []
  /// The outages that were stored, in seconds with the gap.
  private(set) var stored: [[Int]] = []
  /// The alarms that were noted, with the seconds since then.
  private(set) var alarms: [String] = []

  func isOfFullDisk(_ error: any Error) -> Bool { "\(error)".contains("full") }

  func showFullDisk(for time: Span) throws -> any OutageSign {
    guard !isDown else { throw Stop() }
    let sign = Sign()
    signs.append((Int(time.seconds), { [weak sign] in sign }))
    return sign
  }

  func storeFullDisk(for time: Span, joining gap: Span) throws {
    guard !isDown else { throw Stop() }
    stored.append([Int(time.seconds), Int(gap.seconds)])
  }

  func note(alarm: String?, for time: Span) throws {
    guard !isDown else { throw Stop() }
    alarms.append(alarm.map { "\($0) \(Int(time.seconds))" } ?? "none")
  }
}

/// A broker whose messages wait in a list. A silent call to `next` advances the clock.
final class ListSource: QueueMessageSource {
  let clock: ManualClock
  var waiting: [QueueMessage] = []
  var calls: [String] = []
  private var tag: UInt64 = 0

  init(_ clock: ManualClock) { self.clock = clock }

  func add(_ body: [UInt8], key: String, queue: Int, isRedelivered: Bool = false) {
    tag += 1
    waiting.append(QueueMessage(queue: queue, tag: tag, routingKey: key, body: body, isRedelivered: isRedelivered))
  }

  func open(queue: Int) { calls.append("open \(queue)") }
  func close(queue: Int) { calls.append("close \(queue)") }
  func acknowledge(queue: Int, through tag: UInt64) { calls.append("acknowledge \(queue) \(tag)") }

  func next(within time: Span) -> QueueMessage? {
    if !waiting.isEmpty { return waiting.removeFirst() }
    clock.uptime += time
    return nil
  }
}

/// A broker that notes what was published.
final class ListPublisher: MessagePublisher {
  var published: [(number: Int64, key: String)] = []
  var isDown = false
  var attempts = 0

  func publish(_ octets: [UInt8], routingKey: String) throws {
    attempts += 1
    guard !isDown else { throw Stop() }
    published.append((try HubMessage(octets).number, routingKey))
  }
}

/// A session with a device `berlin.door`, its store and its broker.
struct Bench {
  // swift-format-ignore: NeverForceUnwrap
  static let map = QueueMap(queues: 8)!
  // swift-format-ignore: NeverForceUnwrap
  static let address = FleetAddress(site: "berlin", device: "door")!
  let clock = ManualClock()
  let store = MemoryStore()
  let source: ListSource
  let publisher = ListPublisher()
  let session: IngestSession

  init() {
    source = ListSource(clock)
    store.enrolled[Self.address] = Device(id: 7, site: 3, isRevoked: false, numbering: NumberingHistory())
    session = Self.session(store, source, clock, publisher)
  }

  static func session(
    _ store: MemoryStore, _ source: ListSource, _ clock: ManualClock, _ publisher: ListPublisher = ListPublisher(),
    report: @escaping (String) -> Void = { _ in }
  ) -> IngestSession {
    IngestSession(worker: "b", map: map, store: store, source: source, publisher: publisher, clock: clock, report: report)
  }

  static var queue: Int { map.queue(ofPartition: address.partition) }

  static func digest(_ sequence: Int64, floor: Int64 = 1, time: Int64 = 1_700_000_000_000, minor: UInt16 = 1, journal: UInt64 = 1)
    -> [UInt8]
  {
    let beacon = BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 1, minor: minor)
    let sighting = FleetSighting(beacon: beacon, level: -60, distance: nil, rate: 10, age: 0)
    return FleetMessage(
      journal: StreamJournal(high: 0, low: journal), sequence: sequence, floor: floor, time: time, body: .digest([sighting])
    ).octets
  }

  static func event(_ sequence: Int64, _ json: String = #"{"event":"enter"}"#) -> [UInt8] {
    FleetMessage(journal: StreamJournal(high: 0, low: 9), sequence: sequence, floor: 1, time: 0, body: .event(json: json)).octets
  }

  func send(_ body: [UInt8]) { source.add(body, key: Self.address.routingKey, queue: Self.queue) }

  /// Runs the session until all is stored.
  func settle(_ session: IngestSession? = nil) throws {
    for _ in 0..<source.waiting.count + 4 { try (session ?? self.session).step() }
  }
}
