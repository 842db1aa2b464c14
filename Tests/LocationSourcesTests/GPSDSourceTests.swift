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

private let version = #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\r\n"
private let devices = #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","activated":"2026-11-21T04:21:19.268Z"}]}"# + "\r\n"
private let tpv = #"{"class":"TPV","device":"/dev/a","mode":3,"lat":50.25,"lon":8.5,"eph":17.1}"# + "\r\n"

/// A scripted peer stands for gpsd.
@Suite struct GPSDSourceTests {
  private let loop: Loop
  private let peer: StreamPeer

  init() throws {
    loop = try Loop()
    peer = try StreamPeer(loop)
  }

  private func source(device: String? = nil) -> GPSDSource {
    GPSDSource(loop, GPSDSettings(address: HostAddress(host: "127.0.0.1", port: peer.port), device: device))
  }

  @Test func `a source watches gpsd only while it is on`() throws {
    peer.onConnection = { $0.say(version + devices + tpv) }
    let source = source()
    let listener = Listener(loop, source)
    source.start(for: .best)
    #expect(try listener.next(1).map(\.coordinate) == [Coordinate(latitude: 50.25, longitude: 8.5)])
    // The source's commands reach the peer on this machine in the next turns of the loop, and so would a second one.
    try loop.run(for: .milliseconds(100))
    #expect(peer.heard == "?WATCH={\"enable\":true,\"json\":true,\"nmea\":true};\n")
    source.stop()
    // The source's commands reach the peer on this machine in the next turns of the loop.
    try loop.run(for: .milliseconds(100))
    #expect(peer.heard == "?WATCH={\"enable\":true,\"json\":true,\"nmea\":true};\n?WATCH={\"enable\":false};\n")
    peer.say(tpv)
    // A stopped source that still reads would report in the next turns, and would reconnect within 500 ms.
    try loop.run(for: .milliseconds(1000))
    #expect((listener.locations.count, peer.connections, source.health) == (1, 1, LocationHealth(.off)))
  }

  /// The stop may come in the same turn of the loop as the connection, and before it.
  @Test(arguments: 0..<8, [false, true])
  func `a source that is stopped while connecting does not watch gpsd`(turn: Int, isReleased: Bool) throws {
    var source: GPSDSource? = source()
    source?.start(for: .best)
    var pipes: [Int32] = [0, 0]
    try #require(pipe(&pipes) == 0 && write(pipes[1], "x", 1) == 1)
    var turns = 0
    // No callback reads the descriptor, so it is ready in every turn.
    let holder = Holder<IOSource>()
    holder.value = try loop.io(pipes[0], .readable) { [loop] _ in
      turns += 1
      guard turns > turn else { return }
      holder.value?.cancel()
      source?.stop()
      if isReleased, let over = source {
        source = nil
        loop.enqueue { _ = over }
      }
    }
    // A connection on this machine is made in the first turns of the loop.
    try loop.run(for: .milliseconds(100))
    // If the source had begun to watch, it has ended the watch.
    #expect(
      ["", "?WATCH={\"enable\":true,\"json\":true,\"nmea\":true};\n?WATCH={\"enable\":false};\n"].contains(peer.heard), "\(peer.heard)")
    #expect(turns == turn + 1 && (source == nil) == isReleased)
    pipes.forEach { _ = close($0) }
  }

  @Test func `another protocol version is refused and reported`() throws {
    peer.onConnection = { $0.say(version.replacing("\"proto_major\":3", with: "\"proto_major\":4") + devices + tpv) }
    let source = source()
    let listener = Listener(loop, source)
    source.start(for: .best)
    try listener.wait(for: .gone)
    #expect(
      source.health.reason
        == "gpsd at 127.0.0.1:\(peer.port): this is release 3.22 with protocol 4, but only 3 is supported")
    // The time exceeds the first pause before another connection.
    try loop.run(for: .milliseconds(1000))
    #expect((listener.locations.count, peer.connections) == (0, 1))
    #expect(source.counts.lines == LineStatistics(used: 0, unused: 0, malformed: ["version": 3]))
  }

  @Test(arguments: [
    tpv, "$GPGLL,5015.1,N,00830.5,E,120000.00,A,A*6A\r\n", "SSH-2.0-OpenSSH_9.2p1\r\n",
    version.replacing(",\"proto_major\":3", with: "") + devices + tpv,
  ])
  func `a peer that does not greet as gpsd does is refused`(greeting: String) throws {
    peer.onConnection = { $0.say(greeting) }
    let source = source()
    let listener = Listener(loop, source)
    source.start(for: .best)
    try listener.wait(for: .gone)
    #expect(
      source.health.reason == "gpsd at 127.0.0.1:\(peer.port): it does not greet as gpsd does; check the address")
    // The time exceeds the first pause before another connection.
    try loop.run(for: .milliseconds(1000))
    #expect((listener.locations.count, peer.connections) == (0, 1))
  }

  @Test func `a peer that states a version and hangs up is retried at growing intervals`() throws {
    peer.onConnection = { peer in
      peer.say(version)
      peer.hangUp()
    }
    let source = source()
    source.start(for: .best)
    // The pauses double from 500 ms to 1 s or 2 s. Two to four attempts fit in, and a source without pauses makes thousands.
    try loop.run(for: .milliseconds(4000))
    #expect((2...4).contains(peer.connections), "\(peer.connections)")
  }

  @Test func `a gpsd without a receiver is silent until one is plugged in`() throws {
    peer.onConnection = { $0.say(version + #"{"class":"DEVICES","devices":[]}"# + "\r\n") }
    let source = source()
    let listener = Listener(loop, source)
    source.start(for: .best)
    try listener.wait(for: .silent)
    #expect(source.health.reason == "gpsd has no receiver; plug it in, or add it with \"gpsdctl add\"")
    peer.say(#"{"class":"DEVICE","path":"/dev/a","activated":"2026-11-21T04:21:19.268Z"}"# + "\r\n" + tpv)
    _ = try listener.next(1)
    peer.say(#"{"class":"DEVICE","path":"/dev/a","activated":0}"# + "\r\n")
    try listener.wait(for: .silent)
    #expect(listener.health.map(\.state) == [.starting, .silent, .starting, .fixing, .silent] as [LocationHealth.State])
  }

  @Test func `only the configured receiver counts`() throws {
    peer.onConnection = { $0.say(version + devices + tpv) }
    let source = source(device: "/dev/b")
    let listener = Listener(loop, source)
    source.start(for: .best)
    try listener.wait(for: .silent)
    #expect(source.health.reason == "gpsd does not have /dev/b; plug it in, or add it with \"gpsdctl add\"")
    #expect(listener.locations.isEmpty)
  }

  @Test func `impossible reports are refused at once, counted by reason and reported`() throws {
    let now = try #require(Instant(rfc3339: "2026-11-21T12:00:00Z"))
    let source = GPSDSource(loop, GPSDSettings(address: HostAddress(host: "127.0.0.1", port: peer.port))) {
      Receipt(instant: Instant(microseconds: 0), wallClock: .init(time: now, isSynchronised: true))
    }
    let listener = Listener(loop, source)
    peer.onConnection = { peer in
      peer.say(version + devices)
      for (right, wrong) in [
        ("\"mode\":3", "\"mode\":1"), ("50.25", "91"), ("8.5", "-180.1"), ("17.1", "17.1,\"altMSL\":1e6"), ("17.1", "-3"),
        ("17.1", "17.1,\"track\":361"), ("17.1", "17.1,\"speed\":-1"), ("17.1", "17.1,\"time\":\"2025-06-01T12:00:00.000Z\""),
        ("17.1", "17.1,\"time\":\"2026-11-22T12:00:00.000Z\""),
      ] {
        peer.say(tpv.replacing(right, with: wrong))
      }
    }
    source.start(for: .best)
    try listener.wait { _ in source.counts.refused.total == 9 }
    #expect(listener.locations.isEmpty && source.health == LocationHealth(.silent, "its fixes are refused: a time in the future"))
    #expect(
      source.counts.refused.counts.record.json
        == #"{"noFix":1,"latitude":1,"longitude":1,"altitude":1,"accuracy":1,"motion":2,"beforeRelease":1,"ahead":1}"#)
  }

  @Test func `a flood of garbage is counted, and takes neither memory nor the loop`() throws {
    let source = source()
    let listener = Listener(loop, source)
    peer.onConnection = { peer in
      peer.say(version)
      for _ in 0..<20 { peer.say(String(repeating: "{\"class\":\"TPV\",", count: 60) + "\n") }
      peer.say(String(repeating: "y", count: 40_000))
      peer.say(String(repeating: "y", count: 40_000) + "\r\n" + tpv.replacing("50.25", with: "NaN"))
    }
    source.start(for: .best)
    try listener.wait { _ in source.counts.lines == LineStatistics(used: 1, unused: 0, malformed: ["length": 1, "json": 21]) }
    #expect(source.counts.fixes == 0 && source.counts.refused.total == 0)
  }
}

/// The source with a real gpsd.
@Suite(.serialized) struct RealGPSDTests {
  private let loop: Loop
  private let walk: Walk
  private let port: UInt16

  init() throws {
    loop = try Loop()
    walk = try Walk()
    // The port is free now; gpsd cannot choose one by itself.
    port = try StreamPeer(loop).port
  }

  private func walking(_ terminal: @escaping () -> PseudoTerminal?) -> EventLoop.Timer {
    var second = 0
    let holder = Holder<EventLoop.Timer>()
    let timer = loop.timer { [loop, walk] in
      terminal()?.write(walk.sentences(second, at: EventLoop.WallClock.now))
      second += 1
      holder.value?.arm(at: loop.now + .seconds(1))
    }
    holder.value = timer
    timer.arm(after: .zero)
    return timer
  }

  @Test func `the source recovers from the death of gpsd and from the loss of its receiver`() throws {
    var terminal: PseudoTerminal? = try PseudoTerminal()
    let path = try #require(terminal).path
    var gpsd: GPSDDaemon? = try GPSDDaemon(port: port, devices: [path])
    let source = GPSDSource(loop, GPSDSettings(address: HostAddress(host: "127.0.0.1", port: port)))
    let listener = Listener(loop, source)
    source.start(for: .best)
    let walking = walking { terminal }
    defer { walking.disarm() }
    let fixes = try listener.next(5)
    let last = try #require(fixes.last)
    #expect(abs(last.coordinate.latitude - 50.252) < 0.01)
    #expect(abs((last.altitude ?? 0) - 112.5) < 0.01)
    #expect(abs((last.ellipsoidalAltitude ?? 0) - 160.4) < 0.01)
    #expect(abs((last.horizontalAccuracy ?? 0) - 4.0012) < 1e-3)
    #expect(last.age(at: last.received) < .seconds(3))
    gpsd = nil
    try listener.wait(for: .gone)
    gpsd = try GPSDDaemon(port: port, devices: [path])
    _ = try listener.next(2)
    #expect(gpsd != nil)
    terminal = nil
    try listener.wait(for: .silent)
    #expect(source.counts.refused.total == 0)
  }
}
