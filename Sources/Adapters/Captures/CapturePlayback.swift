import BeaconAdvertising
import EventLoop
import Instants

/// Plays a capture on the loop as if its beacons were being heard now.
///
/// Its clock is the capture's. It runs on after the capture's end for as long as the listener wants to be woken; a playback that has finished wakes nobody.
public final class CapturePlayback {
  public enum Pace: Hashable, Sendable {
    /// So many times the capture's own speed.
    case speed(Double)
    /// As fast as the data comes: its timestamps are the clock.
    case unpaced
  }

  /// What the listener is told.
  public enum Step {
    /// The clock stands at the first record's time.
    case started(at: Instant)
    /// Everything that was heard up to this time, in order.
    case heard([Sighting], through: Instant)
    /// Nothing more will be heard; why, if the capture could not be read to its end. Time goes on.
    case ended(CaptureFileError?)
    /// What came through the pipe held not one record. Nothing follows.
    case failed(CaptureFileError)
    /// Nobody wants to be woken any more.
    case finished
  }

  /// The shortest time between two steps: sightings that come closer are told together.
  private static let shortestStep = Span.milliseconds(5)
  /// A pipe that writes faster than its capture plays waits when so many sightings are.
  private static let mostPending = 50_000
  /// In octets: a capture that plays at its own speed is read little by little, so that its counts are those of what was told, or nearly.
  private static let shortChunk = 4096
  /// When nothing happens for so long of real time, the clock is put forward: a capture of a device that had no clock at first jumps by years.
  private static let longestWait = Span.seconds(3600)

  private let loop: Loop
  private let pace: Pace
  private let listener: (Step) -> Void
  private var reader: CaptureReader
  private var timer: Timer?
  /// Nil for what is always readable, and after the end.
  private var pipe: IOSource?
  private var clock: PlaybackClock?
  private var hasStarted = false
  private var hasToldStart = false
  private var pending: [Sighting] = []
  private var failure: CaptureFileError?
  private var hasEnded = false
  private var hasToldEnd = false
  private var hasFinished = false
  private var isStepping = false

  /// When the listener wants a step though nothing is heard, on the capture's clock; `.never` for not at all.
  public var wake = Instant.never {
    didSet { if wake != oldValue && !isStepping { schedule() } }
  }

  /// Time stands still while this is true: whoever is told cannot take more for now.
  public var isHeld = false {
    didSet { if isHeld != oldValue && !isStepping { schedule() } }
  }

  /// Opens the capture, `-` for standard input. Throws for a file without a single record; a FIFO may still be without a writer.
  public init(
    _ loop: Loop, path: String, pace: Pace, adapters: [AdapterSettings] = [], listener: @escaping (Step) -> Void
  ) throws(CaptureFileError) {
    self.loop = loop
    self.pace = pace
    self.listener = listener
    reader = try CaptureReader(
      path: path, waitsForWriter: false, chunk: pace == .unpaced ? CaptureReader.longChunk : Self.shortChunk)
    reader.configure(adapters)
    timer = loop.timer { [unowned self] in advance() }
    if reader.size != nil {
      readBeginning()
      if let failure, reader.period == nil { throw failure }
    }
  }

  /// Says which adapters count and how each hears, for what is read from now on.
  public func configure(_ settings: [AdapterSettings]) {
    reader.configure(settings)
  }

  /// Plays from now on.
  public func start() {
    hasStarted = true
    if reader.size == nil { pipe = watchPipe() }
    if pipe == nil { timer?.arm(after: .zero) }
  }

  public var name: String { reader.name }
  public var counts: AdvertisementCounts { reader.counts }
  public var roster: AdapterRoster { reader.roster }

  /// Nil for a device that cannot be waited for: it is read as a file is.
  private func watchPipe() -> IOSource? {
    do {
      return try loop.io(reader.descriptor, .readable) { [unowned self] _ in
        read()
        advance()
      }
    } catch {
      return nil
    }
  }
}

extension CapturePlayback {
  private func advance() {
    isStepping = true
    readInTurn()
    tellStart()
    if let time = target {
      readAhead(of: time)
      tell(through: min(time, limit))
    }
    if hasEnded && pending.isEmpty && !hasToldEnd {
      hasToldEnd = true
      if let failure, reader.period == nil { return fail(failure) }
      listener(.ended(failure))
    }
    isStepping = false
    schedule()
  }

  /// How far time has come; nil before the first record, and when it stands still.
  private var target: Instant? {
    guard let period = reader.period else { return nil }
    switch pace {
    case .unpaced:
      guard hasToldEnd else { return period.upperBound }
      return wake == .never ? nil : wake
    case .speed(let speed):
      let clock = clock ?? PlaybackClock(start: period.lowerBound, speed: speed, anchor: loop.now)
      self.clock = clock
      return clock.captureTime(at: loop.now)
    }
  }

  private func tellStart() {
    guard !hasToldStart, let start = reader.period?.lowerBound else { return }
    hasToldStart = true
    listener(.started(at: start))
  }

  /// The capture's end comes exactly there and before any later time, so that what comes of it does not depend on the pace.
  private var limit: Instant {
    guard hasEnded, !hasToldEnd, let period = reader.period else { return .never }
    return period.upperBound
  }

  private func tell(through time: Instant) {
    let due = pending.firstIndex { $0.time > time } ?? pending.endIndex
    let heard = Array(pending[..<due])
    pending.removeSubrange(..<due)
    listener(.heard(heard, through: time))
  }

  private func schedule() {
    // A pipe that nobody watches yet would be read as a file is, and be at its end.
    guard hasStarted else { return }
    updateInterest()
    guard !isHeld else {
      timer?.disarm()
      return
    }
    guard !hasToldEnd || wake != .never && reader.period != nil else {
      finish()
      return
    }
    switch pace {
    case .unpaced:
      if pipe == nil { timer?.arm(after: .zero) }
    case .speed:
      guard var clock else { return }
      let next = min(pending.first?.time ?? .never, wake)
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
    guard !hasFinished else { return }
    hasFinished = true
    timer = nil
    listener(.finished)
  }
}

// MARK: Reading. A pipe is read when it has something, everything else when its turn comes.

extension CapturePlayback {
  private func readInTurn() {
    guard pipe == nil else { return }
    if pace == .unpaced { read() }
    readBeginning()
  }

  private func readBeginning() {
    while !hasEnded && reader.period == nil { read() }
  }

  /// Makes sure that nothing from before `time` is told late.
  private func readAhead(of time: Instant) {
    guard pipe == nil, pace != .unpaced else { return }
    while !hasEnded, pending.last.map({ $0.time <= time }) ?? true { read() }
  }

  private func read() {
    guard !hasEnded else { return }
    do throws(CaptureFileError) {
      hasEnded = try !reader.read(into: &pending)
    } catch {
      failure = error
      hasEnded = true
    }
    if hasEnded { pipe = nil }
  }

  private func updateInterest() {
    do {
      try pipe?.setInterest(pending.count < Self.mostPending && !isHeld ? .readable : [])
    } catch {
      pipe = nil  // then it is read as a file is
    }
  }
}
