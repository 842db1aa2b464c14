import CLinux
import Glibc
import Instants

/// The loop of a single-threaded program: epoll, timers and deferred work, all as callbacks.
///
/// A source works as long as it is held: releasing or cancelling it stops it, even from inside another source's callback, and a stopped
/// source never fires. The loop holds no source, so a closure may hold the loop. An idle loop sleeps in the kernel until a descriptor or
/// a deadline wakes it.
///
/// The class is deliberately not Sendable: create it, its sources and all that depends on them on the thread that calls `run()`.
public final class Loop {
  private struct Registration {
    weak var source: (any LoopSource)?
  }

  private let epoll: FileDescriptor
  private var registrations: [UInt64: Registration] = [:]
  private var lastID: UInt64 = 0
  private var deadlines = TimerQueue()
  private var queue: [() -> Void] = []
  private var exitCode: Int32?
  /// The number of times that the loop has waited for descriptors or deadlines.
  public private(set) var wakeUps: UInt64 = 0
  private var sleeps = SleepRecord(total: Loop.timeAsleep)
  /// Runs when the process did not run although a deadline passed, before any other callback.
  ///
  /// The process was frozen, starved, or blocked in a call. Input of that time has not been read, so silence in it does not count. The span
  /// begins when the loop last ran for certain.
  public var onStall: (_ start: Instant, _ end: Instant) -> Void = { _, _ in }
  private var lastRun: Instant
  /// The delay of a deadline from which it counts as missed.
  private static let longestDelay = Span.seconds(1)

  /// Creates a loop, ignores SIGPIPE for the whole process, and resets SIGCHLD to its default.
  /// Writing to a closed pipe then fails with EPIPE instead of ending the program. If the parent process made this one ignore SIGCHLD,
  /// the kernel would keep no child's exit status.
  public init() throws(SystemCallError) {
    let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard descriptor >= 0 else { throw .last("epoll_create1") }
    epoll = FileDescriptor(owning: descriptor)
    lastRun = MonotonicClock.now
    Glibc.signal(SIGPIPE, SIG_IGN)
    Glibc.signal(SIGCHLD, SIG_DFL)
  }

  /// The time of CLOCK_MONOTONIC, which pauses while the machine sleeps.
  public var now: Instant { MonotonicClock.now }

  /// The time of CLOCK_BOOTTIME, which continues while the machine sleeps.
  public var sinceBoot: Instant { Instant(reading: CLOCK_BOOTTIME) }

  /// Returns how long the machine slept since `instant`: the age of `instant` that `now` does not include.
  public func asleep(since instant: Instant) -> Span { sleeps.asleep(since: instant) }

  /// The time asleep since boot.
  /// The clock that pauses is read last, so that an interruption in between never looks like sleep.
  private static var timeAsleep: Span { Instant(reading: CLOCK_BOOTTIME) - MonotonicClock.now }

  /// Runs callbacks until `stop`, and returns its code; can be called again afterwards.
  /// It throws only if waiting itself fails.
  public func run() throws(SystemCallError) -> Int32 {
    var events = [epoll_event](repeating: epoll_event(), count: 64)
    while exitCode == nil {
      try turn(&events)
    }
    defer { exitCode = nil }
    return exitCode ?? 0
  }

  /// Makes `run()` return after the current callback; pending callbacks are called when the loop runs again.
  public func stop(_ code: Int32 = 0) {
    exitCode = code
  }

  /// Calls `body` once, after the callbacks of this turn and never from inside this call; it cannot be cancelled.
  public func enqueue(_ body: @escaping () -> Void) {
    queue.append(body)
  }

  private func turn(_ events: inout [epoll_event]) throws(SystemCallError) {
    let count = try wait(&events)
    wakeUps &+= 1
    let wakeUp = now
    sleeps.note(total: Self.timeAsleep, at: wakeUp)
    noteStall(at: wakeUp)
    for index in 0..<count where exitCode == nil {
      let event = events[index]
      registrations[event.data.u64]?.source?.fire(IOEvents(rawValue: event.events))
    }
    expireTimers()
    let batch = queue
    queue.removeAll()
    for (index, body) in batch.enumerated() {
      guard exitCode == nil else {
        queue.insert(contentsOf: batch[index...], at: 0)
        break
      }
      body()
    }
  }

  private func wait(_ events: inout [epoll_event]) throws(SystemCallError) -> Int {
    var count: Int32
    if queue.isEmpty, deadlines.isEmpty {
      count = epoll_pwait2(epoll.number, &events, Int32(events.count), nil, nil)
    } else {
      var time = timespec()
      if queue.isEmpty, let earliest = deadlines.earliest {
        let microseconds = max(0, (earliest - now).microseconds)
        time = timespec(tv_sec: Int(microseconds / 1_000_000), tv_nsec: Int(microseconds % 1_000_000) * 1000)
      }
      count = epoll_pwait2(epoll.number, &events, Int32(events.count), &time, nil)
    }
    if count < 0 {
      guard errno == EINTR else { throw .last("epoll_pwait2") }
      count = 0
    }
    return Int(count)
  }

  /// Runs `onStall` if the process did not run until `now`. Call before deadlines that have passed cause anything.
  ///
  /// The loop calls it before callbacks. A callback that takes several inputs calls it before each, because one of them may block.
  public func noteStall(at now: Instant) {
    defer { lastRun = now }
    guard let earliest = deadlines.earliest, now - max(earliest, lastRun) > Self.longestDelay else { return }
    onStall(lastRun, now)
  }

  private func expireTimers() {
    let now = now
    noteStall(at: now)
    let order = deadlines.nextOrder
    while exitCode == nil, let id = deadlines.popDue(at: now, armedBefore: order) {
      registrations[id]?.source?.fire([])
    }
  }
}

/// The loop's view of a source.
protocol LoopSource: AnyObject {
  func fire(_ events: IOEvents)
}

// MARK: - Functions for the sources

extension Loop {
  /// Returns the number under which a source is registered.
  /// A number is never used twice, so that an event of a released source reaches no other source.
  func makeID() -> UInt64 {
    lastID += 1
    return lastID
  }

  func register(_ source: any LoopSource, as id: UInt64) {
    registrations[id] = Registration(source: source)
  }

  func unregister(_ id: UInt64) {
    registrations[id] = nil
    deadlines.disarm(id)
  }

  /// Changes the registration of a descriptor; `operation` is EPOLL_CTL_ADD, _MOD or _DEL.
  func control(_ operation: Int32, _ descriptor: Int32, _ events: IOEvents, _ id: UInt64) throws(SystemCallError) {
    var event = epoll_event(events: events.rawValue, data: epoll_data_t(u64: id))
    guard epoll_ctl(epoll.number, operation, descriptor, &event) == 0 else { throw .last("epoll_ctl", "descriptor \(descriptor)") }
  }

  /// Arms a timer; a deadline in the past counts as now, so overdue timers keep the order in which they were armed.
  func arm(_ id: UInt64, at due: Instant) {
    deadlines.arm(id, at: max(due, now))
  }

  func disarm(_ id: UInt64) {
    deadlines.disarm(id)
  }

  func due(of id: UInt64) -> Instant? {
    deadlines.due(of: id)
  }
}

/// A record of when and how long the machine slept.
/// The loop's clock pauses during sleep, but earlier sightings and fixes still grow older.
struct SleepRecord {
  private struct Sleep {
    /// The first instant after the sleep.
    let end: Instant
    /// The time that the sleep added to the total.
    let total: Span
  }

  /// The maximum number of entries; before the oldest one, the time asleep is no longer known exactly.
  private static let most = 64
  /// The shortest sleep that is recorded; two clocks that are read one after the other differ by less.
  private static let shortest = Span.milliseconds(1)

  private var sleeps: [Sleep] = []
  private var total: Span

  /// - Parameter total: CLOCK_BOOTTIME less CLOCK_MONOTONIC.
  init(total: Span) {
    self.total = total
  }

  /// Takes the clocks' values at `time`, before any other work of that wake-up.
  mutating func note(total: Span, at time: Instant) {
    guard total - self.total >= Self.shortest else { return }
    if sleeps.count == Self.most { sleeps.removeFirst() }
    sleeps.append(Sleep(end: time, total: total - self.total))
    self.total = total
  }

  /// Returns how long the machine slept since `instant`.
  func asleep(since instant: Instant) -> Span {
    sleeps.reduce(.zero) { $1.end > instant ? $0 + $1.total : $0 }
  }
}
