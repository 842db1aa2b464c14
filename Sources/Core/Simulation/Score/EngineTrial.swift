import BeaconAdvertising
import Beacons
import IndoorPositioning
import Instants
import Locations
import Proximity
import Regions
import Scoring

/// Runs an engine through a scenario as the daemon would, and collects its events.
///
/// The engine's clock is that of the scenario, as the daemon's clock counts from boot. A clock step affects only the timestamps of a
/// capture, and the state that is saved over a restart.
public struct EngineTrial: Sendable {
  private let scenario: Scenario
  /// The engine's driver; nil while the daemon is down.
  private var driver: EngineDriver?
  /// The regions that the last daemon saved, as a journal does, and the time of its end.
  private var saved: [SavedRegion] = []
  private var ended = Scenario.start
  /// The learned offsets of the adapters, which a daemon stores.
  private var learned: [String: [UInt16: LearnedRadio]] = [:]
  /// The sum of the wall clock's steps.
  private var step = Span.zero
  /// The number of each adapter's outages that the engine knows of.
  private var noticed: [Int]
  private let regions: [String: Int]
  private var crossings: [[Crossing]]
  /// Compares the position in the venue with the truth; nil without a venue.
  private var walk: WalkScorer?

  /// - Parameter walk: the comparison of positions in the scenario's venue, which has the engine compute them once a second.
  public init(_ scenario: Scenario, walk: WalkScorer? = nil) {
    self.scenario = scenario
    self.walk = walk
    noticed = Array(repeating: 0, count: scenario.adapterCount)
    regions = Dictionary(scenario.regions.enumerated().map { ($0.element.identifier, $0.offset) }, uniquingKeysWith: { first, _ in first })
    crossings = scenario.regions.map { _ in [] }
    driver = driver(at: Scenario.start)
  }

  public mutating func take(_ step: Simulator.Step) {
    switch step {
    // The scan is paused while the device is far from every circle that gates it.
    case .heard(let heard, let time): advance(isScanning ? heard.compactMap(scenario.sighting) : [], through: time)
    case .located(.reading(let reading), let time): locate(reading, at: time)
    case .located(.searching, _), .located(.heading, _): break
    case .changed(let change, let time):
      advance([], through: time)
      follow(change, at: time)
    }
  }

  /// Runs until every pending exit delay is over, and compares the reported events to the ground truth.
  public consuming func score(against truth: VenueTruth) -> ScenarioScore {
    while let wake = driver?.nextWake, wake != .never { advance([], through: wake) }
    let walk = walk.take()?.finish()
    let scored = min(Scenario.start + scenario.scoredFrom, scenario.end)..<scenario.end
    return ScenarioScore(
      regions: scenario.regions.indices.map { index in
        let (visits, stays) = (truth.visits[index], truth.borderStays[index])
        return (
          scenario.regions[index].identifier, RegionScore(visits: visits, borderStays: stays, crossings: crossings[index], scored: scored)
        )
      }, walk: walk)
  }

  private mutating func advance(_ sightings: [Sighting], through time: Instant) {
    claim(driver?.step(sightings, through: time) ?? [])
  }

  /// Takes a reading; a refused one, such as that of a receiver without a fix, does not reach the engine.
  private mutating func locate(_ reading: LocationReading, at time: Instant) {
    let location: Location
    do throws(LocationRefusal) {
      location = try Location(reading, from: .simulator, at: Receipt(recorded: time))
    } catch { return }
    guard let fix = Fix(location, at: time) else { return }
    claim(driver?.step(fix, at: time) ?? [])
  }

  private mutating func claim(_ outputs: [EngineDriver.Output]) {
    for output in outputs { walk?.take(output) }
    for case .event(let event) in outputs {
      guard let crossing = Crossing(event.transition), let region = regions[event.transition.region.identifier] else { continue }
      crossings[region].append(crossing)
    }
  }

  private var isScanning: Bool { driver?.engine.isScanWorthwhile ?? false }

  private mutating func follow(_ change: FaultChange, at time: Instant) {
    switch change {
    case .outageNoticed(let adapter):
      noticed[Int(adapter)] += 1
      reportReception(at: time)
    case .adapterBack(let adapter):
      // The engine recovers only from an outage that was noticed.
      guard noticed[Int(adapter)] > 0 else { return }
      noticed[Int(adapter)] -= 1
      reportReception(at: time)
    case .daemonEnds: end(at: time)
    case .daemonStarts:
      driver = driver(at: time)
      restore(at: time)
      reportReception(at: time)
    case .clockStep(let span): step = step + span
    case .adapterOut, .positionLost, .positionBack: break
    }
  }

  private mutating func end(at time: Instant) {
    guard let engine = driver?.engine else { return }
    saved = scenario.regions.compactMap { engine.saved($0.identifier) { $0 + step } }
    ended = time
    learned = driver?.tracker?.learned ?? [:]
    driver = nil
  }

  private mutating func restore(at time: Instant) {
    let back = Span(microseconds: -step.microseconds)
    driver?.adjust { $0.restore(saved, after: time - ended, at: time) { $0 + back } }
  }

  private mutating func reportReception(at time: Instant) {
    let receptions: [Reception] = noticed.map { $0 > 0 ? .lost : .hearing }
    driver?.adjust { $0.setReception(.each(receptions), at: time) }
  }

  private func driver(at time: Instant) -> EngineDriver {
    var engine = ProximityEngine(settings: EngineSettings(ranging: scenario.ranging), at: time)
    engine.replaceRegions(with: scenario.regions, at: time)
    if walk != nil {
      for uuid in Set(scenario.beacons.map(\.identity.uuid)) { engine.startRanging(BeaconConstraint(uuid: uuid)) }
    }
    var driver = EngineDriver(engine: engine)
    if let venue = scenario.venue { driver.replaceVenues(with: [venue], learned: learned) }
    driver.setPositioning(walk != nil)
    return driver
  }
}
