import BeaconAdvertising
import EventLoop
import Failures
import Instants
import Locations
import Logging
import Motion
import Monitoring
import Positioning
import Proximity
import RadioHealth
import Ranging
import Records
import Simulation
import TrackRecordings

/// The receiver of the locations of a playback, such as a location source.
public protocol PlayedLocations: AnyObject {
  /// Takes a report of the recorded receiver at a time on the clock of the recording.
  func take(_ report: SourceReport, at now: Instant)
  /// Takes the end of the recording.
  func end()
}

/// A capture, a walk, both, or a simulated venue, played on one clock, which counts from the Unix epoch.
public final class CaptureSource: RecordableSource {
  public let name: String
  public let hearsBeacons: Bool
  /// The state of the playback, whether its beacons are requested or not.
  private var playing: SourceState
  public private(set) var note: String?
  public private(set) var hasEnded = false
  private let log: Logger
  private var playback: CapturePlayback?
  private var listener: (SourceStep) -> Void = { _ in }
  private var hasBegun = false
  /// Whether the motion of the recorded device is known.
  private var isMotionKnown = false
  public private(set) var now = Instant(microseconds: 0)
  /// The receiver of a report for each sighting, because a capture yields nothing else.
  public var tap: AdvertisementTap?
  /// The kind of the locations that the playback contains; nil if it contains none.
  public let located: (source: Location.Source, recording: String)?
  /// The receiver of these locations.
  public var locations: (any PlayedLocations)?
  public let clock: PlayedClock

  /// Opens recordings, and throws at once for those that cannot be read.
  ///
  /// - Parameters:
  ///   - beacons: the path of a capture; nil for a daemon without beacons.
  ///   - walk: the path of a recorded walk, if there is one.
  public convenience init(
    _ loop: Loop, beacons: String?, walk: String?, pace: CapturePlayback.Pace, adapters: [AdapterSettings], log: Logger
  ) throws(Failure) {
    let tracks: [any PlaybackTrack]
    do throws(CaptureFileError) { tracks = try Self.tracks(beacons: beacons, walk: walk, pace) } catch { throw Failure(error) }
    let name = beacons.map { "capture:\($0)" } ?? "none"
    try self.init(
      loop, name, tracks, hearsBeacons: beacons != nil, located: walk == nil ? nil : (.capture, "recording"), pace, adapters, log: log)
    noteGap()
  }

  /// Plays a simulated venue.
  public convenience init(
    _ loop: Loop, _ scenario: Scenario, path: String, seed: UInt64, pace: CapturePlayback.Pace, adapters: [AdapterSettings], log: Logger
  ) throws(Failure) {
    try self.init(
      loop, "simulator:\(path)", [VenueTrack(scenario, seed: seed, name: path)], hearsBeacons: !scenario.receivers.isEmpty,
      located: scenario.positioning == nil ? nil : (.simulator, "scenario"), pace, adapters, log: log)
  }

  private init(
    _ loop: Loop, _ name: String, _ tracks: [any PlaybackTrack], hearsBeacons: Bool, located: (source: Location.Source, recording: String)?,
    _ pace: CapturePlayback.Pace, _ adapters: [AdapterSettings], log: Logger
  ) throws(Failure) {
    self.name = name
    self.hearsBeacons = hearsBeacons
    self.located = located
    playing = hearsBeacons ? .scanning : .nothing
    self.log = log
    clock = PlayedClock(loop, pace)
    for track in tracks { track.configure(adapters) }
    do throws(CaptureFileError) {
      playback = try CapturePlayback(loop, tracks, pace: pace) { [unowned self] in follow($0) }
    } catch {
      throw Failure(error)
    }
    if let beginning = playback?.beginnings.compactMap(\.self).min() { clock.hold(at: beginning) {} }
  }

  /// Throws the failure with which a start would refuse these recordings.
  ///
  /// It does not open standard input, FIFOs and devices, because it would take data from the recording that plays.
  public static func check(beacons: String?, walk: String?) throws(Failure) {
    func file(_ path: String?) -> String? { path.flatMap { CaptureFile.isStream($0) ? nil : $0 } }
    do throws(CaptureFileError) {
      for track in try tracks(beacons: file(beacons), walk: file(walk), .unpaced) { try TrackBuffer(track).requireBeginning() }
    } catch {
      throw Failure(error)
    }
  }

  private static func tracks(
    beacons: String?, walk: String?, _ pace: CapturePlayback.Pace
  ) throws(CaptureFileError) -> [any PlaybackTrack] {
    var tracks: [any PlaybackTrack] = []
    if let beacons { tracks.append(try SightingTrack(path: beacons, pace: pace)) }
    if let walk { tracks.append(try WalkTrack(path: walk)) }
    return tracks
  }

  /// Notes a gap between the recordings: different days are usually a mistake.
  private func noteGap() {
    guard let beginnings = playback?.beginnings, beginnings.count == 2, let beacons = beginnings[0], let walk = beginnings[1] else {
      return
    }
    guard max(beacons, walk) - min(beacons, walk) > .seconds(86_400) else { return }
    log.warning(
      "the capture begins at \(beacons.rfc3339) and the walk at \(walk.rfc3339): they play one after the other; record both at the same time to play them together"
    )
  }

  public func start(_ listener: @escaping (SourceStep) -> Void) {
    self.listener = listener
    playback?.start()
  }

  public var wake: Instant {
    get { playback?.wake ?? .never }
    set { playback?.wake = newValue }
  }

  /// The demand; without any, sightings are dropped, as with an adapter that does not scan, but time continues.
  public var demand = HearingDemand.nothing {
    didSet { if hasBegun, (demand == .nothing) != (oldValue == .nothing), playing == .scanning { listener(.changed(at: now)) } }
  }

  public var state: SourceState { playing == .scanning && demand == .nothing ? .idle : playing }

  public var isHeld: Bool {
    get { playback?.isHeld ?? false }
    set { playback?.isHeld = newValue }
  }

  /// The counts of the walk's lines by outcome; nil without a walk.
  public var lines: LineStatistics? { playback?.lines }
  public var counts: AdvertisementCounts { playback?.counts ?? AdvertisementCounts() }

  public func takeTelemetry() -> [BeaconTelemetry] { playback?.takeTelemetry() ?? [] }

  public let choice: String? = nil
  public let reason: String? = nil
  public let adapters: [AdapterHealth] = []
  public var roster: AdapterRoster { playback?.roster ?? AdapterRoster() }

  public var receivers: Receivers {
    switch state {
    case .scanning: .all(.hearing)
    case .paused, .idle: .all(.paused)
    case .gone, .nothing: .all(.lost)
    }
  }

  public func configure(_ adapters: [AdapterSettings]) { playback?.configure(adapters) }

  public let isClockSynchronised: Bool? = nil

  public func wallClock(_ instant: Instant) -> Instant { instant }

  private func follow(_ step: CapturePlayback.Step) {
    switch step {
    case .started(let time):
      now = time
      clock.hold(at: time) { listener(.started(at: time)) }
      hasBegun = true
      if state != .scanning { listener(.changed(at: now)) }
    case .heard(let sightings, let time):
      if let tap { for sighting in sightings { tap.report(AdvertisingReport(sighting), sighting.adapter, sighting.time) } }
      now = time
      clock.hold(at: time) { listener(.heard(demand == .nothing ? [] : sightings, through: time)) }
    case .located(let report, let time):
      now = time
      clock.hold(at: time) { locations?.take(report.report, at: report.time) }
    case .moved(let motion, let time):
      now = time
      isMotionKnown = motion != .unknown
      clock.hold(at: time) { listener(.moved(motion, at: time)) }
    case .ended(nil):
      endMotion()
      log.info("\(title): ended; time continues until every exit delay has passed")
      locations?.end()
    case .ended(let failure?):
      log.warning("\(failure)")
      endMotion()
      locations?.end()
      change(to: playing, note: "\(failure)")
    case .failed(let failure):
      listener(.failed(Failure(failure)))
    case .finished:
      hasEnded = true
      change(to: hearsBeacons ? .paused : .nothing, note: note)
    }
  }

  /// Reports that the motion of the recorded device is unknown after the end of the recording.
  private func endMotion() {
    guard isMotionKnown else { return }
    isMotionKnown = false
    clock.hold(at: now) { listener(.moved(.unknown, at: now)) }
  }

  private var title: String { hearsBeacons ? name : "the walk" }

  private func change(to state: SourceState, note: String?) {
    playing = state
    self.note = note
    listener(.changed(at: now))
  }
}

/// The clock of a recording that plays; between its steps and after its end, it runs on at the playback's speed.
public final class PlayedClock: LocationClock {
  public let speed: Double
  private let loop: Loop
  private var held = (time: Instant(microseconds: 0), at: Instant(microseconds: 0))
  private var isHeld = false
  /// Runs after each step, when the clock may have jumped.
  public var observers: [() -> Void] = []

  public init(_ loop: Loop, _ pace: CapturePlayback.Pace) {
    self.loop = loop
    switch pace {
    case .speed(let speed): self.speed = speed
    case .unpaced: speed = 1
    }
  }

  public var now: Instant { isHeld ? held.time : held.time + (loop.now - held.at) * speed }

  public func wallClock(_ instant: Instant) -> Instant { instant }

  /// Holds the clock at exactly `time` while `body` runs, so that results do not depend on the machine's speed.
  public func hold(at time: Instant, while body: () -> Void) {
    (held, isHeld) = ((time, loop.now), true)
    body()
    isHeld = false
    for observer in observers { observer() }
  }
}
