import BeaconAdvertising
import DBus
import Diagnostics
import EventLoop
import Events
import Failures
import Instants
import Locating
import Logging
import MonitorService
import MonitorConfiguration
import ProgramSupport
import Proximity
import Ranging
import Records
import Regions

/// A source, the engine that it drives, and the bus that hears what comes of it.
final class Monitor {
  private(set) var driver: EngineDriver
  let sightings: any SightingSource
  /// There is nothing to monitor and there never will be.
  var onFailure: (Failure) -> Void = { _ in }
  private let loop: Loop
  let keeper: JournalKeeper
  let ownBeacons: OwnBeacons
  let consent: ConsentKeeper
  let locationKeeper: LocationKeeper
  /// What the circles that are watched now were said to need.
  var circleAccuracy: DesiredAccuracy?
  let registrations: Registrations
  private var transmissions: [BeaconTransmission]
  let log: Logger
  private var service: MonitorService?
  let recorder: Recorder
  private var hasStarted = false
  private(set) var isClockKnown = false
  /// Sessions that scan; they share one scan.
  var scanners = 0
  private var kindsBeforeScan = Tally<AdvertisementKind>()
  private var lastSaved = Instant(microseconds: 0)
  /// Whether the file with the states of the config's regions has been read; nothing is saved over what nobody has read.
  private var hasRestored = false
  /// Since when a circle that is far away holds the scan off; nil while beacons are scanned for, and while no region asks for it.
  private(set) var awaySince: Instant?
  /// Whether a scan was worthwhile when the source was last told what is wanted.
  private var wasScanWorthwhile = true
  /// The last reload, while it is one that was refused.
  var refusedReload: RefusedReload? {
    didSet { service?.refusedReloadChanged() }
  }

  init(
    _ sightings: any SightingSource, _ configuration: Configuration, _ journal: JournalKeeper, _ consent: ConsentKeeper,
    _ registrations: Registrations, _ locationKeeper: LocationKeeper, _ connection: DBusConnection, log: Logger
  ) throws(Failure) {
    loop = connection.loop
    self.consent = consent
    self.registrations = registrations
    self.locationKeeper = locationKeeper
    self.sightings = sightings
    self.log = log
    keeper = journal
    recorder = Recorder(loop, sightings)
    transmissions = configuration.transmissions
    ownBeacons = OwnBeacons(loop, log: log)
    let settings = EngineSettings(ranging: configuration.ranging(of: sightings.roster))
    var engine = ProximityEngine(settings: settings, at: Instant(microseconds: 0), lastSequence: journal.lastSequence)
    engine.replaceRegions(with: configuration.regions, at: engine.now)
    driver = EngineDriver(engine: engine)
    sightings.demand = driver.demand
    recorder.onChange = { [unowned self] in demandChanged() }
    updateRegistrations()
    do throws(DBusError) {
      service = try MonitorService(connection, model: self, consent)
    } catch {
      throw Failure(.osError, "\(error)")
    }
  }

  /// There is somebody to tell. A source that tells already goes on.
  func start() {
    guard !hasStarted else { return }
    hasStarted = true
    keeper.onChange = { [unowned self] in
      service?.journalChanged()
      guard keeper.isDurable, isClockKnown else { return }
      if !hasRestored { restoreLate() }
      save()
    }
    consent.onChange = { [unowned self] in
      updateRegistrations()
      service?.consentChanged()
    }
    service?.onDrained = { [unowned self] in sightings.isHeld = false }
    locationKeeper.onOutput = { [unowned self] in take($0) }
    locationKeeper.onSourcesChange = { [unowned self] in service?.locationSourcesChanged() }
    locationKeeper.onHealthChange = { [unowned self] in service?.locationHealthChanged() }
    locateForCircles()
    sightings.start { [unowned self] in follow($0) }
    ownBeacons.onChange = { [unowned self] in service?.advertisementsChanged() }
    ownBeacons.onScanInTheWay = { [unowned self] in sightings.yield(adapter: $0) }
    ownBeacons.send(transmissions)
  }

  /// Goes on with another configuration; regions that are the same notice nothing.
  func reconfigure(_ configuration: Configuration) {
    sightings.configure(configuration.adapters)
    consent.replaceRules(with: configuration.consentRules)
    begin { engine in
      engine.calibrate(configuration.ranging(of: sightings.roster))
      engine.replaceRegions(with: configuration.regions, at: engine.now)
    }
    transmissions = configuration.transmissions
    if hasStarted { ownBeacons.send(transmissions) }
    do {
      try service?.updateRegions()
      try service?.updateAdapters()
    } catch {
      log.error("the regions cannot be shown on the bus: \(error)")
    }
  }

  func beginScan() {
    kindsBeforeScan = sightings.counts.kinds
    letTimePass()
    driver.startScan()
    demandChanged()
  }

  func endScan() {
    driver.stopScan()
    demandChanged()
  }

  /// Between what is heard the engine's clock stands still: what begins now must not begin then.
  func letTimePass() {
    guard isClockKnown else { return }
    publish(driver.step([], through: sightings.now))
  }

  /// A change with which regions begin.
  func begin(_ change: (inout ProximityEngine) -> Void) {
    letTimePass()
    adjust(change)
  }

  func adjust(_ change: (inout ProximityEngine) -> Void) {
    driver.adjust(change)
    demandChanged()
    // Who has just begun with a region is answered before it is told what a fix that is known makes of it.
    if hasStarted { loop.enqueue { [weak self] in self?.locateForCircles() } }
  }

  /// A recording is of all that can be heard.
  private func demandChanged() {
    wasScanWorthwhile = driver.engine.isScanWorthwhile
    // A recorder wants all there is.
    let demand = recorder.isIdle ? driver.demand : .strength
    let isAway = !wasScanWorthwhile && demand == .nothing
    let hasMoved = isAway != (awaySince != nil)
    if hasMoved { awaySince = isAway ? driver.engine.now : nil }
    sightings.demand = demand
    sightings.wake = driver.nextWake
    guard hasMoved else { return }
    log.notice("\(awayNote ?? "beacons are scanned for again")")
    sourceChanged()
  }
}

// MARK: What the source tells

extension Monitor {
  private func follow(_ step: SourceStep) {
    switch step {
    case .started(let time):
      isClockKnown = true
      driver.start(at: time)
      restore(at: time)
      if let location = locationKeeper.location { hold(location) }
    case .heard(let heard, let time):
      dropOldFix(at: time)
      publish(driver.step(heard, through: time))
      sightings.wake = driver.nextWake
      if time - lastSaved >= Self.saveInterval { save() }
      if service?.isCongested == true, !sightings.isHeld {
        log.notice("the bus does not take what is sent to it; \(sightings.name) waits")
        sightings.isHeld = true
      }
    case .changed(let time):
      // Who reads what comes of it finds the cause on the bus already.
      sourceChanged()
      driver.adjust { $0.setReception(sightings.receivers, at: time) }
      publish(driver.step([], through: time))
      sightings.wake = driver.nextWake
    case .failed(let failure):
      onFailure(failure)
    }
  }

  func follow(_ fix: Fix, at time: Instant) {
    publish(driver.step(fix, at: time))
    demandChanged()
  }

  func tell(_ output: Locator.Output) {
    service?.publish(output)
  }

  /// The engine's clock stands still while the machine sleeps, and the device may go anywhere all the same.
  func dropOldFix(at time: Instant) {
    guard let fix = driver.engine.lastFix, !fix.isLasting else { return }
    let slept = wallClock(time) - wallClock(fix.time) - (time - fix.time)
    if slept > CircularRegion.hold { loseFixes(at: time) }
  }

  func loseFixes(at time: Instant) {
    driver.adjust { $0.loseFixes(at: time) }
    publish(driver.step([], through: time))
  }

  private func sourceChanged() {
    service?.sourceChanged()
    do {
      try service?.updateAdapters()
    } catch {
      log.error("the adapters cannot be shown on the bus: \(error)")
    }
  }

  /// An event at a region of the config is in the journal before anybody hears of it; who does not hear it now can ask for it later.
  private func publish(_ outputs: [EngineDriver.Output]) {
    let all = outputs.compactMap { if case .event(let event) = $0 { event } else { nil } }
    let events = all.filter { $0.transition.region.owner == .config }
    let regions = Set(events.map(\.transition.region.identifier)).compactMap { driver.engine.saved($0, wallClock: wallClock) }
    defer { followScanGate() }
    var configured = keeper.commit(events.map { details(of: $0) }, regions, at: wallClock(driver.engine.now))[...]
    var registered = keepRegistered(all)
    for output in outputs {
      switch output {
      case .snapshots(let snapshots, let time): service?.publish(snapshots, at: time)
      case .scanned(let snapshot): service?.publish(snapshot, kinds: sightings.counts.kinds - kindsBeforeScan)
      case .event(let event):
        let owner = event.transition.region.owner
        let isKept = owner == .config || owner.user != nil
        let kept = owner.user.map { registered[$0]?.popFirst() } ?? (isKept ? configured.popFirst() : nil)
        guard let details = isKept ? kept : passing(event) else { continue }
        do throws(DBusError) {
          try service?.publish(event, details: details)
        } catch {
          if isKept {
            log.notice(
              "event \(event.sequence) at \(event.transition.region.identifier) is in the journal only: \(error)",
              metadata: .init(.eventNotSent, details))
          }
        }
      }
    }
  }

  /// A scan is not worthwhile any more, or is again.
  private func followScanGate() {
    if driver.engine.isScanWorthwhile != wasScanWorthwhile { demandChanged() }
  }

  /// The event as every program sees it, before it is in a journal.
  func details(of event: RegionEvent) -> Event {
    var details = event.event(wallClock: wallClock, adapterName: adapterName)
    details.isClockSynchronised = sightings.isClockSynchronised
    return details
  }

  /// The event of a session's own region, which is in no journal.
  private func passing(_ event: RegionEvent) -> Event {
    var details = details(of: event)
    details.isDurable = false
    return details
  }
}

// MARK: What outlives the process

extension Monitor {
  /// The states of all regions, once nothing more will happen.
  func end() {
    if isClockKnown { save() }
    consent.writeUsage()
    keeper.close()
    for user in registrations.users.values { user.journal.close() }
  }

  /// What only sightings change, such as when a beacon was last heard, may be so old after a crash. Well below `ProximityEngine.longestOutage`.
  private static let saveInterval = Span.seconds(300)

  private func save() {
    let engine = driver.engine
    lastSaved = engine.now
    keeper.save(
      engine.watches(of: .config).compactMap { engine.saved($0.region.identifier, wallClock: wallClock) }, at: wallClock(engine.now))
    for user in registrations.users.values { save(user) }
  }

  private func restore(at time: Instant) {
    lastSaved = time
    for user in registrations.users.values where user.isActive { restore(user, at: time) }
    restore(keeper.savedRegions(at: wallClock(time)), at: time)
  }

  /// The file could not be opened at the start, and now it can.
  private func restoreLate() {
    let saved = keeper.savedRegions(at: wallClock(sightings.now))
    letTimePass()
    restore(saved, at: driver.engine.now)
    demandChanged()
  }

  /// Of what is known of a region by now nothing is taken back.
  private func restore(_ saved: (regions: [SavedRegion], outage: Span?)?, at time: Instant) {
    hasRestored = keeper.isDurable
    guard let saved else { return }
    let wallTime = wallClock(time)
    let unknown = saved.regions.filter { isUnknown($0.identifier) }
    driver.adjust { $0.restore(unknown, after: saved.outage, at: time) { time + ($0 - wallTime) } }
  }

  /// Nobody knows yet how it was.
  func isUnknown(_ identifier: String, of owner: RegionOwner = .config) -> Bool {
    driver.engine.saved(identifier, of: owner, wallClock: wallClock)?.remembered == .unknown
  }
}
