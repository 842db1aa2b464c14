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

/// Ranges a capture with the daemon's engine, but without a daemon.
final class CaptureRanging {
  private let program: ProgramLoop
  private let output: RangeOutput
  private let once: Bool
  private var driver: EngineDriver
  private var playback: CapturePlayback?
  /// The time at which `--once` gives up, on the capture's clock.
  private var deadline = Instant.never
  /// Whether the capture was played to its end, and not stopped before.
  private(set) var hasEnded = false

  init(
    _ path: String, pace: CapturePlayback.Pace, _ constraint: BeaconConstraint, _ configuration: Configuration, once: Bool,
    _ output: RangeOutput
  ) throws(Failure) {
    self.output = output
    self.once = once
    let ranging = configuration.ranging(of: AdapterRoster(configuration.adapters))
    var engine = ProximityEngine(settings: EngineSettings(ranging: ranging), at: Instant(microseconds: 0))
    engine.startRanging(constraint)
    driver = EngineDriver(engine: engine)
    program = try ProgramLoop()
    do throws(CaptureFileError) {
      playback = try CapturePlayback(program.loop, path: path, pace: pace, adapters: configuration.adapters) { [unowned self] in follow($0)
      }
    } catch {
      throw Failure(error)
    }
  }

  func run() throws(Failure) {
    let signals = try ScreenSignals(program.loop) { [output] in
      output.suspend()
    } onRedraw: { [output] in
      output.redraw()
    }
    defer { withExtendedLifetime(signals) {} }
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
      program.end(failure)
    case .failed(let error):
      program.end(Failure(error))
    case .finished:
      program.end()
    }
  }

  private func show(_ outputs: [EngineDriver.Output]) {
    for case .snapshots(let snapshots, let tick) in outputs where tick <= deadline {
      for beacons in snapshots.values { output.show(RangingSnapshot(time: tick, beacons: beacons.map { $0.report().record })) }
    }
  }
}
