import BeaconAdvertising
import ConsentService
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
import Positioning
import ProgramSupport
import Proximity
import Ranging
import Records
import Regions

/// Connects a source, the engine that it drives, and the bus that publishes the results.
final class Monitor {
  private(set) var driver: EngineDriver
  let sightings: any SightingSource
  /// Called when the source has failed for good.
  var onFailure: (Failure) -> Void = { _ in }
  let loop: Loop
  let keeper: JournalKeeper
  let ownBeacons: OwnBeacons
  let consent: ConsentService
  let positioning: PositioningService
  /// The accuracy that was requested for the circles that are watched now.
  var circleAccuracy: DesiredAccuracy?
  let registrations: Registrations
  private var transmissions: [BeaconTransmission]
  let log: Logger
  private var service: MonitorService?
  let recorder: Recorder
  private var hasStarted = false
  private(set) var isClockKnown = false
  /// The number of sessions that scan; they share one scan.
  var scanners = 0
  private var kindsBeforeScan = Tally<AdvertisementKind>()
  private var lastSaved = Instant(microseconds: 0)
  /// Whether the saved states of the config's regions have been read; a file that has not been read is not overwritten.
  private var hasRestored = false
  /// The time since which a circle that is far away suspends the scan.
  /// It is nil while the source scans for beacons, and while no region requests it.
  private(set) var awaySince: Instant?
  /// Whether a scan was worthwhile when the demand was last set.
  private var wasScanWorthwhile = true
  /// The last reload, if it was refused.
  var refusedReload: RefusedReload? {
    didSet { service?.refusedReloadChanged() }
  }

  init(
    _ sightings: any SightingSource, _ configuration: Configuration, _ journal: JournalKeeper, _ consent: ConsentService,
    _ registrations: Registrations, _ positioning: PositioningService, _ connection: DBusConnection, log: Logger
  ) throws(Failure) {
    loop = connection.loop
    self.consent = consent
    self.registrations = registrations
    self.positioning = positioning
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

  /// Starts the source, unless it is already running.
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
    positioning.onOutput = { [unowned self] in take($0) }
    positioning.onSourcesChange = { [unowned self] in service?.locationSourcesChanged() }
    positioning.onHealthChange = { [unowned self] in service?.locationHealthChanged() }
    locateForCircles()
    sightings.start { [unowned self] in follow($0) }
    ownBeacons.onChange = { [unowned self] in service?.advertisementsChanged() }
    ownBeacons.onScanInTheWay = { [unowned self] in sightings.yield(adapter: $0) }
    ownBeacons.send(transmissions)
  }

  /// Applies another configuration; unchanged regions continue without interruption.
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

  /// Passes the present time to the engine, whose clock otherwise stands still between sightings, before a request begins.
  func letTimePass() {
    guard isClockKnown else { return }
    publish(driver.step([], through: sightings.now))
  }

  /// Makes a change that begins regions.
  func begin(_ change: (inout ProximityEngine) -> Void) {
    letTimePass()
    adjust(change)
  }

  func adjust(_ change: (inout ProximityEngine) -> Void) {
    driver.adjust(change)
    demandChanged()
    // A client gets the answer about a new region before the events that a known fix causes.
    if hasStarted { loop.enqueue { [weak self] in self?.locateForCircles() } }
  }

  /// Updates the demand; a recording needs all advertisements.
  private func demandChanged() {
    wasScanWorthwhile = driver.engine.isScanWorthwhile
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

// MARK: Steps of the source

extension Monitor {
  private func follow(_ step: SourceStep) {
    switch step {
    case .started(let time):
      isClockKnown = true
      driver.start(at: time)
      restore(at: time)
      if let location = positioning.location { hold(location) }
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
      // A client that reads the results finds their cause on the bus already.
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

  /// Drops a fix that is too old: the engine's clock stands still while the machine sleeps, but the device may move.
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

  /// Stores events at the config's regions in the journal before they are sent; a client that misses one can fetch it later.
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

  /// Follows a scan that has become worthwhile, or is no longer so.
  private func followScanGate() {
    if driver.engine.isScanWorthwhile != wasScanWorthwhile { demandChanged() }
  }

  /// Returns the event as every program sees it, before it is in a journal.
  func details(of event: RegionEvent) -> Event {
    var details = event.event(wallClock: wallClock, adapterName: adapterName)
    details.isClockSynchronised = sightings.isClockSynchronised
    return details
  }

  /// Returns the event of a session's own region, which is in no journal.
  private func passing(_ event: RegionEvent) -> Event {
    var details = details(of: event)
    details.isDurable = false
    return details
  }
}

// MARK: Persistence

extension Monitor {
  /// Saves the states of all regions at the end.
  func end() {
    if isClockKnown { save() }
    consent.writeUsage()
    keeper.close()
    for user in registrations.users.values { user.journal.close() }
  }

  /// The interval for saving facts that only sightings change, such as when a beacon was last received.
  /// After a crash they may be as old as this. It is well below `ProximityEngine.longestOutage`.
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

  /// Restores the states when a file that failed at the start can be opened.
  private func restoreLate() {
    let saved = keeper.savedRegions(at: wallClock(sightings.now))
    letTimePass()
    restore(saved, at: driver.engine.now)
    demandChanged()
  }

  /// Restores only regions whose state is still unknown.
  private func restore(_ saved: (regions: [SavedRegion], outage: Span?)?, at time: Instant) {
    hasRestored = keeper.isDurable
    guard let saved else { return }
    let wallTime = wallClock(time)
    let unknown = saved.regions.filter { isUnknown($0.identifier) }
    driver.adjust { $0.restore(unknown, after: saved.outage, at: time) { time + ($0 - wallTime) } }
  }

  /// Returns whether the state of a region is still unknown.
  func isUnknown(_ identifier: String, of owner: RegionOwner = .config) -> Bool {
    driver.engine.saved(identifier, of: owner, wallClock: wallClock)?.remembered == .unknown
  }
}
