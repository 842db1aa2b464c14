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
/// The sightings between two snapshots are exactly those between their times. An event precedes every snapshot of the same time or later.
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

  public internal(set) var engine: ProximityEngine
  public private(set) var scan: BeaconScan?
  /// The position in the configured venues; `nil` without venues.
  public internal(set) var tracker: VenueTracker?
  /// The motion of the device.
  public private(set) var motion = DeviceMotion.unknown
  /// Whether a client requests the indoor position.
  public internal(set) var isPositioning = false
  /// Whether a venue has beacons of regions with a distance that the indoor position decides.
  var isNearnessPlanned = false
  /// Whether a client or a region needs the indoor position. Otherwise the tracker hears nothing.
  var isTracking = false
  /// The last fix that decided which venues the device can be at.
  public internal(set) var gatingFix: Fix?
  private var ticker: RangingTicker?
  /// Whether snapshots have the reception of beacons, which is learned from then on.
  public var reportsReception = false {
    didSet { updateReceptionLog() }
  }
  /// The gaps between the advertisements of ranged beacons; `nil` if snapshots do not have the reception.
  private var receptionLog: ReceptionLog?
  var outputs: [Output] = []
  /// Whether an adapter hears, so that the silence of a venue shows that the device is outside.
  var isListening = false
  /// Whether an adapter hears and something needs the scan, at a venue or elsewhere.
  var isHearing = false
  /// The revision of the learned offsets that the engine has.
  var knownRevision = 0

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
    // Without ranging, scan or open venue, the order of sightings within a batch does not matter, unless a gate opens meanwhile.
    if ticker == nil && scan == nil && !(isTracking && (tracker?.isOpen == true || trackerDeadline <= time)) {
      engine.ingest(sightings)
    } else {
      for sighting in sightings {
        pass(to: sighting.time)
        engine.ingest(sighting)
        noteReception(sighting.beacon)
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
  public var usesMotion: Bool { isTracking && tracker?.hearsVenue == true }

  /// Changes what the engine monitors or ranges. The next step returns the events that result.
  public mutating func adjust(_ change: (inout ProximityEngine) -> Void) {
    change(&engine)
    updateTicker()
    tracker?.calibrate(engine.settings.ranging)
    if let tracker, tracker.revision != knownRevision { updateReceptions() }
    updateTracker()
  }

  /// The accuracy of a location, one sigma in metres, that circles and venues without beacons need; `nil` if there are none.
  public var wantedAccuracy: Double? {
    [engine.wantedAccuracy, isTracking ? tracker?.wantedAccuracy : nil].compactMap(\.self).min()
  }

  /// Starts a scan that tracks every beacon from now on, apart from the engine, and discards a previous scan.
  public mutating func startScan() {
    scan = BeaconScan(settings: engine.settings.ranging, at: engine.now)
    engine.setScanning(true)
  }

  public mutating func stopScan() {
    scan = nil
    engine.setScanning(false)
  }

  /// The time of the next required call of `step`; `.never` if silence changes nothing.
  ///
  /// This includes snapshots while a beacon is still listed; afterwards they would all be the same.
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
    updateReceptionLog()
  }

  private mutating func updateReceptionLog() {
    receptionLog = reportsReception && !engine.rangedConstraints.isEmpty ? receptionLog ?? ReceptionLog() : nil
  }

  private mutating func noteReception(_ beacon: BeaconIdentity) {
    guard receptionLog != nil, engine.rangedConstraints.contains(where: { $0.contains(beacon) }) else { return }
    receptionLog?.hear(beacon, at: engine.now)
  }

  mutating func pass(to time: Instant) {
    while let tick = ticker?.due(by: time) {
      guard tick <= lastTick else {
        // A clock that jumps, such as one that is set after the start, would cause more snapshots than fit into memory.
        ticker = RangingTicker(after: time)
        break
      }
      position(through: tick)
      engine.advance(to: tick)
      drain()
      let snapshots = engine.rangedConstraints.map { ($0, withReception(refined(engine.snapshot(of: $0, at: tick), at: tick))) }
      outputs.append(.snapshots(Dictionary(uniqueKeysWithValues: snapshots), at: tick))
    }
    position(through: time)
    engine.advance(to: time)
    if isTracking { updateListening() }
    guard let snapshot = scan?.snapshot(dueBy: time) else { return }
    drain()
    outputs.append(.scanned(snapshot))
  }

  mutating func drain() {
    for event in engine.drainEvents() { outputs.append(.event(event)) }
  }
}

extension EngineDriver {
  /// Returns beacons with their reception, if snapshots have it.
  private func withReception(_ beacons: [RangedBeacon]) -> [RangedBeacon] {
    guard let receptionLog else { return beacons }
    return beacons.map { beacon in
      var beacon = beacon
      beacon.reception = receptionLog.reception(of: beacon.beacon)
      return beacon
    }
  }

  /// The detail in which the engine must hear beacons.
  ///
  /// Ranging that is not passive, scans and regions that require nearness or an RSSI need strength. So does the indoor position while a
  /// planned beacon is heard. Other regions, and a venue that is not heard, need presence. A venue that a fix excludes needs nothing.
  public var demand: HearingDemand {
    if scan != nil || !engine.demandedConstraints.isEmpty { return .strength }
    guard engine.isScanWorthwhile else { return .nothing }
    if venueDemand == .strength { return .strength }
    if engine.watches(where: { $0.nearness != nil || $0.minimumRSSI != nil }) { return .strength }
    return engine.beaconRegionCount == 0 ? venueDemand : .presence
  }
}
