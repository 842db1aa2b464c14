import BeaconAdvertising
import BeaconHealth
import Beacons
import ConfigurationTree
import Events
import IndoorPositioning
import Instants
import Monitoring
import Proximity
import RadioHealth
import Ranging
import Records
import Regions

/// A source whose steps a test makes. Its clock counts from zero; the wall clock is 1,800,000,000 s ahead.
final class FakeSource: SightingSource {
  let name = "fake"
  let choice: String? = nil
  let reason: String? = nil
  var state = SourceState.scanning
  var note: String?
  let counts = AdvertisementCounts()
  let adapters: [AdapterHealth] = []
  var roster = AdapterRoster()
  var receivers = Receivers.all(.hearing)
  var demand = HearingDemand.nothing
  var wake = Instant.never
  var now = Instant(microseconds: 0)
  var isHeld = false
  let isClockSynchronised: Bool? = true
  /// The telemetry that waits.
  var telemetry: [BeaconTelemetry] = []
  private var listener: (SourceStep) -> Void = { _ in }

  func takeTelemetry() -> [BeaconTelemetry] {
    defer { telemetry = [] }
    return telemetry
  }

  func start(_ listener: @escaping (SourceStep) -> Void) { self.listener = listener }
  func configure(_ adapters: [AdapterSettings]) { roster.configure(adapters) }
  func wallClock(_ instant: Instant) -> Instant { instant + .seconds(1_800_000_000) }

  func begin(at seconds: Double = 0) {
    now = .at(seconds)
    listener(.started(at: now))
  }

  /// Hears the beacon `major` 1 m away.
  func hear(_ seconds: Double, major: UInt16 = 1) {
    now = .at(seconds)
    let beacon = BeaconIdentity(uuid: Scene.uuid, major: major, minor: 1)
    listener(.heard([Sighting(beacon: beacon, measuredPower: -59, rssi: -59, time: now)], through: now))
  }

  /// Hears sightings that a test made, and passes to a time.
  func hear(_ sightings: [Sighting], through time: Instant) {
    now = time
    listener(.heard(sightings, through: time))
  }

  /// Hears nothing until `seconds`; the listener is called at each time that it asked for.
  func pass(to seconds: Double) {
    while wake <= .at(seconds) {
      now = max(now, wake)
      listener(.heard([], through: now))
    }
    now = .at(seconds)
    listener(.heard([], through: now))
  }

  /// The process does not run from `start` to `end`.
  func stall(from start: Double, to end: Double) {
    now = .at(end)
    listener(.stalled(from: .at(start), to: now))
  }

  func change(_ receivers: Receivers, _ state: SourceState, at seconds: Double) {
    (now, self.receivers, self.state) = (.at(seconds), receivers, state)
    listener(.changed(at: now))
  }
}

extension Instant { static func at(_ seconds: Double) -> Instant { Instant(microseconds: 0) + .seconds(seconds) } }

/// A journal in memory that survives the service, and whose file a test can make fail.
final class FakeStore: EventStore {
  let name: String
  let earlierJournals: [String] = []
  var isDurable = true
  var note: String?
  let permissionWarning: String? = nil
  var nextRetry = Instant.never
  let damagedEventCount: UInt64 = 0
  let fileSize: UInt64? = nil
  var events: [Event] = []
  var regions: [String: SavedRegion] = [:]
  var heartbeat: Heartbeat?
  private(set) var saveCount = 0
  private(set) var isErased = false
  private(set) var isClosed = false

  init(_ name: String) { self.name = name }

  var lastSequence: UInt64 { events.last?.sequence ?? 0 }

  func commit(_ events: [Event], _ regions: [SavedRegion], _ heartbeat: Heartbeat?, at now: Instant) -> [Event] {
    guard isDurable else { return events }
    let stored = events.map { event in
      var event = event
      (event.journal, event.isDurable) = (name, true)
      return event
    }
    self.events += stored
    for region in regions { self.regions[region.identifier] = region }
    self.heartbeat = heartbeat
    return stored
  }

  func save(_ regions: [SavedRegion], _ heartbeat: Heartbeat, at now: Instant) {
    guard isDurable else { return }
    saveCount += 1
    self.regions = Dictionary(uniqueKeysWithValues: regions.map { ($0.identifier, $0) })
    self.heartbeat = heartbeat
  }

  func savedRegions() -> (regions: [SavedRegion], heartbeat: Heartbeat)? {
    guard isDurable else { return nil }
    return heartbeat.map { (regions.values.sorted { $0.identifier < $1.identifier }, $0) }
  }

  func events(of journal: String, after sequence: UInt64, limit: Int) throws -> [Event]? {
    journal == name ? Array(events.filter { $0.sequence > sequence }.prefix(limit)) : nil
  }

  /// Opens the file if the test has repaired it.
  func retry(at now: Instant) {
    guard isRepaired else { return }
    (isDurable, nextRetry, note) = (true, .never, nil)
  }

  private var isRepaired = true

  /// Makes the file fail until `repair`.
  func fail(retryAt retry: Instant) { (isRepaired, isDurable, nextRetry, note) = (false, false, retry, "disk I/O error") }

  func repair() { isRepaired = true }
  func close() { isClosed = true }
  func erase() { isErased = true }
  func takeFindings() -> [String] { [] }
}

/// A bus that records the published events.
final class FakeBus: MonitoringBus {
  struct Disconnected: Error {}

  var isCongested = false
  var isConnected = true
  var onDrained: () -> Void = {}
  /// `sequence kind region` of each event.
  private(set) var events: [String] = []
  private(set) var details: [Event] = []
  private(set) var snapshots: [[RangedBeacon]] = []
  private(set) var sourceChanges = 0
  private(set) var journalChanges = 0

  func publish(_ event: RegionEvent, details: Event) throws {
    guard isConnected else { throw Disconnected() }
    events.append("\(event.sequence) \(event.transition.kind.rawValue) \(event.transition.region.identifier)")
    self.details.append(details)
  }

  func publish(_ event: Event) throws {
    guard isConnected else { throw Disconnected() }
    events.append("\(event.sequence) \(event.kind?.rawValue ?? "") -")
    details.append(event)
  }

  func publish(_ snapshots: [BeaconConstraint: [RangedBeacon]], at time: Instant) { self.snapshots += snapshots.values }
  func publish(_ snapshot: ScanSnapshot, kinds: Tally<AdvertisementKind>) {}
  func updateRegions() throws {}
  func updateAdapters() throws {}
  func sourceChanged() { sourceChanges += 1 }
  func journalChanged() { journalChanges += 1 }
  func consentChanged() {}
}

/// Regions of one beacon: `identifier` and `major`.
struct FakeDecoder: RegionDecoder {
  func region(_ definition: [String: ConfigurationNode], of owner: RegionOwner) throws(RegionRefusal) -> Region {
    guard case .text(let identifier)? = definition["identifier"]?.value, case .integer(let major)? = definition["major"]?.value else {
      throw RegionRefusal("missing key \"major\"")
    }
    let constraint = BeaconConstraint(uuid: Scene.uuid, major: UInt16(clamping: major))
    return .beacon(BeaconRegion(identifier: identifier, owner: owner, constraint: constraint, exitDelay: .seconds(30)))
  }
}

/// A file of learned offsets, which can be unreadable.
final class FakeLearnedFile: LearnedFile {
  var stored: [LearnedReceiver]
  init(_ stored: [LearnedReceiver] = []) { self.stored = stored }
  var isReadable = true
  func load() -> [LearnedReceiver]? { isReadable ? stored : nil }
  func save(_ receivers: [LearnedReceiver]) { stored = receivers }
  var placements: [String: [PlacementEvidence]] = [:]
  func loadPlacements() -> [String: [PlacementEvidence]]? { isReadable ? placements : nil }
  func save(_ placements: [String: [PlacementEvidence]]) { self.placements = placements }
  /// The expected beacons, and the place where they were learned.
  var beacons: (all: [LearnedBeacon], place: String) = ([], "")
  func loadBeacons(at place: String) -> [LearnedBeacon]? { isReadable ? (place == beacons.place ? beacons.all : []) : nil }
  func save(_ beacons: [LearnedBeacon], at place: String) { self.beacons = (beacons, place) }
  var refusals: Set<RefusedOffset> = []
  func loadRefusals() -> [RefusedOffset]? { isReadable ? Array(refusals) : nil }
  func save(_ refusals: [RefusedOffset]) { self.refusals = Set(refusals) }
  func remove(venue: String?, adapter: String?) {
    stored.removeAll { (venue == nil || $0.venue == venue) && (adapter == nil || $0.adapter == adapter) }
    refusals = refusals.filter { venue != nil && $0.key.venue != venue || adapter != nil && $0.key.adapter != adapter }
  }
}
