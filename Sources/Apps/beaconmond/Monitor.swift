import BeaconAdvertising
import Captures
import DBus
import EventLoop
import Failures
import Instants
import Logging
import MonitorBus
import MonitorConfiguration
import ProgramSupport
import Proximity
import Regions

/// A source, the engine that it drives, and the bus that hears what comes of it.
final class Monitor {
  private(set) var driver: EngineDriver
  private(set) var sourceState = SourceState.scanning
  private(set) var sourceNote: String?
  let capture: CaptureSource
  /// There is nothing to monitor and there never will be.
  var onFailure: (Failure) -> Void = { _ in }
  private let log: Logger
  private var service: MonitorService?
  private var isPlaying = false

  init(_ loop: Loop, _ capture: CaptureSource, _ configuration: Configuration, _ connection: DBusConnection, log: Logger) throws(Failure) {
    self.capture = capture
    self.log = log
    var engine = ProximityEngine(settings: EngineSettings(ranging: configuration.ranging), at: Instant(microseconds: 0))
    engine.replaceRegions(with: configuration.regions, at: engine.now)
    driver = EngineDriver(engine: engine)
    do throws(DBusError) {
      service = try MonitorService(connection, model: self)
    } catch {
      throw Failure(.osError, "\(error)")
    }
    do throws(CaptureFileError) {
      try capture.open(loop) { [unowned self] in follow($0) }
    } catch {
      throw Failure(error)
    }
  }

  /// There is somebody to tell. A source that plays already goes on.
  func start() {
    guard !isPlaying else { return }
    isPlaying = true
    capture.start()
  }

  /// Goes on with another configuration; regions that are the same notice nothing.
  func reconfigure(_ configuration: Configuration) {
    adjust { engine in
      engine.calibrate(configuration.ranging)
      engine.replaceRegions(with: configuration.regions, at: engine.now)
    }
    do {
      try service?.updateRegions()
    } catch {
      log.error("the regions cannot be shown on the bus: \(error)")
    }
  }

  func adjust(_ change: (inout ProximityEngine) -> Void) {
    driver.adjust(change)
    capture.wake = driver.nextWake
  }
}

// MARK: What the source tells

extension Monitor {
  private func follow(_ step: CapturePlayback.Step) {
    switch step {
    case .started(let time):
      driver.start(at: time)
    case .heard(let sightings, let time):
      publish(driver.step(sightings, through: time))
      capture.wake = driver.nextWake
    case .ended(let failure):
      if let failure {
        log.warning("\(failure)")
        change(to: sourceState, note: "\(failure)")
      } else {
        log.info("\(capture.name): ended; time runs on until every exit delay has passed")
      }
    case .failed(let failure):
      onFailure(Failure(failure))
    case .finished:
      adjust { $0.setReception(.paused, at: $0.now) }
      change(to: .paused, note: sourceNote)
    }
  }

  private func publish(_ outputs: [EngineDriver.Output]) {
    for output in outputs {
      switch output {
      case .snapshots(let snapshots, let time): service?.publish(snapshots, at: time)
      case .event(let event):
        do throws(DBusError) {
          try service?.publish(event)
        } catch {
          log.error("event \(event.sequence) at \(event.transition.region.identifier) is lost: \(error)")
        }
      }
    }
  }

  private func change(to state: SourceState, note: String?) {
    sourceState = state
    sourceNote = note
    service?.sourceChanged()
  }
}
