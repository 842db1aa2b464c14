import BeaconAdvertising
import Beacons
import Captures
import EventLoop
import Failures
import Instants
import MonitorClient
import MonitorConfiguration
import ProgramSupport
import Proximity
import Ranging
import Records
import Regions
import Venues

/// Ranges a capture with the daemon's engine, but without a daemon.
final class CaptureRanging {
  private let program: ProgramLoop
  private let output: RangeOutput
  private let once: Bool
  private var driver: EngineDriver
  /// The names of beacons at venues, for a person.
  private let catalogue: Catalogue
  private let languages: [String]
  private var playback: CapturePlayback?
  /// The time at which `--once` gives up, on the capture's clock.
  private var deadline = Instant.never
  /// Whether the capture was played to its end, and not stopped before.
  private(set) var hasEnded = false

  /// - Parameter constraint: the wanted beacons; nil for those of the configuration.
  init(
    _ path: String, pace: CapturePlayback.Pace, _ constraint: BeaconConstraint?, _ configuration: Configuration, once: Bool,
    _ output: RangeOutput
  ) throws(Failure) {
    self.output = output
    self.once = once
    let ranging = configuration.ranging(of: AdapterRoster(configuration.adapters))
    var engine = ProximityEngine(settings: EngineSettings(ranging: ranging), at: Instant(microseconds: 0))
    let constraints = constraint.map { [$0] } ?? configuration.rangedConstraints
    guard !constraints.isEmpty else {
      throw Failure(.usage, "no UUID is given, and the config has no region of beacons and no venue; name a UUID")
    }
    for constraint in constraints { engine.startRanging(constraint) }
    // A pipe gets the names only together with the beacons of the configuration.
    catalogue = Catalogue(output.isScreen || constraint == nil ? configuration.venues : [])
    languages = configuration.languages
    driver = EngineDriver(engine: engine)
    driver.reportsReception = output.isScreen
    program = try ProgramLoop()
    do throws(CaptureFileError) {
      playback = try CapturePlayback(program.loop, path: path, pace: pace, adapters: configuration.adapters) { [unowned self] in follow($0)
      }
    } catch {
      throw Failure(error)
    }
  }

  func run() throws(Failure) {
    try output.attach(program.loop) { [program] in program.end() }
    playback?.start()
    try program.run()
  }

  private func follow(_ step: CapturePlayback.Step) {
    switch step {
    // A capture of beacons has no locations, and ranging without a venue does not depend on the motion.
    case .located, .moved: break
    case .started(let time):
      driver.start(at: time)
      if once { deadline = time + Range.patience }
    case .heard(let sightings, let time):
      show(driver.step(sightings, through: time))
      if output.isDone || time > deadline { program.end() }
    case .ended(let error):
      // Sightings in an incomplete last second count if there were no others.
      if once || !output.hasShownBeacon, driver.nextWake != .never { show(driver.step([], through: driver.nextWake)) }
      // A capture that was cut off is still a capture; any other error is a failure.
      let failure = error.flatMap { $0.isTruncation ? nil : Failure($0) }
      if failure == nil { output.note(error.map { "\($0)" } ?? (output.isScreen ? "the capture has ended" : nil)) }
      hasEnded = failure == nil
      // The beacons of the end stay on the screen for its keys.
      if failure != nil || !output.isInteractive || !output.hasShownBeacon { program.end(failure) }
    case .failed(let error):
      program.end(Failure(error))
    case .finished:
      if !hasEnded || !output.isInteractive { program.end() }
    }
  }

  private func show(_ outputs: [EngineDriver.Output]) {
    for case .snapshots(let snapshots, let tick) in outputs where tick <= deadline {
      let beacons = snapshots.values.flatMap(\.self)
      let ordered = snapshots.count > 1 ? beacons.sorted(by: RangedBeacon.precedes) : beacons
      output.show(RangingSnapshot(time: tick, beacons: ordered.map(record)))
    }
  }

  private func record(_ beacon: RangedBeacon) -> Record {
    var report = beacon.report()
    if let place = catalogue.place(of: beacon.beacon) { (report.placeID, report.place) = (place.id, place.name(preferring: languages)) }
    var record = report.record
    if let reception = beacon.reception { record.append(reception.record) }
    return record
  }
}

extension Configuration {
  /// The beacons of the regions and of the venues.
  fileprivate var rangedConstraints: [BeaconConstraint] {
    let ofRegions = regions.compactMap { $0.beaconRegion?.constraint }
    let planned = venues.flatMap(\.beacons).map(\.identity)
    return BeaconConstraint.widest(
      of: ofRegions + planned.map { BeaconConstraint(uuid: $0.uuid, major: $0.major, minor: $0.minor) },
      limit: RemoteStream.mostConstraints)
  }
}
