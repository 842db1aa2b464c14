import BeaconAdvertising
import Events
import Instants
import Locations
import Motion
import Proximity
import Ranging
import Regions
import TrackRecordings
import Venues

/// Applies a recorded capture, and perhaps a walk, to the engine as a daemon does that plays both.
public struct EngineReplay: Sendable {
  public enum Output: Sendable {
    /// An event, with the place of its beacon.
    case event(Event)
    /// The beacons of one constraint at a whole second.
    case beacons([RangedBeacon], at: Instant)
  }

  /// The number of events so far.
  public private(set) var eventCount = 0
  private var driver: EngineDriver
  private var merger: ReplayMerger
  private let catalogue: Catalogue
  private let languages: [String]
  private var hasStarted = false

  /// - Parameters:
  ///   - driver: watches the regions, and has not started.
  ///   - walk: the reports of a location receiver in the order of the recording.
  ///   - catalogue: the places of the beacons.
  ///   - languages: those of the names of places, the best one first.
  public init(_ driver: EngineDriver, walk: [WalkReport] = [], catalogue: Catalogue = Catalogue(), languages: [String] = []) {
    (self.driver, self.catalogue, self.languages) = (driver, catalogue, languages)
    merger = ReplayMerger(walk: walk)
  }

  /// Adds a motion of the device, in the order of the recording, before the chunk of its time.
  public mutating func add(_ motion: DeviceMotion, at time: Instant) { merger.add(motion, at: time) }

  /// Applies a chunk of the capture.
  ///
  /// - Parameters:
  ///   - period: the time from the first record of the capture to the last one so far.
  ///   - adapterName: returns the name of a sighting's adapter; nil if it has none.
  public mutating func take(
    _ sightings: [Sighting], in period: ClosedRange<Instant>, adapterName: (UInt16) -> String?
  ) -> [Output] {
    if !hasStarted {
      hasStarted = true
      driver.start(at: min(period.lowerBound, merger.nextReport ?? .never))
    }
    return apply(merger.merge(sightings, through: period.upperBound), adapterName)
  }

  /// Applies the motions and fixes after the last chunk; has no effect if there was none.
  ///
  /// After that, the motion is unknown.
  public mutating func finish(adapterName: (UInt16) -> String?) -> [Output] {
    guard hasStarted else { return [] }
    let results = apply(merger.finish(), adapterName)
    guard driver.motion != .unknown else { return results }
    return results + outputs(driver.step(.unknown, at: driver.engine.now), adapterName)
  }

  /// Advances to the next deadline of the engine; returns nil when silence changes nothing any more.
  public mutating func wait(adapterName: (UInt16) -> String?) -> [Output]? {
    guard hasStarted, driver.nextWake != .never else { return nil }
    return outputs(driver.step([], through: driver.nextWake), adapterName)
  }

  private mutating func apply(_ steps: [ReplayMerger.Step], _ adapterName: (UInt16) -> String?) -> [Output] {
    steps.flatMap { outputs(apply($0), adapterName) }
  }

  private mutating func apply(_ step: ReplayMerger.Step) -> [EngineDriver.Output] {
    switch step {
    case .sightings(let sightings, let time): driver.step(Array(sightings), through: time)
    case .motion(let motion, let time): driver.step(motion, at: time)
    case .fix(let report, let time): Fix(report).map { driver.apply($0, at: time) } ?? []
    }
  }

  private mutating func outputs(_ results: [EngineDriver.Output], _ adapterName: (UInt16) -> String?) -> [Output] {
    var outputs: [Output] = []
    for result in results {
      switch result {
      case .event(let event):
        eventCount += 1
        var details = event.event(adapterName: adapterName)
        catalogue.addNames(of: event.transition, preferring: languages, to: &details)
        outputs.append(.event(details))
      case .snapshots(let snapshots, let time):
        for beacons in snapshots.values { outputs.append(.beacons(beacons, at: time)) }
      case .scanned, .positioned: break
      }
    }
    return outputs
  }
}

extension Fix {
  /// Creates the fix of a report; nil without a location that counts.
  ///
  /// A location does not count if it is refused, outdated or of unknown accuracy.
  fileprivate init?(_ report: WalkReport) {
    guard case .reading(let reading) = report.report else { return nil }
    let location: Location
    do throws(LocationRefusal) {
      location = try Location(reading, from: .capture, at: Receipt(recorded: report.time))
    } catch {
      return nil
    }
    guard location.isCurrent(at: location.received) else { return nil }
    self.init(location, at: report.time)
  }
}

extension EngineDriver {
  /// Applies a fix to venues and circles, as the daemon does.
  mutating func apply(_ fix: Fix, at time: Instant) -> [Output] {
    (tracker == nil ? [] : step(gating: fix, at: time)) + step(fix, at: time)
  }
}
