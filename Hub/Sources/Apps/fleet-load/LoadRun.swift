import CLibmosquitto
import Glibc

/// A run of simulated devices on one thread.
struct LoadRun {
  let seconds: Double
  let acknowledgements: AcknowledgementLog?
  var devices: [SimulatedDevice] = []
  private var acknowledged = 0
  /// The longest wait for the first connection of all devices, in seconds.
  private static let longestStart = 120.0

  init(seconds: Double, acknowledgements: AcknowledgementLog?) { (self.seconds, self.acknowledgements) = (seconds, acknowledgements) }

  nonisolated(unsafe) private static var cutsHalf = false
  nonisolated(unsafe) private static var isStopped = false

  /// Returns whether the broker has acknowledged every message.
  mutating func run() -> Bool {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGUSR1) { _ in LoadRun.cutsHalf = true }
    for number in [SIGTERM, SIGINT] { signal(number) { _ in LoadRun.isStopped = true } }
    mosquitto_lib_init()
    let start = Self.seconds(CLOCK_MONOTONIC)
    let delay = connect(since: start)
    var end = delay + seconds
    var (checked, printed) = (0.0, 0.0)
    while true {
      let now = Self.seconds(CLOCK_MONOTONIC) - start
      if Self.isStopped { end = min(end, now) }
      if Self.cutsHalf {
        Self.cutsHalf = false
        for index in stride(from: 0, to: devices.count, by: 2) { devices[index].cut(now, for: .random(in: 1...4)) }
      }
      let isCheck = now - checked > 1
      if isCheck { checked = now }
      step(now, publishing: now < end ? now - delay : nil, checksKeepAlive: isCheck)
      if now - printed > 5 {
        printed = now
        print(summary)
        fflush(nil)
      }
      let waiting = devices.reduce(0) { $0 + $1.waiting.count }
      guard now < end || (waiting > 0 && now < end + 60) else {
        acknowledgements?.close()
        print("\(summary), cpu \(Self.seconds(CLOCK_PROCESS_CPUTIME_ID)) s")
        return waiting == 0
      }
    }
  }

  /// Connects all devices, so that no message is late because its device is not connected yet.
  /// Returns the seconds that it took.
  private mutating func connect(since start: Double) -> Double {
    while true {
      let now = Self.seconds(CLOCK_MONOTONIC) - start
      let count = devices.count { $0.isUp }
      guard count < devices.count, now < Self.longestStart, !Self.isStopped else {
        print("\(count) devices are connected after \(Int(now)) s")
        fflush(nil)
        return now
      }
      step(now, publishing: nil, checksKeepAlive: false)
    }
  }

  /// - Parameter publishing: the seconds since the first message was due; nil if none is due
  private mutating func step(_ now: Double, publishing: Double?, checksKeepAlive: Bool) {
    let wall = Int64(Self.seconds(CLOCK_REALTIME) * 1000)
    var descriptors = devices.map { device in
      device.connectIfDue(now)
      if let publishing { device.publishIfDue(publishing, wall: wall) }
      return pollfd(fd: device.socket, events: Int16(POLLIN | (device.wantsToWrite ? POLLOUT : 0)), revents: 0)
    }
    poll(&descriptors, nfds_t(descriptors.count), 5)
    for (device, descriptor) in zip(devices, descriptors) {
      device.process(descriptor.revents, checksKeepAlive: checksKeepAlive)
      for message in device.takeAcknowledged() {
        acknowledged += 1
        acknowledgements?.note(message, of: device.address, at: wall, port: device.port)
      }
    }
  }

  private var summary: String {
    let sum = devices.reduce((sent: 0, repeated: 0, dropped: 0, connections: 0, up: 0, waiting: 0)) { sum, device in
      let counts = device.counts
      return (
        sum.sent + counts.sent, sum.repeated + counts.repeated, sum.dropped + counts.dropped, sum.connections + counts.connections,
        sum.up + (device.isUp ? 1 : 0), sum.waiting + device.waiting.count
      )
    }
    return
      "devices \(devices.count) up \(sum.up) sent \(sum.sent) acknowledged \(acknowledged) waiting \(sum.waiting) repeated \(sum.repeated) "
      + "dropped \(sum.dropped) connections \(sum.connections)"
  }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
