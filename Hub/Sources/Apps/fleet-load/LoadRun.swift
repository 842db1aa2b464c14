import CLibmosquitto
import EventLoop
import FleetSimulation
import Glibc
import Instants

/// A run of simulated devices on one thread.
struct LoadRun {
  let length: Span
  let acknowledgements: AcknowledgementLog?
  var links: [DeviceLink] = []
  private var acknowledged = 0
  /// The longest wait for the first connection of all devices.
  private static let longestStart = Span.seconds(120)
  /// The longest wait for acknowledgements after the run.
  private static let longestEnd = Span.seconds(60)

  init(_ length: Span, acknowledgements: AcknowledgementLog?) { (self.length, self.acknowledgements) = (length, acknowledgements) }

  nonisolated(unsafe) private static var cutsHalf = false
  nonisolated(unsafe) private static var isStopped = false

  /// Returns whether the broker has acknowledged every message.
  mutating func run() -> Bool {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGUSR1) { _ in LoadRun.cutsHalf = true }
    for number in [SIGTERM, SIGINT] { signal(number) { _ in LoadRun.isStopped = true } }
    mosquitto_lib_init()
    let start = MonotonicClock.now
    connect(since: start)
    let begin = MonotonicClock.now
    var end = begin + length
    var (checked, printed) = (begin, begin)
    while true {
      let now = MonotonicClock.now
      if Self.isStopped { end = min(end, now) }
      if Self.cutsHalf {
        Self.cutsHalf = false
        for index in stride(from: 0, to: links.count, by: 2) { links[index].cut(at: now, for: .milliseconds(.random(in: 1000...4000))) }
      }
      let isCheck = now - checked > .seconds(1)
      if isCheck { checked = now }
      // The devices' clock of messages begins when all are connected.
      step(now, publishing: now < end ? Instant(microseconds: (now - begin).microseconds) : nil, checksKeepAlive: isCheck)
      if now - printed > .seconds(5) {
        printed = now
        print(summary)
        fflush(nil)
      }
      let waiting = links.reduce(0) { $0 + $1.device.waiting.count }
      guard now < end || (waiting > 0 && now < end + Self.longestEnd) else {
        acknowledgements?.close()
        print("\(summary), cpu \(Self.processorTime.seconds) s")
        return waiting == 0
      }
    }
  }

  /// Connects all devices, so that no message is late because its device is not connected yet.
  private mutating func connect(since start: Instant) {
    while true {
      let now = MonotonicClock.now
      let count = links.count { $0.schedule.isUp }
      guard count < links.count, now - start < Self.longestStart, !Self.isStopped else {
        print("\(count) devices are connected after \(Int((now - start).seconds)) s")
        fflush(nil)
        return
      }
      step(now, publishing: nil, checksKeepAlive: false)
    }
  }

  /// - Parameter publishing: the time on the devices' clock of messages; nil if none is due
  private mutating func step(_ now: Instant, publishing: Instant?, checksKeepAlive: Bool) {
    let wallTime = WallClock.now.microseconds / 1000
    var descriptors = links.map { link in
      link.connectIfDue(at: now)
      if let publishing { link.publishDue(at: publishing, wallTime: wallTime) }
      return pollfd(fd: link.socket, events: Int16(POLLIN | (link.wantsToWrite ? POLLOUT : 0)), revents: 0)
    }
    poll(&descriptors, nfds_t(descriptors.count), 5)
    for (link, descriptor) in zip(links, descriptors) {
      link.process(descriptor.revents, checksKeepAlive: checksKeepAlive)
      for message in link.takeAcknowledged() {
        acknowledged += 1
        acknowledgements?.note(message, of: link.device.address, at: wallTime, port: link.port)
      }
    }
  }

  private var summary: String {
    let counts = links.map(\.device.counts)
    return
      "devices \(links.count) up \(links.count { $0.schedule.isUp }) sent \(counts.reduce(0) { $0 + $1.sent }) acknowledged \(acknowledged) "
      + "waiting \(links.reduce(0) { $0 + $1.device.waiting.count }) repeated \(counts.reduce(0) { $0 + $1.repeated }) "
      + "dropped \(counts.reduce(0) { $0 + $1.dropped }) connections \(links.reduce(0) { $0 + $1.schedule.attempts })"
  }

  private static var processorTime: Span {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Span(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }
}
