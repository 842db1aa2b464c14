import BeaconAdvertising
import BeaconHealth
import Beacons
import Events
import Instants
import Logging
import Proximity
import Ranging
import Records
import Regions
import Status
import Venues

// MARK: Expected beacons

extension MonitoringService {
  /// The interval of storing what is learned about expected beacons, which takes many rows.
  private static let beaconSaveInterval = Span.seconds(3600)

  /// The detail in which the source must hear beacons.
  ///
  /// The watch for silence needs every report, because the gaps differ between demands.
  var demand: HearingDemand {
    isRecording || !health.isIdle && health.settings.isStationary ? .strength : driver.demand
  }

  /// The time of the next step without sightings.
  var nextWake: Instant { min(driver.nextWake, health.nextWake) }

  /// Applies other settings. Values that were learned at another place are forgotten.
  func followHealth(_ settings: MonitoringSettings) {
    let isElsewhere = settings.receiver != receiver || settings.health.isStationary != health.settings.isStationary
    guard isElsewhere || settings.health != health.settings else { return }
    if isElsewhere || settings.health.problems.isEmpty || health.isIdle {
      saveBeacons()
      health = BeaconHealthMonitor(settings.health)
      hasReadBeacons = false
      if isClockKnown { startHealth(at: driver.engine.now) }
    } else {
      health.settings = settings.health
    }
  }

  /// Expects the beacons of the venue of this device, and those that regions of the config name one by one.
  func expectBeacons() {
    guard !health.settings.problems.isEmpty else { return }
    let venue = receiver.flatMap { $0.place(in: catalogue.venues)?.venue }
    let planned = (venue.map { [$0] } ?? catalogue.venues).flatMap { $0.beacons.map(\.identity) }
    let named = driver.engine.watches(of: .config).compactMap { watch -> BeaconIdentity? in
      guard case .beacon(let region) = watch.region, let major = region.constraint.major, let minor = region.constraint.minor else {
        return nil
      }
      return BeaconIdentity(uuid: region.constraint.uuid, major: major, minor: minor)
    }
    health.expect(planned + named)
    if health.isCrowded {
      log.notice("only the first \(BeaconHealthMonitor.most) expected beacons are watched for silence and changes")
    }
    if isClockKnown { followBeacons() }
    demandChanged()
  }

  func startHealth(at time: Instant) {
    health.start(at: time)
    followReception(at: time)
    followBeacons()
  }

  func followReception(at time: Instant) {
    health.setReception(source.receivers.adapters, at: time)
    health.resolve(name: source.roster.name, most: AdapterRoster.most)
  }

  /// Applies what was heard, and publishes what is found.
  func watch(_ sightings: [Sighting], through time: Instant) {
    guard !health.isIdle else { return }
    for sighting in sightings { health.hear(sighting) }
    health.note(advertisements: source.counts.kinds.total, at: time)
    health.take(source.takeTelemetry())
    health.advance(to: time)
    publishFindings()
  }

  private func publishFindings() {
    let findings = health.takeFindings()
    guard !findings.isEmpty else { return }
    for finding in findings { publish(event(finding)) }
    saveBeacons()
  }

  /// Reads what was learned before, if that was not possible yet, and stores what is learned now and then.
  func followBeacons() {
    guard !health.isIdle, isClockKnown else { return }
    if !hasReadBeacons, let stored = beaconFile?.loadBeacons(at: learningPlace) {
      hasReadBeacons = true
      let difference = driver.engine.now - wallClock(driver.engine.now)
      health.restore(stored) { $0 + difference }
      health.resolve(name: source.roster.name, most: AdapterRoster.most)
    }
    let misplaced = catalogue.venues.flatMap { driver.tracker?.misplaced(in: $0.id) ?? [] }
    if driver.tracker != nil {
      health.note(misplaced: Dictionary(misplaced.map { ($0.beacon, $0.metres) }) { first, _ in first }, at: driver.engine.now)
    }
    if driver.engine.now - lastSavedBeacons >= Self.beaconSaveInterval { saveBeacons() }
    publishFindings()
  }

  func saveBeacons() {
    guard !health.isIdle, isClockKnown, hasReadBeacons else { return }
    lastSavedBeacons = driver.engine.now
    beaconFile?.save(health.learned(name: source.roster.name, wallClock: wallClock), at: learningPlace)
  }

  func forgetBeacons() {
    health.reset()
    beaconFile?.save([], at: learningPlace)
  }

  /// The receiver and the source to which learned gaps and levels belong.
  private var learningPlace: String {
    let position = receiver.map { "\($0.venue ?? "") \($0.level ?? "") \($0.position.x) \($0.position.y)" }
    return "\(source.choice ?? source.name) \(position ?? "") \(health.settings.isStationary)"
  }
}

// MARK: Events and status

extension MonitoringService {
  private func event(_ finding: BeaconFinding) -> Event {
    let evidence = finding.evidence
    var event = Event(sequence: 0, kind: finding.hasEnded ? .beaconRecovered : finding.problem.eventKind, time: wallClock(finding.time))
    if finding.hasEnded { event.ended = finding.problem.eventKind }
    event.beacon = Event.Beacon(finding.beacon)
    event.rssi = evidence.level
    (event.battery, event.temperature) = (evidence.voltage, evidence.temperature)
    let place = place(of: finding.beacon)
    (event.placeID, event.placeName) = (place?.id, place?.name ?? name(of: finding.beacon))
    var reason = Event.Reason(evidence.cause.eventCause)
    reason.lastSeen = evidence.lastSeen.map(wallClock)
    reason.lastSeenAge = evidence.lastSeen.map { max(0, (finding.time - $0).seconds) }
    (reason.longestGap, reason.usualRSSI, reason.otherRSSI) = (evidence.longestGap, evidence.usualLevel, evidence.otherLevel)
    reason.displacement = evidence.displacement
    reason.adapter = evidence.adapter.flatMap(adapterName)
    event.reason = reason
    return event
  }

  /// Returns the name that the staff or the config gives to a beacon; nil if it has none.
  private func name(of beacon: BeaconIdentity) -> String? {
    if let name = catalogue.entry(for: beacon)?.beacon.name { return name }
    return driver.engine.watches(of: .config).lazy.compactMap { watch -> String? in
      guard case .beacon(let region) = watch.region, region.constraint.minor != nil, region.constraint.contains(beacon) else { return nil }
      return region.identifier
    }
    .first
  }

  /// The expected beacons and their health, those with problems first.
  public var beaconReports: [BeaconStatus] {
    health.states.map { state in
      var status = BeaconStatus()
      (status.uuid, status.major, status.minor) = (state.beacon.uuid, state.beacon.major, state.beacon.minor)
      status.place = place(of: state.beacon)?.name ?? name(of: state.beacon)
      let problems = state.problems.map { problem in
        var entry = BeaconStatus.Problem()
        entry.event = problem.problem.eventKind
        entry.since = wallClock(problem.since)
        entry.cause = problem.cause.eventCause
        return entry
      }
      status.problems = problems.isEmpty ? nil : problems
      status.isLearned = state.isLearned
      status.lastSeen = state.evidence.lastSeen.map(wallClock)
      (status.longestGap, status.rssi) = (state.evidence.longestGap, state.evidence.level)
      status.usualRSSI = state.evidence.usualLevel
      (status.battery, status.temperature) = (state.evidence.voltage, state.evidence.temperature)
      return status
    }
  }

  /// The reason why silence does not count at present; nil if it counts.
  public var beaconNote: String? {
    health.isReceiverSuspect
      ? "many expected beacons fell silent at once, so the receiver is the suspect: check it, or the power of the beacons" : nil
  }
}

extension BeaconProblem {
  fileprivate var eventKind: Event.Kind {
    switch self {
    case .missing: .beaconMissing
    case .weak: .beaconWeak
    case .moved: .beaconMoved
    case .duplicate: .beaconDuplicate
    }
  }
}

extension BeaconFinding.Cause {
  fileprivate var eventCause: Event.Cause {
    switch self {
    case .silence: .silence
    case .sighting: .sighting
    case .battery: .battery
    case .level: .level
    case .placement: .placement
    case .addresses: .addresses
    case .jumps: .jumps
    case .phases: .phases
    }
  }
}
