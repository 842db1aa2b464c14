import EventLoop
import Geodesy
import Glibc
import Instants
import LocationArbitration
import Locations
import Positioning
import Records
import TestSupport
import Testing

@testable import LocationSources

@Suite struct NMEASourceTests {
  private let loop: Loop
  private let walk: Walk

  init() throws {
    loop = try Loop()
    walk = try Walk()
  }

  /// Sends ten epochs of the walk in a second.
  private func walking(_ say: @escaping (String) -> Void) -> EventLoop.Timer {
    var second = 0
    let holder = Holder<EventLoop.Timer>()
    let timer = loop.timer { [loop, walk] in
      say(walk.sentences(second, at: EventLoop.WallClock.now))
      second += 1
      holder.value?.arm(at: loop.now + .milliseconds(100))
    }
    holder.value = timer
    timer.arm(after: .zero)
    return timer
  }

  @Test func `a serial line is read, and read again when it returns`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("ttyGPS")
    var terminal: PseudoTerminal? = try PseudoTerminal()
    let link = { (target: String) in
      unlink(path)
      symlink(target, path)
    }
    _ = link(try #require(terminal).path)
    let source = NMEASource(loop, at: .serial(path: path, baud: 4800))
    let listener = Listener(loop, source)
    source.start(for: .best)
    let walking = walking { terminal?.write($0) }
    let first = try listener.next(3)
    #expect(first.allSatisfy { abs($0.coordinate.latitude - 50.252) < 0.01 && $0.source == .nmea })
    #expect(first.allSatisfy { abs(($0.horizontalAccuracy ?? 0) - 4.0012) < 1e-4 })
    #expect(first.allSatisfy { $0.age(at: $0.received) < .seconds(2) })
    terminal = nil
    try listener.wait(for: .gone)
    #expect(source.health.reason == "\(path) does not exist; plug in the receiver")
    terminal = try PseudoTerminal()
    _ = link(try #require(terminal).path)
    _ = try listener.next(3)
    #expect(listener.health.map(\.state) == [.starting, .fixing, .gone, .starting, .fixing] as [LocationHealth.State])
    source.stop()
    #expect(source.health.state == .off)
    let count = listener.locations.count
    // The receiver sends every 100 ms here, so three epochs would have come.
    try loop.run(for: .milliseconds(300))
    #expect(listener.locations.count == count)
    walking.disarm()
  }

  @Test func `a receiver is read over TCP, and again after a lost connection`() throws {
    let peer = try StreamPeer(loop)
    let source = NMEASource(loop, at: .tcp(HostAddress(host: "127.0.0.1", port: peer.port)))
    let listener = Listener(loop, source)
    source.start(for: .best)
    let walking = walking { peer.say($0) }
    _ = try listener.next(3)
    peer.hangUp()
    try listener.wait(for: .gone)
    #expect(source.health.reason == "the connection was closed")
    _ = try listener.next(3)
    #expect(peer.connections == 2)
    walking.disarm()
  }

  @Test func `a host name is resolved`() throws {
    let peer = try StreamPeer(loop)
    let source = NMEASource(loop, at: .tcp(HostAddress(host: "localhost", port: peer.port)))
    let listener = Listener(loop, source)
    source.start(for: .best)
    let walking = walking { peer.say($0) }
    _ = try listener.next(1)
    walking.disarm()
  }

  @Test(arguments: [
    (
      ReceiverAddress.serial(path: "/dev/null", baud: 9600),
      LocationHealth(.gone, "/dev/null is not a serial line, or does not support this speed")
    ),
    (.serial(path: "/dev/there-is-none", baud: 9600), LocationHealth(.gone, "/dev/there-is-none does not exist; plug in the receiver")),
    (.tcp(HostAddress(host: "127.0.0.1", port: 1)), LocationHealth(.gone, "connect 127.0.0.1:1: Connection refused (ECONNREFUSED)")),
    (.tcp(HostAddress(host: "there-is-none.invalid", port: 1)), LocationHealth(.gone, "unknown host there-is-none.invalid")),
  ])
  func `a device that cannot be opened is unavailable, with the reason`(address: ReceiverAddress, health: LocationHealth) throws {
    let source = NMEASource(loop, at: address)
    let listener = Listener(loop, source)
    source.start(for: .best)
    try listener.wait(for: .gone)
    #expect(source.health == health)
  }

  @Test(arguments: [
    (ENOENT, false, LocationHealth(.gone, "/dev/x does not exist; plug in the receiver")),
    (
      ENOENT, true,
      LocationHealth(.gone, "/dev/x does not exist; plug in the receiver, and install the drop-in /usr/share/beaconmon/location.conf")
    ),
    (ENODEV, true, LocationHealth(.gone, "/dev/x does not exist; plug in the receiver")),
    (EACCES, false, LocationHealth(.denied, "permission denied for /dev/x; add the user of beaconmond to the group dialout")),
    (
      EPERM, true,
      LocationHealth(
        .denied, "permission denied for /dev/x; install the drop-in /usr/share/beaconmon/location.conf, with a DeviceAllow= for this device"
      )
    ),
  ])
  func `the error of a service mentions that its unit restricts devices`(code: Int32, isService: Bool, health: LocationHealth) {
    let error = SystemCallError(call: "open", subject: "/dev/x", code: code)
    #expect(SerialLine.health(of: "/dev/x", after: error, isService: isService) == health)
  }

  @Test func `the health of a searching receiver is silent with the reason, until it has a fix`() throws {
    let peer = try StreamPeer(loop)
    let source = NMEASource(loop, at: .tcp(HostAddress(host: "127.0.0.1", port: peer.port)))
    let listener = Listener(loop, source)
    peer.onConnection = { $0.say(Walk.sentence("GPRMC,,V,,,,,,,,,,N") + Walk.sentence("GPGGA,,,,,,0,03,99.99,,,,,,")) }
    source.start(for: .best)
    try listener.wait(for: .silent)
    #expect(source.health.words == "it has no fix; give it a clear view of the sky (3 satellites are used)")
    peer.say(walk.sentences(0, at: WallClock.now))
    try listener.wait(for: .fixing)
  }

  @Test func `fixes that arrive too late are counted`() throws {
    let peer = try StreamPeer(loop)
    let source = NMEASource(loop, at: .tcp(HostAddress(host: "127.0.0.1", port: peer.port))) {
      Receipt(instant: loop.sinceBoot, wallClock: .init(time: WallClock.now, isSynchronised: true))
    }
    let listener = Listener(loop, source)
    peer.onConnection = { $0.say(walk.sentences(0, at: WallClock.now - .seconds(60))) }
    source.start(for: .best)
    try listener.wait { _ in source.counts.stale == 1 }
    #expect(listener.locations.isEmpty)
  }

  @Test func `impossible sentences are refused, counted by reason and reported`() throws {
    let peer = try StreamPeer(loop)
    let now = try #require(Instant(rfc3339: "2026-11-21T12:00:00Z"))
    let source = NMEASource(loop, at: .tcp(HostAddress(host: "127.0.0.1", port: peer.port))) {
      Receipt(instant: Instant(microseconds: 0), wallClock: .init(time: now, isSynchronised: true))
    }
    let listener = Listener(loop, source)
    peer.onConnection = { peer in
      peer.say("$GPGGA,1*00\r\n" + String(repeating: "x", count: 1_000) + "\r\n")
      for (time, latitude) in [("2026-11-22T12:00:01Z", "5015"), ("2025-06-01T12:00:02Z", "5015"), ("2026-11-21T12:00:00Z", "9100")] {
        peer.say(
          walk.sentences(0, at: Instant(rfc3339: time) ?? .never).split(separator: "\r\n").map { line in
            Walk.sentence(String(line.dropFirst().prefix { $0 != "*" }).replacing("5015", with: latitude))
          }.joined())
      }
    }
    source.start(for: .best)
    try listener.wait { _ in source.counts.refused.total == 3 }
    #expect(listener.locations.isEmpty)
    #expect(
      source.counts.fixes == 0 && source.counts.refused.counts == ["latitude": 1, "beforeRelease": 1, "ahead": 1]
        && source.counts.lines == LineStatistics(used: 15, unused: 6, malformed: ["length": 1, "checksum": 1]))
    #expect(source.health.reason == "its fixes are refused: a latitude outside -90 to 90")
  }

  @Test func `a line becomes a location within two milliseconds`() throws {
    let peer = try StreamPeer(loop)
    let source = NMEASource(loop, at: .tcp(HostAddress(host: "127.0.0.1", port: peer.port)))
    let listener = Listener(loop, source)
    source.start(for: .best)
    let walking = walking { peer.say($0) }
    defer { walking.disarm() }
    // The first epochs teach the decoder which sentence is the last.
    _ = try listener.next(3)
    var spans: [Span] = []
    for _ in 0..<20 {
      walking.disarm()
      // Lets the previous epoch end, so that the span is that of one sentence.
      try loop.run(for: .milliseconds(20))
      let sent = loop.now
      peer.say(walk.sentences(spans.count + 10, at: WallClock.now))
      _ = try listener.next(1)
      spans.append(loop.now - sent)
    }
    // A busy machine delays some of them.
    #expect(spans.sorted()[5] < .milliseconds(2))
  }
}
