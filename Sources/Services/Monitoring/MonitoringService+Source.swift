import BeaconAdvertising
import BeaconHealth
import Consent
import ConsentService
import Diagnostics
import Events
import IndoorPositioning
import Instants
import Logging
import Positioning
import Proximity
import Records
import Regions

// MARK: Steps of the source

extension MonitoringService {
  func follow(_ step: SourceStep) {
    switch step {
    case .started(let time):
      isClockKnown = true
      driver.start(at: time)
      startHealth(at: time)
      applyLearned()
      restoreAll(at: time)
      if let location = positioning.location {
        hold(location)
        gateVenues(location)
      }
      follow(positioning.motion, at: source.now)
    case .heard(let heard, let time):
      dropOldFix(at: time)
      // After the machine was suspended, the motion before it does not apply to these sightings.
      follow(positioning.motion, at: driver.engine.now)
      publish(driver.step(heard, through: time))
      watch(heard, through: time)
      source.wake = nextWake
      if time - lastSaved >= Self.saveInterval { saveAll() }
      if bus?.isCongested == true, !source.isHeld {
        log.notice("the bus does not accept messages; \(source.name) is paused")
        source.isHeld = true
      }
    case .stalled(let start, let end):
      driver.adjust { $0.setReception(source.receivers.paused, at: start) }
      publish(driver.step([], through: end))
      driver.adjust { $0.setReception(source.receivers, at: end) }
      publish(driver.step([], through: end))
      health.skip(to: end)
      source.wake = nextWake
    case .moved(let motion, _): positioning.take(recorded: motion)
    case .changed(let time):
      // The cause is on the bus before its results.
      sourceChanged()
      driver.adjust { $0.setReception(source.receivers, at: time) }
      followReception(at: time)
      applyLearned()
      publish(driver.step([], through: time))
      source.wake = nextWake
    case .failed(let failure):
      onFailure(failure)
    }
  }

  func sourceChanged() {
    bus?.sourceChanged()
    do {
      try bus?.updateAdapters()
    } catch {
      log.error("cannot publish the adapters on the bus; restart beaconmond: \(error)")
    }
  }
}

// MARK: Results

extension MonitoringService {
  /// Stores events in their journals before they are sent; a client that misses one can fetch it later.
  func publish(_ outputs: [EngineDriver.Output]) {
    defer { followScanGate() }
    guard !outputs.isEmpty else { return }
    var kept = keep(outputs.compactMap { if case .event(let event) = $0 { event } else { nil } })
    for output in outputs {
      switch output {
      case .snapshots(let snapshots, let time): bus?.publish(snapshots, at: time)
      case .positioned(let position):
        let time = position.output.time
        indoor.take(position, age: max(.zero, source.now - time), time: wallClock(time))
      case .scanned(let snapshot): bus?.publish(snapshot, kinds: source.counts.kinds - kindsBeforeScan)
      case .event(let event):
        let owner = event.transition.region.owner
        let isKept = owner == .config || owner.user != nil
        eventCounts[event.transition.kind, default: 0] += 1
        guard let details = isKept ? kept[owner.row]?.popFirst() : passing(event) else { continue }
        do {
          try bus?.publish(event, details: details)
        } catch {
          if isKept {
            unsentEventCount += 1
            log.notice(
              "event \(event.sequence) at \(event.transition.region.identifier) is in the journal only: \(error)",
              metadata: LogMessage.eventNotSent.fields(of: details).mapValues { .string($0) })
          }
        }
      }
    }
  }

  /// Stores the events at regions that have a journal, and returns them as they may be sent.
  ///
  /// They are in order, by the owner that numbers them.
  private func keep(_ events: [RegionEvent]) -> [RegionOwner: ArraySlice<Event>] {
    var kept: [RegionOwner: ArraySlice<Event>] = [:]
    for row in Set(events.map(\.transition.region.owner.row)) {
      guard let regions = journaledRegions(of: row) else { continue }
      kept[row] = keep(events.filter { $0.transition.region.owner.row == row }, at: regions)[...]
    }
    return kept
  }

  private func keep(_ events: [RegionEvent], at regions: JournaledRegions) -> [Event] {
    var touched: [RegionOwner: Set<String>] = [:]
    for region in events.map(\.transition.region) { touched[region.owner, default: []].insert(region.identifier) }
    let states = touched.flatMap { owner, identifiers in
      identifiers.compactMap { regions.member($0, of: owner).flatMap(saved) }
    }
    let annotated = events.map { event in
      var details = details(of: event)
      details.appID = regions.user?.app(of: event.transition.region.owner)?.description
      return details
    }
    return regions.journal.commit(annotated, states, at: wallClock(driver.engine.now))
  }

  /// Returns the regions whose events `row` numbers; nil for those of a session, which have no journal.
  private func journaledRegions(of row: RegionOwner) -> JournaledRegions? {
    row == .config ? configured : registrations.user(of: row).flatMap { registered[$0.number] }
  }

  /// Returns the event as every program sees it, before it is in a journal.
  private func details(of event: RegionEvent) -> Event {
    var details = event.event(wallClock: wallClock, adapterName: adapterName)
    details.isClockSynchronised = source.isClockSynchronised
    catalogue.addNames(of: event.transition, preferring: languages, to: &details)
    return details
  }

  /// Returns the event of a session's own region, which is in no journal.
  private func passing(_ event: RegionEvent) -> Event {
    var details = details(of: event)
    details.isDurable = false
    return details
  }

  /// Follows a scan that has become worthwhile, or is no longer so, for regions or for venues.
  /// The motion of the device matters only while a venue is heard.
  private func followScanGate() {
    positioning.setMotion(driver.usesMotion, for: .venue)
    if driver.engine.isScanWorthwhile != wasScanWorthwhile || driver.venueDemand != lastVenueDemand { demandChanged() }
  }
}
