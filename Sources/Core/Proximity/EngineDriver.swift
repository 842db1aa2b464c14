import BeaconAdvertising
import Beacons
import IndoorPositioning
import Instants
public import Motion
import Ranging
import Regions
import Venues

/// Puts sightings, fixes, time and snapshots into one order, however they are batched.
///
/// Between two snapshots lie exactly the sightings between their times. An event precedes every snapshot of the same time or later.
public struct EngineDriver: Sendable {
  public enum Output: Sendable {
    case event(RegionEvent)
    /// Every constraint's beacons at that time, nearest first.
    /// Sent once a second during ranging, until all beacons that were heard are gone.
    case snapshots([BeaconConstraint: [RangedBeacon]], at: Instant)
    /// The beacons of a scan at a whole second.
    case scanned(ScanSnapshot)
    /// The indoor position of a second, or the reason why there is none.
    case positioned(IndoorPosition)
  }

  public private(set) var engine: ProximityEngine
  public private(set) var scan: BeaconScan?
  /// The position in the configured venues; `nil` without venues.
  public private(set) var tracker: VenueTracker?
  /// The motion of the device.
  public private(set) var motion = DeviceMotion.unknown
  /// Whether a client requests the indoor position.
  public private(set) var isPositioning = false
  /// Whether regions whose distance the position decides about have beacons in a venue.
  private var isNearnessPlanned = false
  /// Whether a client or a region needs the indoor position. Otherwise the tracker hears nothing.
  private(set) var isTracking = false
  /// The last fix that decided which venues the device can be at.
  public private(set) var gatingFix: Fix?
  private var ticker: RangingTicker?
  private var outputs: [Output] = []
  /// Whether an adapter hears, so that the silence of a venue shows that the device is outside.
  private var isListening = false
  /// Whether an adapter hears and something needs the scan, at a venue or elsewhere.
  private var isHearing = false
  /// The revision of the learned offsets that the engine has.
  private var knownRevision = 0

  public init(engine: ProximityEngine) {
    self.engine = engine
    updateTicker()
  }

  /// Sets the clock before any sighting; see `ProximityEngine.start`.
  public mutating func start(at time: Instant) {
    engine.start(at: time)
    ticker = nil
    updateTicker()
    gatingFix = nil
    tracker?.restart(at: time)
    isListening = false
    updateTracker()
    if scan != nil { startScan() }
  }

  /// Applies all sightings up to `time` in chronological order, advances to `time` and returns the outputs in order.
  public mutating func step(_ sightings: [Sighting], through time: Instant) -> [Output] {
    // Nothing is ordered behind closed gates, unless one opens in the meantime.
    if ticker == nil && scan == nil && !(isTracking && (tracker?.isOpen == true || trackerDeadline <= time)) {
      engine.ingest(sightings)
    } else {
      for sighting in sightings {
        pass(to: sighting.time)
        engine.ingest(sighting)
        scan?.hear(sighting, at: engine.now)
        if isTracking { tracker?.hear(sighting) }
      }
    }
    pass(to: time)
    drain()
    defer { outputs.removeAll(keepingCapacity: true) }
    return outputs
  }

  /// Advances to `time`, applies a fix and returns the outputs in order; see `ProximityEngine.ingest`.
  public mutating func step(_ fix: Fix, at time: Instant) -> [Output] {
    pass(to: time)
    engine.ingest(fix, at: time)
    if isTracking { updateListening() }
    drain()
    defer { outputs.removeAll(keepingCapacity: true) }
    return outputs
  }

  /// Advances to `time`, applies a fix to the gates of the venues, and returns the outputs in order.
  ///
  /// - Parameter fix: a fix of a source other than the indoor position.
  public mutating func step(gating fix: Fix, at time: Instant) -> [Output] {
    pass(to: time)
    if fix.end > engine.now, !isSurpassed(fix) {
      gatingFix = fix
      for position in tracker?.note(fix, at: engine.now) ?? [] where isTracking { take(position) }
      position(through: engine.now)
      if isTracking { updateListening() }
    }
    drain()
    defer { outputs.removeAll(keepingCapacity: true) }
    return outputs
  }

  /// Advances to `time`, follows another motion of the device from then on, and returns the outputs in order.
  public mutating func step(_ motion: DeviceMotion, at time: Instant) -> [Output] {
    pass(to: time)
    self.motion = motion
    tracker?.motion = motion
    drain()
    defer { outputs.removeAll(keepingCapacity: true) }
    return outputs
  }

  /// Whether the motion of the device matters: it is at a venue whose position something needs.
  public var usesMotion: Bool { isTracking && tracker?.isAwake == true }

  /// Forgets the fixes, because none counts any more. The device can then be at any venue.
  public mutating func openVenues() {
    gatingFix = nil
    tracker?.forgetFixes(at: engine.now)
  }

  /// The time for which a fix counts more than later ones that are less accurate.
  private static let finestFixLead = Span.seconds(30)

  /// Whether a finer fix is recent, so that this one of another source says nothing about venues.
  private func isSurpassed(_ fix: Fix) -> Bool {
    guard let last = gatingFix, !last.isLasting else { return false }
    return fix.time < last.time || fix.accuracy > 2 * last.accuracy && fix.time - last.time < Self.finestFixLead
  }

  /// Changes what the engine monitors or ranges. The next step returns the events that result.
  public mutating func adjust(_ change: (inout ProximityEngine) -> Void) {
    change(&engine)
    updateTicker()
    tracker?.calibrate(engine.settings.ranging)
    if let tracker, tracker.revision != knownRevision { updateReceptions() }
    updateTracker()
  }

  /// Follows the device through these venues from now on, instead of others.
  ///
  /// - Parameters:
  ///   - receiver: the place of a device that never moves, which has no indoor position then.
  ///   - learned: the learned offsets of each adapter, by the id of the venue.
  ///   - placements: the evidence about misplaced beacons, by the id of the venue.
  public mutating func replaceVenues(
    with venues: [Venue], receiver: FixedReceiver? = nil, learned: [String: [UInt16: LearnedRadio]] = [:],
    placements: [String: [PlacementEvidence]] = [:]
  ) {
    isListening = false
    tracker =
      venues.isEmpty
      ? nil
      : VenueTracker(venues, ranging: engine.settings.ranging, receiver: receiver, learned: learned, placements: placements)
    tracker?.motion = motion
    if let gatingFix { _ = tracker?.note(gatingFix, at: engine.now) }
    updateReceptions()
    updateTracker()
    // Nothing decides any more about regions whose venue has gone.
    let areas = tracker?.unknownAreas ?? engine.areas
    engine.lose(areas, at: engine.now)
  }

  /// Forgets learned offsets; see `VenueTracker.resetLearning`.
  public mutating func resetLearning(in venue: String? = nil, of adapter: UInt16? = nil) {
    tracker?.resetLearning(in: venue, of: adapter)
    updateReceptions()
  }

  /// The accuracy of a location, one sigma in metres, that circles and venues without beacons need; `nil` if there are none.
  public var wantedAccuracy: Double? {
    [engine.wantedAccuracy, isTracking ? tracker?.wantedAccuracy : nil].compactMap(\.self).min()
  }

  private mutating func updateReceptions() {
    knownRevision = tracker?.revision ?? 0
    engine.learn(tracker?.receptions ?? [:])
  }

  /// Sets whether a client requests the indoor position.
  public mutating func setPositioning(_ isPositioning: Bool) {
    guard self.isPositioning != isPositioning else { return }
    self.isPositioning = isPositioning
    updateTracker()
  }

  private mutating func updateTracker() {
    let areas = engine.areas
    if tracker?.isFixed == true {
      isTracking = false
      tracker?.watch(areas, at: engine.now)
      // Regions that a lost adapter made unknown are judged again.
      if !areas.isEmpty, let estimate = tracker?.fixedEstimate(at: engine.now) { engine.ingest(estimate, at: engine.now) }
      return
    }
    isNearnessPlanned = plansNearness()
    isTracking = tracker != nil && (isPositioning || !areas.isEmpty || isRangingPlanned || isNearnessPlanned)
    if isTracking {
      tracker?.expireGates(through: engine.now)
      if tracker?.watch(areas, at: engine.now) == true { isListening = false }
      applyFixes()
    } else {
      tracker?.rest(at: engine.now)
    }
    updateListening()
  }

  /// Applies what fixes say about venues, for regions that did not learn of it when the fixes arrived.
  private mutating func applyFixes() {
    guard let (estimates, wholes) = tracker?.decisionsOfFixes(at: engine.now) else { return }
    for estimate in estimates { engine.ingest(estimate, at: engine.now) }
    if !wholes.isEmpty { engine.ingest(wholes, at: engine.now) }
  }

  /// Begins or ends to count the silence of venues that are not heard.
  private mutating func updateListening() {
    let isScanning = engine.isScanWorthwhile || scan != nil || !engine.rangedConstraints.isEmpty
    let canHear = engine.receivers.canHear && isScanning
    if canHear != isHearing {
      isHearing = canHear
      if canHear { tracker?.resume(at: engine.now) } else { tracker?.stopHearing(at: engine.now) }
    }
    let canListen = isTracking && tracker?.isOpen == true && canHear
    guard canListen != isListening else { return }
    isListening = canListen
    if canListen { tracker?.listen(from: engine.now) } else { tracker?.stopListening() }
  }

  /// When time alone changes something at a venue; `.never` while nothing needs the indoor position.
  private var trackerDeadline: Instant { isTracking ? tracker?.nextDeadline ?? .never : .never }

  /// Starts a scan that tracks every beacon from now on, apart from the engine, and discards a previous scan.
  public mutating func startScan() {
    scan = BeaconScan(settings: engine.settings.ranging, at: engine.now)
    engine.setScanning(true)
  }

  public mutating func stopScan() {
    scan = nil
    engine.setScanning(false)
  }

  /// When `step` must be called even without sightings; `.never` if silence changes nothing any more.
  ///
  /// Snapshots count while a beacon is still listed; afterwards they would all be the same.
  public var nextWake: Instant {
    let next = min(scan?.nextTick ?? .never, trackerDeadline, engine.nextDeadline)
    guard let ticker, ticker.next <= lastTick else { return next }
    return min(ticker.next, next)
  }

  /// The time by which a snapshot shows that every beacon is gone.
  private var lastTick: Instant { engine.lastSighting + RangedBeacon.goneAfter + .seconds(1) }

  private mutating func updateTicker() {
    if engine.rangedConstraints.isEmpty {
      ticker = nil
    } else if ticker == nil {
      ticker = RangingTicker(after: engine.now)
    }
  }

  private mutating func pass(to time: Instant) {
    while let tick = ticker?.due(by: time) {
      guard tick <= lastTick else {
        // A clock that jumps, such as one that is set after the start, would cause more snapshots than fit into memory.
        ticker = RangingTicker(after: time)
        break
      }
      position(through: tick)
      engine.advance(to: tick)
      drain()
      let snapshots = engine.rangedConstraints.map { ($0, refined(engine.snapshot(of: $0, at: tick), at: tick)) }
      outputs.append(.snapshots(Dictionary(uniqueKeysWithValues: snapshots), at: tick))
    }
    position(through: time)
    engine.advance(to: time)
    if isTracking { updateListening() }
    guard let snapshot = scan?.snapshot(dueBy: time) else { return }
    drain()
    outputs.append(.scanned(snapshot))
  }

  /// Takes the seconds of the venues that are due, and lets regions judge them.
  private mutating func position(through time: Instant) {
    while case let next = trackerDeadline, next <= time {
      engine.advance(to: next)
      for position in tracker?.advance(to: next) ?? [] { take(position) }
      for estimate in tracker?.silences(at: next) ?? [] {
        engine.ingest(estimate, at: next)
        drain()
      }
      if let (positions, lost) = tracker?.takePresences(at: next, canHear: isHearing) {
        if !positions.isEmpty { engine.ingest(positions, at: next) }
        engine.lose(lost, at: next)
        drain()
      }
      // A gate that opens or closes begins or ends the scan.
      updateListening()
    }
  }

  /// Lets places and beacon regions judge a position.
  private mutating func judge(_ position: IndoorPosition) {
    guard let tracker else { return }
    let time = position.output.time
    if tracker.revision != knownRevision { updateReceptions() }
    if let estimate = tracker.estimate(position) { engine.ingest(estimate, at: time) }
    guard isNearnessPlanned else { return }
    let beacons = tracker.located(position)
    engine.ingest(beacons, at: time) { tracker.probability(of: beacons[$0].beacon, within: $1) }
  }

  /// Lets regions judge the output of a second.
  private mutating func take(_ position: IndoorPosition) {
    engine.advance(to: position.output.time)
    // Silence says nothing about the position while no adapter can hear. A fix that excludes the venue does.
    if engine.receivers.canHear || tracker?.isExcluded(position.venue) == true { judge(position) }
    drain()
    outputs.append(.positioned(position))
  }

  /// Whether ranged beacons hang in a venue, so that the indoor position gives better distances.
  private var isRangingPlanned: Bool {
    guard let tracker, engine.settings.ranging.method != .plain else { return false }
    return engine.rangedConstraints.contains(where: tracker.plans)
  }

  /// Returns whether regions whose distance the position decides about have beacons in a venue.
  private func plansNearness() -> Bool {
    guard let tracker else { return false }
    let method = engine.settings.ranging.method
    return engine.watches { $0.followsPosition(by: method) && tracker.plans($0.constraint) }
  }

  /// Returns the beacons with the distances of the indoor position, where there is one.
  private func refined(_ beacons: [RangedBeacon], at time: Instant) -> [RangedBeacon] {
    guard isTracking, isRangingPlanned, let tracker else { return beacons }
    return tracker.refined(beacons, at: time)
  }

  private mutating func drain() {
    for event in engine.drainEvents() { outputs.append(.event(event)) }
  }
}

extension EngineDriver {
  /// The detail in which the engine must hear beacons.
  ///
  /// Ranging, scans and regions that require nearness or an RSSI need strength. So does the indoor position while a planned beacon is heard.
  /// Other regions, and a venue that is not heard, need presence. A venue that a fix excludes needs nothing.
  public var demand: HearingDemand {
    if scan != nil || !engine.rangedConstraints.isEmpty { return .strength }
    guard engine.isScanWorthwhile else { return .nothing }
    if venueDemand == .strength { return .strength }
    if engine.watches(where: { $0.nearness != nil || $0.minimumRSSI != nil }) { return .strength }
    return engine.beaconRegionCount == 0 ? venueDemand : .presence
  }

  /// The detail in which the venues need to hear beacons.
  public var venueDemand: HearingDemand {
    guard isTracking, let tracker, tracker.isOpen else { return .nothing }
    return tracker.isAwake ? .strength : .presence
  }
}
