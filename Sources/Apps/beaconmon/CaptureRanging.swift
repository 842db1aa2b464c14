import BeaconAdvertising
import Beacons
import Captures
import ClientCommands
import EventLoop
import Failures
import Instants
import MonitorConfiguration
import ProgramSupport
import Proximity
import Ranging
import Regions
import Venues

/// Ranges a capture with the daemon's engine, but without a daemon.
final class CaptureRanging {
  private let program: ProgramLoop
  private let output: RangeOutput
  private let ranging: PlayedRanging
  private var playback: CapturePlayback?

  /// - Parameter constraint: the wanted beacons; nil for those of the configuration.
  init(
    _ path: String, pace: CapturePlayback.Pace, _ constraint: BeaconConstraint?, _ configuration: Configuration, once: Bool,
    _ output: RangeOutput
  ) throws(Failure) {
    self.output = output
    let settings = configuration.ranging(of: AdapterRoster(configuration.adapters))
    var engine = ProximityEngine(settings: EngineSettings(ranging: settings), at: Instant(microseconds: 0))
    let constraints = constraint.map { [$0] } ?? configuration.rangedConstraints
    guard !constraints.isEmpty else {
      throw Failure(.usage, "no UUID is given, and the config has no region of beacons and no venue; name a UUID")
    }
    for constraint in constraints { engine.startRanging(constraint) }
    var driver = EngineDriver(engine: engine)
    driver.reportsReception = output.isScreen
    // A pipe gets the names only together with the beacons of the configuration.
    output.catalogue = Catalogue(output.isScreen || constraint == nil ? configuration.venues : [])
    output.languages = configuration.languages
    ranging = PlayedRanging(driver, patience: once ? Range.patience : nil, output: output)
    program = try ProgramLoop()
    ranging.onEnd = { [program] in program.end($0) }
    do throws(CaptureFileError) {
      playback = try CapturePlayback(program.loop, path: path, pace: pace, adapters: configuration.adapters) { [unowned self] in follow($0)
      }
    } catch {
      throw Failure(error)
    }
  }

  /// Whether the capture was played to its end, and not stopped before.
  var hasEnded: Bool { ranging.hasEnded }

  func run() throws(Failure) {
    try output.attach(program.loop) { [program] in program.end() }
    playback?.start()
    try program.run()
  }

  private func follow(_ step: CapturePlayback.Step) {
    switch step {
    // A capture of beacons has no locations, and ranging without a venue does not depend on the motion.
    case .located, .moved: break
    case .started(let time): ranging.begin(at: time)
    case .heard(let sightings, let time): ranging.take(sightings, through: time)
    case .ended(let error): ranging.noteEnd(PlayedRanging.CaptureEnd(error))
    case .failed(let error): program.end(Failure(error))
    case .finished: ranging.noteFinish()
    }
  }
}

extension PlayedRanging.CaptureEnd {
  fileprivate init(_ error: CaptureFileError?) {
    self = error.map { $0.isTruncation ? .truncated("\($0)") : .failed(Failure($0)) } ?? .complete
  }
}

extension Configuration {
  /// The beacons of the regions and of the venues.
  fileprivate var rangedConstraints: [BeaconConstraint] {
    BeaconConstraint.ranged(
      regions: regions.compactMap { $0.beaconRegion?.constraint }, planned: venues.flatMap(\.beacons).map(\.identity))
  }
}
