import BeaconAdvertising
import EventLoop
import Instants
import Locations
import Motion
import Records
import TrackRecordings

/// Plays captures and walks on the loop as if their beacons and fixes were received now.
/// All tracks share one clock, that of their stamps.
///
/// It runs on after the capture's end while the listener sets `wake`, and again when the listener sets it later.
public final class CapturePlayback {
  public enum Pace: Hashable, Sendable {
    /// A multiple of the capture's own speed.
    case speed(Double)
    /// Unlimited speed, as fast as the data comes: its timestamps are the clock.
    case unpaced
  }

  /// A step of the playback, for the listener.
  public enum Step {
    /// The clock is at the first record's time.
    case started(at: Instant)
    /// All sightings up to this time, in order.
    case heard([Sighting], through: Instant)
    /// The report of a location receiver at this time, which is never before that of the previous step.
    case located(WalkReport, at: Instant)
    /// The motion of the recorded device from this time on, which is never before that of the previous step.
    case moved(DeviceMotion, at: Instant)
    /// The end of the capture, with an error if it could not be read to its end; time continues.
    case ended(CaptureFileError?)
    /// The pipe held not one record; nothing follows.
    case failed(CaptureFileError)
    /// The listener requests no more steps, for the first time.
    case finished
  }

  /// The shortest time between two steps; sightings that come closer share a step.
  ///
  /// It is that of packets of a radio (`ReadPacing`). Two hundred advertisements a second, each with a wake-up of its own, took 1.2 % of a
  /// core.
  private static let shortestStep = Span.milliseconds(20)
  /// The longest pause, in real time, after which the clock is put forward.
  /// The capture of a device without a clock at first jumps by years.
  private static let longestWait = Span.seconds(3600)

  private let loop: Loop
  private let pace: Pace
  let listener: (Step) -> Void
  let buffers: [TrackBuffer]
  private var timer: Timer?
  private var clock: PlaybackClock?
  private var hasStarted = false
  var hasReportedStart = false
  /// The time of the last step.
  var reported = Instant(microseconds: .min)
  private var hasReportedEnd = false
  private var hasFinished = false
  private var isStepping = false

  /// The time, on the capture's clock, at which the listener needs a step even without sightings; `.never` for none.
  public var wake = Instant.never {
    didSet { if wake != oldValue && !isStepping { schedule() } }
  }

  /// Whether time is paused, because the listener cannot take more for now.
  public var isHeld = false {
    didSet { if isHeld != oldValue && !isStepping { schedule() } }
  }

  /// Opens the capture, `-` for standard input; a FIFO may not have a writer yet.
  /// It throws for a file without a single record.
  public convenience init(
    _ loop: Loop, path: String, pace: Pace, adapters: [AdapterSettings] = [], listener: @escaping (Step) -> Void
  ) throws(CaptureFileError) {
    let track = try SightingTrack(path: path, pace: pace)
    track.configure(adapters)
    try self.init(loop, [track], pace: pace, listener: listener)
  }

  /// Plays at least one track, several together; throws for a file without a single record.
  public init(_ loop: Loop, _ tracks: [any PlaybackTrack], pace: Pace, listener: @escaping (Step) -> Void) throws(CaptureFileError) {
    self.loop = loop
    self.pace = pace
    self.listener = listener
    buffers = tracks.map(TrackBuffer.init)
    timer = loop.timer { [unowned self] in advance() }
    for buffer in buffers where buffer.track.pipe == nil { try buffer.requireBeginning() }
  }

  /// Sets which adapters count and their RSSI offsets, for the data that is read from now on.
  public func configure(_ settings: [AdapterSettings]) {
    for buffer in buffers { buffer.track.configure(settings) }
  }

  /// Starts to play.
  public func start() {
    hasStarted = true
    for buffer in buffers {
      buffer.watch(loop) { [unowned self, unowned buffer] in
        buffer.read()
        advance()
      }
    }
    if !buffers.contains(where: \.isPipe) { timer?.arm(after: .zero) }
  }

  /// Returns the telemetry of beacons in what was read since the last call, which may be ahead of the playback.
  public func takeTelemetry() -> [BeaconTelemetry] { buffers.flatMap { $0.track.takeTelemetry() } }
  public var counts: AdvertisementCounts { buffers.lazy.compactMap(\.track.counts).first ?? AdvertisementCounts() }
  public var roster: AdapterRoster { buffers.first { $0.track.counts != nil }?.track.roster ?? AdapterRoster() }
  /// The counts of the walk's lines by outcome; nil without a walk.
  public var lines: LineStatistics? { buffers.lazy.compactMap(\.track.lines).first }
  /// The beginning of each track; nil while it is unknown.
  public var beginnings: [Instant?] { buffers.map { $0.track.period?.lowerBound } }
}

extension CapturePlayback {
  private func advance() {
    isStepping = true
    readInTurn()
    reportStart()
    if let time = target {
      if case .speed = pace { for buffer in buffers where !buffer.isPipe { buffer.readAhead(of: time) } }
      report(through: min(time, limit))
    }
    if hasEnded && buffers.allSatisfy(\.pending.isEmpty) && !hasReportedEnd {
      hasReportedEnd = true
      let failed = buffers.first { $0.failure != nil }
      if let failed, let failure = failed.failure, failed.track.period == nil { return fail(failure) }
      listener(.ended(failed?.failure))
    }
    isStepping = false
    schedule()
  }

  private var hasEnded: Bool { buffers.allSatisfy(\.hasEnded) }

  /// The beginning of the first track; nil while one may still begin earlier.
  var beginning: Instant? {
    buffers.allSatisfy(\.isReady) ? buffers.compactMap { $0.track.period?.lowerBound }.min() : nil
  }

  /// The time up to which all tracks have been read.
  private var frontier: Instant? {
    let going = buffers.filter { !$0.hasEnded }
    return
      (going.isEmpty ? buffers.compactMap { $0.track.period?.upperBound }.max() : going.map { $0.track.period?.upperBound ?? .never }.min())
  }

  /// The time up to which to play; nil before the first record, and while time is paused.
  private var target: Instant? {
    guard let beginning else { return nil }
    switch pace {
    case .unpaced:
      guard hasReportedEnd else { return frontier }
      return wake == .never ? nil : wake
    case .speed(let speed):
      let clock = clock ?? PlaybackClock(start: beginning, speed: speed, anchor: loop.now)
      self.clock = clock
      return clock.captureTime(at: loop.now)
    }
  }

  /// The time of the end, which comes exactly there and before any later time, so that results do not depend on the pace.
  private var limit: Instant {
    guard hasEnded, !hasReportedEnd else { return .never }
    return frontier ?? .never
  }

  private func schedule() {
    // A pipe that is not watched yet would be read like a file, and seem to be at its end.
    guard hasStarted else { return }
    for buffer in buffers { buffer.updateInterest(isHeld: isHeld) }
    guard !isHeld else {
      timer?.disarm()
      return
    }
    guard !hasReportedEnd || wake != .never && hasReportedStart else {
      finish()
      return
    }
    switch pace {
    case .unpaced:
      if !buffers.contains(where: \.isPipe) || !readable.isEmpty { timer?.arm(after: .zero) }
    case .speed:
      guard var clock else { return }
      let next = min(buffers.map(\.pending.first).min() ?? .never, wake)
      guard next != .never else {
        timer?.disarm()
        return
      }
      if clock.loopTime(of: next) - loop.now > Self.longestWait {
        clock = PlaybackClock(start: next, speed: clock.speed, anchor: loop.now)
        self.clock = clock
      }
      timer?.arm(at: max(clock.loopTime(of: next), loop.now + Self.shortestStep))
    }
  }

  private func fail(_ failure: CaptureFileError) {
    hasFinished = true
    timer = nil
    listener(.failed(failure))
  }

  private func finish() {
    timer?.disarm()
    guard !hasFinished else { return }
    hasFinished = true
    listener(.finished)
  }
}

// MARK: Reading. A pipe is read when it has data, and every other track in turn.

extension CapturePlayback {
  private func readInTurn() {
    if pace == .unpaced { for buffer in readable { buffer.read() } }
    for buffer in buffers where !buffer.isPipe { buffer.readBeginning() }
  }

  /// The tracks to read next at unlimited speed, so that none runs ahead of the others.
  private var readable: [TrackBuffer] {
    buffers.filter { buffer in
      guard !buffer.hasEnded, !buffer.isPipe else { return false }
      guard let end = buffer.track.period?.upperBound else { return true }
      return !buffers.contains { !$0.hasEnded && ($0.track.period?.upperBound ?? end) < end }
    }
  }
}
