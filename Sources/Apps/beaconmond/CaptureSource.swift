import BeaconAdvertising
import Captures
import EventLoop
import Failures
import Instants
import Logging
import MonitorBus
import ProgramSupport
import Proximity
import Radios
import Ranging

/// A capture that plays. It counts from the Unix epoch.
final class CaptureSource: SightingSource {
  let name: String
  private(set) var state = SourceState.scanning
  private(set) var note: String?
  private let log: Logger
  private var playback: CapturePlayback?
  private var listener: (SourceStep) -> Void = { _ in }
  private(set) var now = Instant(microseconds: 0)
  /// Sightings are all that a capture tells: a report is made for each.
  var recorder: Recorder?

  /// Opens the capture; what cannot be read is known before anything begins.
  init(_ loop: Loop, path: String, pace: CapturePlayback.Pace, adapters: [AdapterSettings], log: Logger) throws(Failure) {
    name = "capture:\(path)"
    self.log = log
    do throws(CaptureFileError) {
      playback = try CapturePlayback(loop, path: path, pace: pace, adapters: adapters) { [unowned self] in follow($0) }
    } catch {
      throw Failure(error)
    }
  }

  func start(_ listener: @escaping (SourceStep) -> Void) {
    self.listener = listener
    playback?.start()
  }

  var wake: Instant {
    get { playback?.wake ?? .never }
    set { playback?.wake = newValue }
  }

  /// It plays whatever there is.
  var demand = HearingDemand.nothing

  var isHeld: Bool {
    get { playback?.isHeld ?? false }
    set { playback?.isHeld = newValue }
  }

  var counts: AdvertisementCounts { playback?.counts ?? AdvertisementCounts() }

  let choice: String? = nil
  let reason: String? = nil
  let adapters: [AdapterHealth] = []
  var roster: AdapterRoster { playback?.roster ?? AdapterRoster() }

  var receivers: Receivers {
    switch state {
    case .scanning: .all(.hearing)
    case .paused: .all(.paused)
    case .gone, .nothing: .all(.lost)
    }
  }

  func configure(_ adapters: [AdapterSettings]) { playback?.configure(adapters) }

  let isClockSynchronised: Bool? = nil

  func wallClock(_ instant: Instant) -> Instant { instant }

  private func follow(_ step: CapturePlayback.Step) {
    switch step {
    case .started(let time):
      now = time
      listener(.started(at: time))
    case .heard(let sightings, let time):
      if let recorder {
        for sighting in sightings { recorder.hear(AdvertisingReport(sighting), adapter: sighting.adapter, at: sighting.time) }
      }
      now = time
      listener(.heard(sightings, through: time))
    case .ended(nil):
      log.info("\(name): ended; time runs on until every exit delay has passed")
    case .ended(let failure?):
      log.warning("\(failure)")
      change(to: state, note: "\(failure)")
    case .failed(let failure):
      listener(.failed(Failure(failure)))
    case .finished:
      change(to: .paused, note: note)
    }
  }

  private func change(to state: SourceState, note: String?) {
    self.state = state
    self.note = note
    listener(.changed(at: now))
  }
}
