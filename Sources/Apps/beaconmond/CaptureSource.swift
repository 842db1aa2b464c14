import BeaconAdvertising
import Captures
import EventLoop
import Failures
import Instants
import LocationSources
import Locations
import Logging
import Monitoring
import ProgramSupport
import Proximity
import Radios
import Ranging
import Simulation
import Walks

/// A capture, a walk, both, or a simulated venue, played on one clock, which counts from the Unix epoch.
final class CaptureSource: RecordableSource {
  let name: String
  let hearsBeacons: Bool
  /// The state of the playback, whether its beacons are requested or not.
  private var playing: SourceState
  private(set) var note: String?
  private let log: Logger
  private var playback: CapturePlayback?
  private var listener: (SourceStep) -> Void = { _ in }
  private var hasBegun = false
  private(set) var now = Instant(microseconds: 0)
  /// The recorder; a capture yields only sightings, so a report is made for each.
  var recorder: Recorder?
  /// The locations of the playback; nil if it has none.
  private(set) var locations: PlayedSource?
  let clock: PlayedClock

  /// Opens recordings, and throws at once for those that cannot be read.
  ///
  /// - Parameters:
  ///   - beacons: the path of a capture; nil for a daemon without beacons.
  ///   - walk: the path of a recorded walk, if there is one.
  convenience init(
    _ loop: Loop, beacons: String?, walk: String?, pace: CapturePlayback.Pace, adapters: [AdapterSettings], log: Logger
  ) throws(Failure) {
    var tracks: [any PlaybackTrack] = []
    do throws(CaptureFileError) {
      if let beacons { tracks.append(try SightingTrack(path: beacons, pace: pace)) }
      if let walk { tracks.append(try WalkTrack(path: walk)) }
    } catch {
      throw Failure(error)
    }
    let name = beacons.map { "capture:\($0)" } ?? "none"
    try self.init(loop, name, tracks, hearsBeacons: beacons != nil, located: walk == nil ? nil : .capture, pace, adapters, log: log)
    noteGap()
  }

  /// Plays a simulated venue.
  convenience init(
    _ loop: Loop, _ scenario: Scenario, path: String, seed: UInt64, pace: CapturePlayback.Pace, adapters: [AdapterSettings], log: Logger
  ) throws(Failure) {
    try self.init(
      loop, "simulator:\(path)", [VenueTrack(scenario, seed: seed, name: path)], hearsBeacons: !scenario.receivers.isEmpty,
      located: scenario.positioning == nil ? nil : .simulator, pace, adapters, log: log)
  }

  private init(
    _ loop: Loop, _ name: String, _ tracks: [any PlaybackTrack], hearsBeacons: Bool, located: Location.Source?,
    _ pace: CapturePlayback.Pace,
    _ adapters: [AdapterSettings], log: Logger
  ) throws(Failure) {
    self.name = name
    self.hearsBeacons = hearsBeacons
    playing = hearsBeacons ? .scanning : .nothing
    self.log = log
    clock = PlayedClock(loop, pace)
    for track in tracks { track.configure(adapters) }
    do throws(CaptureFileError) {
      playback = try CapturePlayback(loop, tracks, pace: pace) { [unowned self] in follow($0) }
    } catch {
      throw Failure(error)
    }
    if let beginning = playback?.beginnings.compactMap(\.self).min() { clock.tell(beginning) {} }
    if let located { locations = PlayedSource(loop, located) { [unowned self] in playback?.lines } }
  }

  /// Notes a gap between the recordings: different days are usually a mistake.
  private func noteGap() {
    guard let beginnings = playback?.beginnings, beginnings.count == 2, let beacons = beginnings[0], let walk = beginnings[1] else {
      return
    }
    guard max(beacons, walk) - min(beacons, walk) > .seconds(86_400) else { return }
    log.warning("the capture begins at \(beacons.rfc3339) and the walk at \(walk.rfc3339): they will play one after the other")
  }

  func start(_ listener: @escaping (SourceStep) -> Void) {
    self.listener = listener
    playback?.start()
  }

  var wake: Instant {
    get { playback?.wake ?? .never }
    set { playback?.wake = newValue }
  }

  /// The demand; without any, sightings are dropped, as with an adapter that does not scan, but time goes on.
  var demand = HearingDemand.nothing {
    didSet { if hasBegun, (demand == .nothing) != (oldValue == .nothing), playing == .scanning { listener(.changed(at: now)) } }
  }

  var state: SourceState { playing == .scanning && demand == .nothing ? .idle : playing }

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
    case .paused, .idle: .all(.paused)
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
      clock.tell(time) { listener(.started(at: time)) }
      hasBegun = true
      if state != .scanning { listener(.changed(at: now)) }
    case .heard(let sightings, let time):
      if let recorder {
        for sighting in sightings { recorder.hear(AdvertisingReport(sighting), adapter: sighting.adapter, at: sighting.time) }
      }
      now = time
      clock.tell(time) { listener(.heard(demand == .nothing ? [] : sightings, through: time)) }
    case .located(let report, let time):
      now = time
      clock.tell(time) { locations?.take(report.report, at: report.time) }
    case .ended(nil):
      log.info("\(title): ended; time continues until every exit delay has passed")
      locations?.end()
    case .ended(let failure?):
      log.warning("\(failure)")
      locations?.end()
      change(to: playing, note: "\(failure)")
    case .failed(let failure):
      listener(.failed(Failure(failure)))
    case .finished:
      change(to: hearsBeacons ? .paused : .nothing, note: note)
    }
  }

  private var title: String { hearsBeacons ? name : "the walk" }

  private func change(to state: SourceState, note: String?) {
    playing = state
    self.note = note
    listener(.changed(at: now))
  }
}
