import BeaconAdvertising
import BeaconHealth
import Beacons
import ConfigurationTree
import Consent
import ConsentService
import Instants
import LocationArbitration
import Locations
import Logging
import Monitoring
import Positioning
import Ranging
import Regions
import TestSupport
import Testing
import Venues

/// The files of a device, which survive its daemon, and one run of the services on them.
final class Scene {
  static let uuid = BeaconUUID(high: 0x8ec7_6ea3_6668_48da, low: 0x9866_75be_8bc8_6f4d)
  static let user: UInt32 = 1000

  let scheduler = ManualScheduler()
  let source = FakeSource()
  let bus = FakeBus()
  let lines = LogLines()
  let files: Files
  let consent: ConsentService
  let monitoring: MonitoringService

  /// The files that survive.
  final class Files {
    let journal = FakeStore("config")
    let consent = FakeConsentFile()
    var users: [UInt32: FakeStore] = [:]

    func user(_ number: UInt32) -> FakeStore {
      let store = users[number].flatMap { $0.isErased ? nil : $0 } ?? FakeStore("user-\(number)")
      users[number] = store
      return store
    }
  }

  init(
    _ files: Files = Files(), _ regions: [Region] = [], catalogue: Catalogue = Catalogue(), languages: [String] = [],
    adapters: [AdapterSettings] = [], learned: (any LearnedFile)? = nil,
    health: BeaconHealthSettings = BeaconHealthSettings()
  ) {
    self.files = files
    let (scheduler, log) = (scheduler, lines.logger)
    func journal(_ store: FakeStore) -> JournalService { JournalService(scheduler, store, heartbeat: { Heartbeat(time: $0) }, log: log) }
    consent = ConsentService(scheduler, files.consent, FakeDirectory(), FakeDialog(), ownUser: 990, rules: [], log: log)
    source.configure(adapters)
    let positioning = PositioningService(scheduler, [], FakeClock(), nil, log: log)
    monitoring = MonitoringService(
      scheduler, source,
      MonitoringSettings(
        regions: regions, adapters: adapters, ranging: RangingSettings(), catalogue: catalogue, languages: languages,
        health: health),
      journal: journal(files.journal), consent: consent, registrations: Registrations(files.consent, log: log), positioning: positioning,
      indoor: IndoorSource(FakeClock()), decoder: FakeDecoder(), learnedFile: learned,
      openJournal: { journal(files.user($0)) }, log: log)
    positioning.onOutput = { [unowned monitoring] in monitoring.take($0) }
    monitoring.bus = bus
    monitoring.start()
  }

  /// The regions of the beacons with these majors, left after 30 s of silence.
  static func regions(_ names: [String: UInt16]) throws -> [Region] {
    names.sorted { $0.key < $1.key }.map { name, major in
      .beacon(BeaconRegion(identifier: name, constraint: BeaconConstraint(uuid: uuid, major: major), exitDelay: .seconds(30)))
    }
  }

  func decide(_ authorization: Authorization?) throws { try consent.decide(.user(Self.user), authorization, by: Person(0)) }

  /// Registers the region of the beacon with that major for an app of the user.
  func register(_ identifier: String, major: Int, app: String = "org.example.Guide") throws {
    let app = try #require(AppID(app))
    let client = ConsentClient(busName: ":1.1", person: Person(Self.user), app: app, purpose: try #require(Purpose("Greets you")))
    let definition = ["identifier": ConfigurationNode(.text(identifier)), "major": ConfigurationNode(.integer(major))]
    try monitoring.register(definition, as: identifier, of: app, for: client)
  }

  func unregister(_ identifier: String?, app: String = "org.example.Guide") throws {
    try monitoring.unregister(identifier, of: try #require(AppID(app)), user: Self.user)
  }

  private final class FakeClock: LocationClock {
    let now = Instant(microseconds: 0)
    let speed = 1.0
    func wallClock(_ instant: Instant) -> Instant { instant }
  }
}
