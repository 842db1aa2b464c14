import BeaconAdvertising
import Instants
import Ranging
import Regions

/// Brings sightings, fixes, passing time and snapshots into their one order, whatever batches they come in.
///
/// Between two snapshots lies exactly what was heard between their times; an event comes out before a snapshot that is not earlier than it.
public struct EngineDriver: Sendable {
  public enum Output: Sendable {
    case event(RegionEvent)
    /// Once a second while something is being ranged, until all that was heard is gone: every constraint's beacons at that time, nearest first.
    case snapshots([BeaconConstraint: [RangedBeacon]], at: Instant)
    /// At a whole second while somebody scans.
    case scanned(ScanSnapshot)
  }

  public private(set) var engine: ProximityEngine
  public private(set) var scan: BeaconScan?
  private var ticker: RangingTicker?
  private var outputs: [Output] = []

  public init(engine: ProximityEngine) {
    self.engine = engine
    updateTicker()
  }

  /// Sets the clock, before anything was heard; see `ProximityEngine.start`.
  public mutating func start(at time: Instant) {
    engine.start(at: time)
    ticker = nil
    updateTicker()
    if scan != nil { startScan() }
  }

  /// Takes everything that was heard up to `time`, in order of time, lets time pass until then, and returns what came of it, in order.
  public mutating func step(_ sightings: [Sighting], through time: Instant) -> [Output] {
    if ticker == nil && scan == nil {
      engine.ingest(sightings)
    } else {
      for sighting in sightings {
        pass(to: sighting.time)
        engine.ingest(sighting)
        scan?.hear(sighting, at: engine.now)
      }
    }
    pass(to: time)
    drain()
    defer { outputs.removeAll(keepingCapacity: true) }
    return outputs
  }

  /// Takes where the device is, and lets time pass until then; see `ProximityEngine.ingest`.
  public mutating func step(_ fix: Fix, at time: Instant) -> [Output] {
    pass(to: time)
    engine.ingest(fix, at: time)
    drain()
    defer { outputs.removeAll(keepingCapacity: true) }
    return outputs
  }

  /// Changes what the engine watches or ranges; events that come of it are in the next step.
  public mutating func adjust(_ change: (inout ProximityEngine) -> Void) {
    change(&engine)
    updateTicker()
  }

  /// Keeps everybody that is heard from now on, apart from what the engine keeps; what a scan before kept is gone.
  public mutating func startScan() {
    scan = BeaconScan(settings: engine.settings.ranging, at: engine.now)
    engine.setScanning(true)
  }

  public mutating func stopScan() {
    scan = nil
    engine.setScanning(false)
  }

  /// When `step` has something to do though nothing is heard; `.never` when silence changes nothing any more.
  ///
  /// Snapshots count while a beacon is still listed: afterwards they would all be the same.
  public var nextWake: Instant {
    let nextScan = scan?.nextTick ?? .never
    guard let ticker, ticker.next <= lastTick else { return min(nextScan, engine.nextDeadline) }
    return min(ticker.next, nextScan, engine.nextDeadline)
  }

  /// The snapshot at or before it shows that every beacon is gone.
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
        // A clock that jumps, as one that is set after the start, would bring more of them than there is memory.
        ticker = RangingTicker(after: time)
        break
      }
      engine.advance(to: tick)
      drain()
      let snapshots = engine.rangedConstraints.map { ($0, engine.snapshot(of: $0, at: tick)) }
      outputs.append(.snapshots(Dictionary(uniqueKeysWithValues: snapshots), at: tick))
    }
    engine.advance(to: time)
    guard let snapshot = scan?.snapshot(dueBy: time) else { return }
    drain()
    outputs.append(.scanned(snapshot))
  }

  private mutating func drain() {
    for event in engine.drainEvents() { outputs.append(.event(event)) }
  }
}
