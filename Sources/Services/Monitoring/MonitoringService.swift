import BeaconAdvertising
import BeaconHealth
import Beacons
import ConsentService
import Events
import Failures
import Geocoding
import IndoorPositioning
import Instants
import LocationArbitration
import Logging
import Motion
import Positioning
import Proximity
import Ranging
import Records
import Regions
import Scheduling
import Status
import Venues

/// Drives the engine with a source and fixes, and publishes the results.
///
/// It watches the regions of the config, of sessions and of apps.
public final class MonitoringService {
  /// Receives the failure when the source has failed for good.
  public var onFailure: (Failure) -> Void = { _ in }
  /// Receives each motion that the engine takes, and its time on the source's clock, for recordings.
  public var onMotion: (DeviceMotion, Instant) -> Void = { _, _ in }
  /// The bus; nil before it is set up.
  public var bus: (any MonitoringBus)?
  /// The source of sightings.
  public let source: any SightingSource
  /// The journal of the config's regions.
  public var journal: JournalService { configured.journal }
  /// The beacons and places of the venues.
  public private(set) var catalogue: Catalogue
  /// The languages of their names, the best one first.
  public private(set) var languages: [String]
  var receiver: FixedReceiver?
  /// Looks up the addresses of locations that have no name; nil if no server is configured.
  public var geocoding: GeocodingService?
  /// False until the source has reported its time.
  public internal(set) var isClockKnown = false
  /// Whether a recording needs every advertisement.
  public var isRecording = false {
    didSet { demandChanged() }
  }

  /// Returns why there is no compass, and what to do; nil while there is one.
  public var lackOfCompass: () -> String? = { "this device has no magnetometer and no compass" }

  var driver: EngineDriver
  /// The number of clients that want the reception of ranged beacons.
  var receptionClients = 0
  let consent: ConsentService
  let positioning: PositioningService
  let registrations: Registrations
  /// The indoor position as a location source.
  let indoor: IndoorSource
  let decoder: any RegionDecoder
  let scheduler: any Scheduler
  let log: Logger
  /// Opens the journal of a user's registered regions.
  let openJournal: (UInt32) -> JournalService
  let configured: JournaledRegions
  /// The registered regions by user number.
  var registered: [UInt32: JournaledRegions] = [:]
  /// The regions that have a journal.
  var journaled: [JournaledRegions] { [configured] + registered.values }
  /// The accuracy that was requested for the circles that are watched now.
  var circleAccuracy: DesiredAccuracy?
  var lastSaved = Instant(microseconds: 0)
  /// The number of sessions that scan; they share one scan.
  var scanners = 0
  var learned: LearnedReceivers
  /// The watch for expected beacons.
  var health: BeaconHealthMonitor
  /// The file of what is learned about expected beacons; nil keeps it in memory.
  let beaconFile: (any LearnedFile)?
  /// Whether what was learned about expected beacons has been read.
  var hasReadBeacons = false
  /// The time at which what is learned about expected beacons was stored last.
  var lastSavedBeacons = Instant(microseconds: 0)
  /// The beacons whose doubtful place is in the log.
  var loggedBeacons: Set<BeaconIdentity> = []
  /// The receivers whose wrong offset is in the log, by venue and adapter.
  var loggedReceivers: Set<[String]> = []
  var kindsBeforeScan = Tally<AdvertisementKind>()
  /// The events since the start by kind, of all regions.
  public internal(set) var eventCounts: [Event.Kind: Int] = [:]
  /// The events that are in the journal only, because the bus did not take them.
  public internal(set) var unsentEventCount = 0
  private(set) var hasStarted = false
  /// The time since which a circle that is far away suspends the scan.
  /// Nil while the source scans for beacons, and while no region requests a scan.
  var awaySince: Instant?
  /// Whether a scan was worthwhile when the demand was last set.
  var wasScanWorthwhile = true
  /// The demand of the venues when the demand was last set.
  var lastVenueDemand = HearingDemand.nothing

  /// - Parameters:
  ///   - journal: the journal of the config's regions.
  ///   - indoor: the source among those of `positioning` to which this service delivers the indoor position.
  ///   - learnedFile: the file of what is learned about receivers at venues; nil keeps it in memory.
  ///   - openJournal: opens the journal of a user's registered regions.
  public init(
    _ scheduler: any Scheduler, _ source: any SightingSource, _ settings: MonitoringSettings, journal: JournalService,
    consent: ConsentService, registrations: Registrations, positioning: PositioningService, indoor: IndoorSource,
    decoder: any RegionDecoder, learnedFile: (any LearnedFile)? = nil, openJournal: @escaping (UInt32) -> JournalService, log: Logger
  ) {
    self.scheduler = scheduler
    self.source = source
    self.consent = consent
    self.registrations = registrations
    self.positioning = positioning
    self.indoor = indoor
    learned = LearnedReceivers(learnedFile)
    health = BeaconHealthMonitor(settings.health)
    beaconFile = learnedFile
    self.decoder = decoder
    self.openJournal = openJournal
    self.log = log
    configured = JournaledRegions(journal)
    catalogue = settings.catalogue
    receiver = settings.receiver
    languages = settings.languages
    let engineSettings = EngineSettings(ranging: settings.ranging(of: source.roster))
    var engine = ProximityEngine(settings: engineSettings, at: Instant(microseconds: 0), lastSequence: journal.lastSequence)
    engine.replaceRegions(with: settings.regions, at: engine.now)
    driver = EngineDriver(engine: engine)
    followVenues()
    expectBeacons()
    source.demand = demand
    updateRegistrations()
    positioning.onFix = { [unowned self] in gateVenues($0) }
    positioning.onMotion = { [unowned self] in follow($0, at: self.source.now) }
    indoor.onSwitch = { [unowned self] isOn in
      letTimePass()
      driver.setPositioning(isOn)
      demandChanged()
    }
  }

  /// Starts the source, unless it is already running.
  public func start() {
    guard !hasStarted else { return }
    hasStarted = true
    journal.onChange = { [unowned self] in
      bus?.journalChanged()
      journalChanged(configured)
    }
    consent.onChange = { [unowned self] in
      updateRegistrations()
      bus?.consentChanged()
    }
    bus?.onDrained = { [unowned self] in source.isHeld = false }
    locateForCircles()
    source.start { [unowned self] in follow($0) }
  }

  /// Applies another configuration; unchanged regions continue without interruption.
  public func reconfigure(_ settings: MonitoringSettings) {
    letTimePass()
    // The learned offsets belong to the levels that were configured until now.
    noteLearned()
    source.configure(settings.adapters)
    driver.adjust { $0.calibrate(settings.ranging(of: source.roster)) }
    followHealth(settings)
    let hasOtherVenues = settings.catalogue.venues != catalogue.venues || settings.receiver != receiver
    (catalogue, receiver, languages) = (settings.catalogue, settings.receiver, settings.languages)
    if hasOtherVenues { followVenues() }
    begin { $0.replaceRegions(with: settings.regions, at: $0.now) }
    expectBeacons()
    noteLearned()
    applyLearned()
    do {
      try bus?.updateRegions()
      try bus?.updateAdapters()
    } catch {
      log.error("cannot publish the regions on the bus; restart beaconmond: \(error)")
    }
  }

  /// Retries the journals that fail.
  public func retryJournals() {
    for regions in journaled { regions.journal.retry() }
  }

  /// Saves the states of all regions, and closes the journals; the service is not used afterwards.
  public func end() {
    if isClockKnown {
      saveAll()
      saveBeacons()
    }
    for regions in journaled { regions.journal.close() }
  }
}
