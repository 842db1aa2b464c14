import DBus
import EventLoop
import Geodesy
import Instants
import LocationArbitration
import Locations
import Positioning
import TestSupport
import Testing

@testable import LocationSources

@Suite(.serialized) struct GeoClueSourceTests {
  private let loop: Loop
  private let bus: PrivateBus
  private let walk: Walk
  private let peer: StreamPeer

  init() throws {
    loop = try Loop()
    bus = try PrivateBus(policies: GeoClueService.policies)
    walk = try Walk()
    peer = try StreamPeer(loop, path: bus.directory.file("nmea"))
  }

  private func source() -> GeoClueSource {
    GeoClueSource(loop, bus: .explicit(bus.address))
  }

  private func service() throws -> GeoClueService {
    try GeoClueService(on: bus, nmeaSocket: bus.directory.file("nmea"))
  }

  /// Sends a second of the walk each second, with this dilution.
  private func walking(hdop: String) -> EventLoop.Timer {
    var second = 0
    let holder = Holder<EventLoop.Timer>()
    let timer = loop.timer { [loop, walk, peer] in
      let lines = walk.sentences(second, at: WallClock.now).split(separator: "\r\n")
      peer.say(
        lines.map { line in
          Walk.sentence(String(line.dropFirst().prefix { $0 != "*" }).replacing(",08,0.9,", with: ",08,\(hdop),"))
        }.joined())
      second += 1
      holder.value?.arm(at: loop.now + .seconds(1))
    }
    holder.value = timer
    timer.arm(after: .zero)
    return timer
  }

  @Test func `the source uses a real GeoClue with its own agent, and recovers from its death`() throws {
    var service: GeoClueService? = try service()
    let source = source()
    let listener = Listener(loop, source)
    let walking = walking(hdop: "1.4")
    defer { walking.disarm() }
    source.start(for: .best)
    let fixes = try listener.next(2)
    #expect(service != nil)
    let last = try #require(fixes.last)
    #expect(abs(last.coordinate.latitude - 50.252) < 0.01)
    #expect((last.horizontalAccuracy, last.altitude, last.course, last.source) == (1, 112.5, nil, .geoClue))
    #expect(last.age(at: last.received) < .seconds(3))
    service = nil
    try listener.wait(for: .gone)
    service = try self.service()
    _ = try listener.next(1)
    source.stop()
    let count = listener.locations.count
    // GeoClue reports a location every second, so one more would have come.
    try loop.run(for: .milliseconds(1500))
    #expect((listener.locations.count, source.health) == (count, LocationHealth(.off)))
  }

  @Test func `an accuracy of zero is unknown`() throws {
    let service = try service()
    let source = source()
    let listener = Listener(loop, source)
    let walking = walking(hdop: "0.9")
    defer { walking.disarm() }
    source.start(for: .best)
    #expect(try #require(listener.next(1).last).horizontalAccuracy == nil)
    service.kill()
  }

  @Test func `another accuracy requires another GeoClue client, and a GeoClue without coarse sources is silent`() throws {
    let service = try service()
    let source = source()
    let listener = Listener(loop, source)
    let walking = walking(hdop: "1.4")
    defer { walking.disarm() }
    source.start(for: .best)
    _ = try listener.next(1)
    source.start(for: .threeKilometers)
    try listener.wait { $0.health.suffix(1).map(\.state) == [.starting] }
    let count = listener.locations.count
    // GeoClue reports a location every second, so four would have come.
    try loop.run(for: .milliseconds(4000))
    #expect(listener.locations.count == count)
    source.start(for: .nearestTenMeters)
    _ = try listener.next(1)
    service.kill()
  }

  @Test func `a GeoClue without updates is queried again`() throws {
    let service = try service()
    let source = GeoClueSource(loop, bus: .explicit(bus.address), environment: [:], pause: .seconds(1)) { .now(self.loop) }
    let listener = Listener(loop, source)
    // The receiver sends one fix for each search of GeoClue, and no other.
    peer.onConnection = { [walk] in $0.say(walk.sentences($0.connections, at: WallClock.now)) }
    source.start(for: .best)
    let fixes = try listener.next(3)
    #expect(Set(fixes.map(\.time)).count == 3)
    #expect(listener.health.map(\.state).drop { $0 != .fixing } == [.fixing])
    source.stop()
    let count = listener.locations.count
    // The source restarts GeoClue after each second, so two more would have come.
    try loop.run(for: .milliseconds(2500))
    #expect(listener.locations.count == count)
    service.kill()
  }

  @Test func `a GeoClue without a first location is queried again, too`() throws {
    let service = try service()
    let source = GeoClueSource(loop, bus: .explicit(bus.address), environment: [:], pause: .seconds(1)) { .now(self.loop) }
    let listener = Listener(loop, source)
    peer.onConnection = { [walk] in if $0.connections >= 3 { $0.say(walk.sentences(1, at: WallClock.now)) } }
    source.start(for: .best)
    _ = try listener.next(1)
    service.kill()
  }

  @Test func `the source is unavailable without GeoClue, and states what to install`() throws {
    let source = source()
    let listener = Listener(loop, source)
    source.start(for: .best)
    try listener.wait(for: .gone)
    #expect(source.health.reason == "GeoClue is not installed; install geoclue-2.0")
  }

  @Test func `the source is unavailable without a bus, and starts with it`() throws {
    bus.kill()
    let source = source()
    let listener = Listener(loop, source)
    source.start(for: .best)
    try listener.wait(for: .gone)
    #expect(source.health.reason?.hasSuffix("; start the system bus, which GeoClue requires") == true)
    try bus.restart()
    let service = try service()
    let walking = walking(hdop: "1.4")
    defer { walking.disarm() }
    _ = try listener.next(1)
    service.kill()
  }

  @Test(
    arguments: [
      (0.0, 8), (99, 8), (100, 6), (999, 6), (1000, 5), (3000, 5), (10_000, 4), (1e6, 4),
    ] as [(Double, UInt32)])
  func `an accuracy in metres becomes a level of GeoClue`(metres: Double, level: UInt32) throws {
    #expect(GeoClueLevel(try #require(DesiredAccuracy(metres: metres))).rawValue == level)
  }
}

@Suite struct GeoClueReadingTests {
  private static func location(_ changes: [(String, DBusValue)]) -> DBusValue {
    var values: [(String, DBusValue)] = [
      ("Latitude", .double(50.25)), ("Longitude", .double(8.5)), ("Accuracy", .double(25)),
      ("Altitude", .double(-.greatestFiniteMagnitude)),
      ("Speed", .double(-1)), ("Heading", .double(90)), ("Timestamp", .structure([.uint64(1_795_262_400), .uint64(500)])),
    ]
    for (key, value) in changes {
      values.removeAll { $0.0 == key }
      values.append((key, value))
    }
    return .options(values)
  }

  @Test func `GeoClue's marks for unknown values become nil, and its heading is not a course`() throws {
    let reading = try #require(LocationReading(geoClue: Self.location([])))
    #expect((reading.latitude, reading.longitude, reading.horizontalAccuracy) == (50.25, 8.5, 25))
    #expect((reading.altitude, reading.speed, reading.course) == (nil, nil, nil))
    #expect(reading.time == Instant(microseconds: 1_795_262_400_000_500))
  }

  @Test func `altitude and speed are read`() throws {
    let reading = try #require(LocationReading(geoClue: Self.location([("Altitude", .double(112.5)), ("Speed", .double(1.5))])))
    #expect((reading.altitude, reading.speed) == (112.5, 1.5))
  }

  @Test(
    arguments: [
      (Self.location([("Latitude", .double(91))]), .latitude), (Self.location([("Accuracy", .double(-5))]), .accuracy),
      (Self.location([("Speed", .double(-2))]), .motion), (Self.location([("Altitude", .double(.nan))]), .altitude),
      (Self.location([("Timestamp", .structure([.uint64(.max), .uint64(.max)]))]), .ahead),
    ] as [(DBusValue, LocationRefusal)])
  func `impossible values are refused`(values: DBusValue, refusal: LocationRefusal) throws {
    let reading = try #require(LocationReading(geoClue: values))
    let now = Receipt.WallClock(time: Instant(microseconds: 1_795_262_400_000_000), isSynchronised: true)
    #expect(throws: refusal) { try Location(reading, from: .geoClue, at: Receipt(instant: Instant(microseconds: 0), wallClock: now)) }
  }

  /// The wall clock began in 1970 and was never set. It shows an hour after the time that GeoClue remembers.
  @Test(arguments: [true, false]) func `the age follows from the wall clock, whether synchronised or not`(isSynchronised: Bool) throws {
    let reading = try #require(LocationReading(geoClue: Self.location([("Timestamp", .structure([.uint64(60), .uint64(0)]))])))
    let wallClock = Receipt.WallClock(time: Instant(microseconds: 3_660_000_000), isSynchronised: isSynchronised)
    let location = try Location(reading, from: .geoClue, at: Receipt(instant: Instant(microseconds: 0), wallClock: wallClock))
    #expect(location.age(at: Instant(microseconds: 5_000_000)) == .seconds(3605))
  }

  @Test func `a time of day on an unknown date gives no age`() throws {
    let values = Self.location([("Timestamp", .structure([.uint64(60), .uint64(0)])), ("Altitude", .double(112.5))])
    let reading = try #require(LocationReading(geoClue: values))
    func age(isSynchronised: Bool) throws -> Span {
      let wallClock = Receipt.WallClock(time: Instant(microseconds: 3_660_000_000), isSynchronised: isSynchronised)
      let boot = Instant(microseconds: 0)
      return try Location(reading, from: .geoClue, at: Receipt(instant: boot, wallClock: wallClock)).age(at: boot)
    }
    #expect(try (age(isSynchronised: false), age(isSynchronised: true)) == (.zero, .seconds(3600)))
  }

  @Test func `a location without coordinates is not a reading`() {
    #expect(LocationReading(geoClue: .options([("Latitude", .double(1))])) == nil)
    #expect(LocationReading(geoClue: Self.location([("Latitude", .string("50"))])) == nil)
  }
}
