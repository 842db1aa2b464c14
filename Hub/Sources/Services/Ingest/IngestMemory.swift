import Beacons
import FleetMessages
import Partitions
import Rooms
import Streams

/// The rows that a worker has read and written, so that it reads each one once.
/// They are valid while it owns the queues they belong to.
struct IngestMemory {
  /// The largest number of rows of a kind between two batches.
  private let limit: Int
  private(set) var devices: [DeviceAddress: Device] = [:]
  private(set) var streams: [StreamKey: LoadedStream] = [:]
  private(set) var beacons: [BeaconKey: BeaconState] = [:]
  private(set) var sites: [Int32: SiteRooms] = [:]
  /// The sites whose rows were forgotten, without their beacons. No row contains everything that their filters have learned.
  private var kept: [Int32: SiteRooms] = [:]
  /// The number of devices in `kept`, at most `limit`.
  private var keptDevices = 0
  /// The beacons that were erased. They are few, because people request each erasure.
  private(set) var erased: Set<BeaconKey> = []
  private var absent: AbsentBeacons
  private var problems: [String] = []
  private var revision: Int64?
  /// The senders and the queues of routing keys, so that each key is read once.
  private var senders: [String: (address: DeviceAddress, queue: Int)] = [:]

  init(limit: Int = 100_000) { (self.limit, absent) = (limit, AbsentBeacons(limit: limit)) }

  /// Forgets all rows, because the database may have others.
  mutating func forget() {
    keepLearned { _ in true }
    let former = self
    self = IngestMemory(limit: limit)
    (kept, keptDevices) = (former.kept, former.keptDevices)
  }

  /// Forgets the rows of a queue, which another worker may change.
  ///
  /// The filters of its sites stay in memory until `forgetLearned`: if this worker is also the next owner, they are still current.
  mutating func forget(queue: Int, _ map: QueueMap) {
    // Sites that were silent since the time before do not fill the memory.
    forgetLearned(queue: queue)
    keepLearned { $0.queue == queue }
    devices = devices.filter { map.queue(ofPartition: $0.key.partition) != queue }
    let ids = Set(devices.values.map(\.id))
    streams = streams.filter { ids.contains($0.key.device) }
    sites = sites.filter { $0.value.queue != queue }
    let known = Set(sites.keys)
    beacons = beacons.filter { known.contains($0.key.site) }
    absent = AbsentBeacons(limit: limit)
  }

  /// Forgets the filters of the sites of a queue, because the filters of another worker have learned more.
  mutating func forgetLearned(queue: Int) {
    kept = kept.filter { $0.value.queue != queue }
    keptDevices = kept.values.reduce(0) { $0 + $1.devices.count }
  }

  private mutating func keepLearned(where isKept: (SiteRooms) -> Bool) {
    for (id, site) in sites where isKept(site) && keptDevices + site.devices.count <= limit {
      var site = site
      site.forgetBeacons()
      keptDevices += site.devices.count - (kept[id]?.devices.count ?? 0)
      kept[id] = site
    }
  }

  /// Returns the corrections of surveys at the sites of a queue that are not written yet.
  mutating func takeCorrections(queue: Int) -> [Int64: [UInt8]] {
    var corrections: [Int64: [UInt8]] = [:]
    for id in sites.keys where sites[id]?.queue == queue { corrections.merge(sites[id]?.takeCorrections() ?? [:]) { $1 } }
    for id in kept.keys where kept[id]?.queue == queue { corrections.merge(kept[id]?.takeCorrections() ?? [:]) { $1 } }
    return corrections
  }

  /// Returns the stored values that were refused, with the reasons, and clears the list.
  mutating func takeProblems() -> [String] {
    defer { problems = [] }
    return problems
  }

  /// Returns the device that sent a message; nil if the routing key does not belong to its queue.
  mutating func sender(of delivery: QueueMessage, _ map: QueueMap) -> DeviceAddress? {
    if let known = senders[delivery.routingKey] { return known.queue == delivery.queue ? known.address : nil }
    guard let address = FleetAddress(routingKey: delivery.routingKey) else { return nil }
    let queue = map.queue(ofPartition: address.partition)
    if senders.count >= limit { senders = [:] }
    senders[delivery.routingKey] = (address, queue)
    return queue == delivery.queue ? address : nil
  }

  /// Reads the rows that these messages need and that are not in memory.
  mutating func load(for messages: [IngestMessage], from store: any FleetStore, now: Int64) throws {
    let addresses = Set(messages.compactMap(\.address)).subtracting(devices.keys)
    if !addresses.isEmpty { devices.merge(try store.devices(at: Array(addresses))) { $1 } }
    let unknownSites = Set(messages.compactMap { $0.address.flatMap { devices[$0]?.site } }).subtracting(sites.keys)
    if !unknownSites.isEmpty {
      let queues = Dictionary(
        messages.compactMap { message in message.address.flatMap { devices[$0] }.map { ($0.site, message.delivery.queue) } }
      ) { $1 }
      for (id, site) in try store.sites(Array(unknownSites)) {
        try enter(site, id, queue: queues[id] ?? 0, from: store, now: now)
        beacons.merge(site.beacons.mapValues(\.state)) { $1 }
      }
    }
    var unknownStreams: Set<StreamKey> = []
    var unknownBeacons: Set<BeaconKey> = []
    for message in messages {
      guard let address = message.address, let device = devices[address], !device.isRevoked, case .success(let content) = message.content
      else { continue }
      let key = StreamKey(device: device.id, stream: content.stream, journal: content.journal)
      if streams[key] == nil { unknownStreams.insert(key) }
      guard message.fault == nil, case .digest(let sightings) = content.body else { continue }
      for sighting in sightings {
        let key = BeaconKey(site: device.site, beacon: sighting.beacon)
        if beacons[key] == nil, !absent.contains(key, now) { unknownBeacons.insert(key) }
      }
    }
    if !unknownStreams.isEmpty { streams.merge(try store.streams(Array(unknownStreams))) { $1 } }
    guard !unknownBeacons.isEmpty else { return }
    let loaded = try store.beacons(Array(unknownBeacons), silentSince: now - AbsentBeacons.span)
    for key in loaded.evicted { beacons[key] = nil }
    if !erased.isEmpty { erased.subtract(unknownBeacons) }
    erased.formUnion(loaded.erased)
    for (key, beacon) in loaded.found {
      beacons[key] = beacon.state
      sites[key.site]?.restore(beacon, of: key.beacon)
    }
    for site in Set(loaded.found.keys.map(\.site)) { noteProblems(of: site) }
    absent.insert(unknownBeacons.subtracting(loaded.found.keys), now)
  }

  /// Adds a site. Its former filter continues if its devices and surveys are the same.
  private mutating func enter(_ site: LoadedSite, _ id: Int32, queue: Int, from store: any FleetStore, now: Int64) throws {
    let former = kept.removeValue(forKey: id)
    keptDevices -= former?.devices.count ?? 0
    if var former, former.queue == queue, former.fits(site) {
      former.resume(site)
      sites[id] = former
    } else {
      sites[id] = SiteRooms(site, surveys: site.surveys.isEmpty ? [] : try store.surveys(of: id), queue: queue, now: now)
    }
    noteProblems(of: id)
  }

  private mutating func noteProblems(of site: Int32) {
    problems += sites[site]?.takeProblems().map { "site \(site): \($0)" } ?? []
  }

  /// Changes the numbering of a device in memory.
  mutating func note(_ journal: StreamJournal, isKnown: Bool, at now: Int64, of address: DeviceAddress) {
    devices[address]?.numbering.note(journal, isKnown: isKnown, at: now)
  }

  /// Changes the numbering of a device's reports in memory.
  mutating func note(report journal: StreamJournal, isKnown: Bool, at now: Int64, of address: DeviceAddress) {
    devices[address]?.numbering.note(report: journal, isKnown: isKnown, at: now)
  }

  /// Whether one of these numbers may not have arrived although a higher one has.
  ///
  /// A stream that is not in memory any more is read and not kept, because its queue may belong to another worker at present.
  func isMissing(_ key: StreamKey, _ numbers: ClosedRange<Int64>, in store: any FleetStore) throws -> Bool {
    guard case .record(let record)? = try streams[key] ?? store.streams([key])[key] else { return false }
    return record.gaps.contains { $0.overlaps(numbers) }
  }

  /// Applies the number of a message; returns nil if the device has too many numberings.
  mutating func take(_ message: FleetMessage, of key: StreamKey) -> (
    verdict: StreamRecord.Verdict, isKnown: Bool, skips: ClosedRange<Int64>?
  )? {
    switch streams[key] {
    case .tooMany?: return nil
    case .record(var record)?:
      let expected = record.highest + 1
      let verdict = record.take(message.sequence, floor: message.floor)
      streams[key] = .record(record)
      return (verdict, true, verdict == .new && message.sequence > expected ? expected...message.sequence - 1 : nil)
    case nil:
      var record = StreamRecord()
      let verdict = record.take(message.sequence, floor: message.floor)
      if verdict == .new { streams[key] = .record(record) }
      return (verdict, false, nil)
    }
  }

  /// Changes the state of a beacon. Returns whether it has one: the site may have too many beacons.
  mutating func sight(_ key: BeaconKey, level: Int, device: Int32, time: Int64) -> Bool {
    beacons[key]?.sight(level: level, device: device, time: time) != nil
  }

  /// Changes the rooms of a site.
  mutating func change<Result>(roomsOf site: Int32, _ change: (inout SiteRooms) -> Result) -> Result? {
    guard let index = sites.index(forKey: site) else { return nil }
    return change(&sites.values[index])
  }

  /// Forgets rows that may be outdated or too many, after a batch is written.
  mutating func trim(revision: Int64) {
    // A device may have another room now, and the filters of the sites begin from their rows again.
    if self.revision != revision || devices.count > limit || beacons.count > limit {
      keepLearned { _ in true }
      (devices, sites, beacons) = ([:], [:], [:])
    }
    self.revision = revision
    if streams.count > limit { streams = [:] }
  }
}

/// The beacons for which a full site had no row, so that a worker does not ask for them with every batch.
struct AbsentBeacons {
  /// The time in milliseconds until a worker asks again, and in which a beacon counts as present.
  static let span: Int64 = 60_000

  private let limit: Int
  private var times: [BeaconKey: Int64] = [:]

  init(limit: Int) { self.limit = limit }

  /// Returns whether the beacon had no row within the last minute. A clock that was set back ends the minute.
  func contains(_ key: BeaconKey, _ now: Int64) -> Bool { times[key].map { (0..<Self.span).contains(now - $0) } ?? false }

  mutating func insert(_ keys: some Collection<BeaconKey>, _ now: Int64) {
    if times.count + keys.count > limit { times = times.filter { (0..<Self.span).contains(now - $0.value) } }
    if times.count + keys.count > limit { times = [:] }
    for key in keys { times[key] = now }
  }
}
