import BeaconAdvertising
import Beacons
public import IndoorPositioning
import Instants
import Ranging
import Regions
public import Venues

// MARK: Venues

extension EngineDriver {
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

  /// Forgets the fixes, because none is valid any more. The device can then be at any venue.
  public mutating func openVenues() {
    gatingFix = nil
    tracker?.forgetFixes(at: engine.now)
  }

  /// The time for which a fix takes precedence over later, less accurate ones.
  private static let finestFixLead = Span.seconds(30)

  /// Returns whether a finer fix is recent enough to take precedence over this one.
  private func isSurpassed(_ fix: Fix) -> Bool {
    guard let last = gatingFix, !last.isLasting else { return false }
    return fix.time < last.time || fix.accuracy > 2 * last.accuracy && fix.time - last.time < Self.finestFixLead
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

  /// Continues with stored offsets of an adapter at a venue that became known later.
  ///
  /// Offsets from more seconds of walking are kept, and so is the position.
  public mutating func learn(_ radio: LearnedRadio, adapter: UInt16, in venue: String) {
    tracker?.learn(radio, adapter: adapter, in: venue)
    updateReceptions()
  }

  /// Continues with stored evidence about misplaced beacons, by the id of the venue.
  public mutating func learn(_ placements: [String: [PlacementEvidence]]) { tracker?.learn(placements) }

  /// Forgets learned offsets; see `VenueTracker.resetLearning`.
  public mutating func resetLearning(in venue: String? = nil, of adapter: UInt16? = nil) {
    tracker?.resetLearning(in: venue, of: adapter)
    updateReceptions()
  }

  mutating func updateReceptions() {
    knownRevision = tracker?.revision ?? 0
    engine.learn(tracker?.receptions ?? [:])
  }

  /// Sets whether a client requests the indoor position.
  public mutating func setPositioning(_ isPositioning: Bool) {
    guard self.isPositioning != isPositioning else { return }
    self.isPositioning = isPositioning
    updateTracker()
  }

  mutating func updateTracker() {
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

  /// Applies the decisions of fixes about venues again, for regions that did not exist when the fixes arrived.
  private mutating func applyFixes() {
    guard let (estimates, wholes) = tracker?.decisionsOfFixes(at: engine.now) else { return }
    for estimate in estimates { engine.ingest(estimate, at: engine.now) }
    if !wholes.isEmpty { engine.ingest(wholes, at: engine.now) }
  }

  /// Starts or stops counting the silence of venues that are not heard.
  mutating func updateListening() {
    let isScanning = engine.isScanWorthwhile || scan != nil || !engine.demandedConstraints.isEmpty
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

  /// The time of the next change at a venue without input; `.never` while nothing needs the indoor position.
  var trackerDeadline: Instant { isTracking ? tracker?.nextDeadline ?? .never : .never }

  /// Takes the seconds of the venues that are due, and lets regions judge them.
  mutating func position(through time: Instant) {
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
      // A gate that opens or closes may start or stop the scan.
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
    // Silence does not count while no adapter can hear, but a fix that excludes the venue does.
    if engine.receivers.canHear || tracker?.isExcluded(position.venue) == true { judge(position) }
    drain()
    outputs.append(.positioned(position))
  }

  /// Whether ranging that needs the scan is about beacons of a venue, so that the indoor position gives better distances.
  private var isRangingPlanned: Bool {
    guard let tracker, engine.settings.ranging.method != .plain else { return false }
    return engine.demandedConstraints.contains(where: tracker.plans)
  }

  /// Returns whether a venue has beacons of regions with a distance that the indoor position decides.
  private func plansNearness() -> Bool {
    guard let tracker else { return false }
    let method = engine.settings.ranging.method
    return engine.watches { $0.followsPosition(by: method) && tracker.plans($0.constraint) }
  }

  /// Returns the beacons with the distances of the indoor position, where there is one.
  func refined(_ beacons: [RangedBeacon], at time: Instant) -> [RangedBeacon] {
    guard isTracking, engine.settings.ranging.method != .plain, let tracker else { return beacons }
    return tracker.refined(beacons, at: time)
  }

  /// The detail in which the venues need to hear beacons.
  public var venueDemand: HearingDemand {
    guard isTracking, let tracker, tracker.isOpen else { return .nothing }
    return tracker.hearsVenue ? .strength : .presence
  }
}
