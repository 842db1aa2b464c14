import Captures
import EventLoop
import Failures
import Glibc
import Instants
import MonitorBus
import ProgramSupport
import Proximity
import Ranging
import Regions

/// Ranges a capture, without a daemon, with the same engine.
final class CaptureRanging {
  private let loop: Loop
  private let output: RangeOutput
  private let once: Bool
  private var driver: EngineDriver
  private var playback: CapturePlayback?
  private var signals: [SignalSource] = []
  private var failure: Failure?
  /// When `--once` gives up, on the capture's clock.
  private var deadline = Instant.never

  init(
    _ path: String, pace: CapturePlayback.Pace, _ constraint: BeaconConstraint, _ ranging: RangingSettings, once: Bool,
    _ output: RangeOutput
  ) throws(Failure) {
    self.output = output
    self.once = once
    var engine = ProximityEngine(settings: EngineSettings(ranging: ranging), at: Instant(microseconds: 0))
    engine.startRanging(constraint)
    driver = EngineDriver(engine: engine)
    do throws(SystemCallError) {
      loop = try Loop()
    } catch {
      throw Failure(.osError, "\(error)")
    }
    do throws(CaptureFileError) {
      playback = try CapturePlayback(loop, path: path, pace: pace) { [unowned self] in follow($0) }
    } catch {
      throw Failure(error)
    }
  }

  func run() throws(Failure) {
    do throws(SystemCallError) {
      signals = [
        try loop.signal(SIGINT) { [loop] in loop.stop() },
        try loop.signal(SIGTERM) { [loop] in loop.stop() },
        try loop.signal(SIGWINCH) { [output] in output.redraw() },
      ]
      playback?.start()
      _ = try loop.run()
    } catch {
      throw Failure(.osError, "\(error)")
    }
    if let failure { throw failure }
  }

  private func follow(_ step: CapturePlayback.Step) {
    switch step {
    case .started(let time):
      driver.start(at: time)
      if once { deadline = time + Range.patience }
    case .heard(let sightings, let time):
      for case .snapshots(let snapshots, let tick) in driver.step(sightings, through: time) where tick <= deadline {
        for beacons in snapshots.values {
          output.show(RangingSnapshot(time: tick, beacons: beacons.map { $0.record() }))
        }
      }
      if output.isDone || time > deadline { loop.stop() }
    case .ended(let error):
      // A capture that was cut off is still a capture; anything else is not what was asked for.
      if let error {
        if error.isTruncation { output.note("\(error)") } else { failure = Failure(error) }
      } else {
        output.note(output.isTable ? "the capture has ended" : nil)
      }
      loop.stop()
    case .failed(let error):
      failure = Failure(error)
      loop.stop()
    case .finished:
      loop.stop()
    }
  }
}
