import BeaconAdvertising
import Instants
import Ranging

/// Brings sightings, passing time and snapshots into their one order, whatever batches they come in.
///
/// Between two snapshots lies exactly what was heard between their times; an event comes out before a snapshot that is not earlier than it.
public struct EngineDriver: Sendable {
  /// What a step brought, in order.
  public enum Output: Sendable {
    case event(RegionEvent)
    /// Take the snapshots now: the engine stands at this time.
    case tick(Instant)
  }

  public var engine: ProximityEngine
  private var ticker: RangingTicker?

  public init(engine: ProximityEngine) {
    self.engine = engine
  }

  /// Whether snapshots are taken every second.
  public var isTicking: Bool {
    get { ticker != nil }
    set {
      if newValue == isTicking { return }
      ticker = newValue ? RangingTicker(after: engine.now) : nil
    }
  }

  /// Takes everything that was heard up to `time`, in order of time, and lets time pass until then.
  public mutating func step(_ sightings: [Sighting], through time: Instant, output: (inout ProximityEngine, Output) -> Void) {
    for sighting in sightings {
      pass(to: sighting.time, output)
      engine.ingest(sighting)
    }
    pass(to: time, output)
    drain(output)
  }

  /// When `step` has something to do though nothing is heard; `.never` when silence changes nothing any more.
  ///
  /// Snapshots count as long as a beacon is still listed: afterwards they would all be the same.
  public var nextWake: Instant {
    guard let ticker, ticker.next <= engine.lastSighting + RangedBeacon.goneAfter + .seconds(1) else { return engine.nextDeadline }
    return min(ticker.next, engine.nextDeadline)
  }

  private mutating func pass(to time: Instant, _ output: (inout ProximityEngine, Output) -> Void) {
    while let tick = ticker?.due(by: time) {
      engine.advance(to: tick)
      drain(output)
      output(&engine, .tick(tick))
    }
    engine.advance(to: time)
  }

  private mutating func drain(_ output: (inout ProximityEngine, Output) -> Void) {
    for event in engine.drainEvents() { output(&engine, .event(event)) }
  }
}
