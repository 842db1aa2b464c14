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

  init(_ length: Span, acknowledgements: AcknowledgementLog?) { (self.length, self.acknowledgements) = (length, acknowledgements) }

  nonisolated(unsafe) private static var cutsHalf = false
  nonisolated(unsafe) private static var isStopped = false

  /// Returns whether the broker has acknowledged every message.
  mutating func run() -> Bool {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGUSR1) { _ in LoadRun.cutsHalf = true }
    for number in [SIGTERM, SIGINT] { signal(number) { _ in LoadRun.isStopped = true } }
    mosquitto_lib_init()
    var schedule = RunSchedule(length, at: MonotonicClock.now)
    while true {
      let now = MonotonicClock.now
      if Self.isStopped { schedule.stop() }
      let (up, wasConnecting) = (links.count { $0.schedule.isUp }, schedule.phase == .connecting)
      let phase = schedule.advance(to: now, missing: links.count - up, waiting: waiting)
      if wasConnecting, let time = schedule.connectingTime { show("\(up) devices are connected after \(Int(time.seconds)) s") }
      if phase == .over {
        acknowledgements?.close()
        show("\(summary), cpu \(Self.processorTime.seconds) s")
        return waiting == 0
      }
      if Self.cutsHalf, phase != .connecting {
        Self.cutsHalf = false
        for index in stride(from: 0, to: links.count, by: 2) { links[index].cut(at: now, for: .milliseconds(.random(in: 1000...4000))) }
      }
      step(now, publishing: schedule.messageTime(at: now), checksKeepAlive: schedule.takeKeepAliveCheck(at: now))
      if schedule.takeSummary(at: now) { show(summary) }
    }
  }

  private func show(_ line: String) {
    print(line)
    // The file of acknowledgements, too.
    fflush(nil)
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

  /// The number of messages without an acknowledgement.
  private var waiting: Int { links.reduce(0) { $0 + $1.device.waiting.count } }

  private var summary: String {
    let counts = links.map(\.device.counts)
    return
      "devices \(links.count) up \(links.count { $0.schedule.isUp }) sent \(counts.reduce(0) { $0 + $1.sent }) acknowledged \(acknowledged) "
      + "waiting \(waiting) repeated \(counts.reduce(0) { $0 + $1.repeated }) "
      + "dropped \(counts.reduce(0) { $0 + $1.dropped }) connections \(links.reduce(0) { $0 + $1.schedule.attempts })"
  }

  private static var processorTime: Span {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Span(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }
}
