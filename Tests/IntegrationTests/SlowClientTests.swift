import Foundation
import TestSupport
import Testing

/// Clients that read less than they are sent.
@Suite struct SlowClientTests {
  private static let everything: JSON = ["uuid": .text(CaptureOctets.uuid)]

  /// Writes a sighting of each of the beacons every half second of real time, as a live source does.
  private final class Clock {
    private let feed: CaptureFeed
    /// The seconds of the capture; on a busy machine fewer than of real time.
    private(set) var seconds = 1.0
    private let beacons: ClosedRange<UInt16>

    init(_ feed: CaptureFeed, beacons: ClosedRange<UInt16>) { (self.feed, self.beacons) = (feed, beacons) }

    func run(for span: Double, with honest: BusClient) throws {
      let end = Date(timeIntervalSinceNow: span)
      while Date() < end {
        for minor in beacons { try feed.hear(minor: minor, at: seconds + Double(minor) / 1000) }
        seconds += 0.5
        // The pace of the capture, for as long as the caller requests.
        usleep(500_000)
        // Reads the output of the honest client, which would stop otherwise.
        try honest.ping()
      }
    }
  }

  @Test func `a client that stops reading receives no stale data, is dropped after thirty seconds, and delays no other`() throws {
    let scene = try SessionScene()
    let session = try scene.client.openSession()
    _ = try scene.client.range(Self.everything, on: session)
    let slow = try Crowd(scene.stage.bus, connections: 1, sessions: 16, ranging: Self.everything)
    try wait(for: "sixteen sessions") { try slow.report()["sessions"] == 16 }
    let clock = Clock(scene.feed, beacons: 1...100)
    // The time is twice the interval of snapshots, so the slow client has read some.
    try clock.run(for: 2, with: scene.client)
    let before = try slow.report()
    slow.freeze()
    let memory = try MemoryStatus(scene.daemon.pid).anonymousKiB
    // The daemon drops a client after 30 s without an answer, and checks every second.
    try clock.run(for: 33, with: scene.client)
    _ = try scene.daemon.log.next("the drop") { $0.contains("its 16 sessions were closed: the client has not read for 30s") }
    #expect(try MemoryStatus(scene.daemon.pid).anonymousKiB - memory < 1024)
    // The honest client has a snapshot of every second, except for the first and the present one.
    let times = scene.client.signals.filter { $0.name == "Ranged" }.compactMap { $0.arguments[1].number }
    #expect(times.count >= Int(clock.seconds) - 2)
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 1_000_000 })
    slow.thaw()
    try wait(for: "the end of the sessions") { try slow.report()["Stopped"] == 16 }
    // The snapshots of three seconds and of five more reached the bus; later ones would have been stale.
    let snapshots = try (slow.report()["Ranged"]?.number ?? 0) - (before["Ranged"]?.number ?? 0)
    #expect(snapshots <= 16 * 10)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a client that was busy receives the last location, even if the device does not move again`() throws {
    let receiver = Receiver()
    let scene = try LocationScene(receiver.config)
    let slow = try scene.stage.listener()
    let session = try slow.openSession()
    #expect(try slow.updateLocation(["distanceFilter": 10], on: session) == .values([]))
    try receiver.say(52, 13, until: scene.client)
    #expect(try slow.nextLocation()["latitude"] == 52)
    // The next message requires an answer. Without one for five seconds, the daemon sends no more.
    sleep(3)
    slow.freeze()
    try receiver.say(52.001, 13, knots: 11, until: scene.client)
    // The daemon sends no more to a client without an answer for 5 s. A shorter time only makes the test easier.
    sleep(5)
    for latitude in [52.002, 52.003] { try receiver.say(latitude, 13, knots: 11, until: scene.client) }
    slow.thaw()
    var told: [Double] = []
    while told.last != 52.003 { told.append(try slow.nextLocation()["latitude"]?.number ?? 0) }
    #expect(told == [52.001, 52.003])
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a client that was dropped can start again`() throws {
    let scene = try SessionScene()
    let slow = try scene.stranger()
    let session = try slow.openSession()
    // Each sighting after another forty seconds causes an exit and an enter.
    _ = try slow.monitor(["identifier": "hall", "uuid": .text(CaptureOctets.uuid)], on: session)
    slow.freeze()
    for step in 1...300 { try scene.feed.hear(minor: 1, at: Double(step) * 40) }
    _ = try scene.daemon.log.next("the drop") { $0.contains("its 1 sessions were closed: the client left 512 events unread") }
    slow.thaw()
    let end = try slow.next("the end") { $0.name == "Stopped" }
    #expect(end.arguments == ["the client left 512 events unread"] && end.path == session)
    let events = slow.signals.filter { $0.name == "RegionEvent" && $0.path == session }
    #expect(events.compactMap { $0.arguments[0].number } == (1...events.count).map(Double.init))
    guard case .error(let name, _) = try slow.call(BusClient.session, "Close", at: session) else { throw TimeoutError("no error") }
    #expect(name == "org.freedesktop.DBus.Error.UnknownObject")
    let next = try slow.openSession()
    #expect(try slow.range(Self.everything, on: next) == .values([]))
    _ = try slow.nextRanged()
    scene.daemon.signal(SIGTERM)
  }

  @Test func `no snapshot follows the answer to StopRanging, even if it had to wait`() throws {
    let scene = try SessionScene()
    let client = try RunningProgram(Programs.python, [Programs.peer("unanswering.py"), scene.stage.bus.address])
    _ = try client.output.next("the start of ranging") { $0 == "ranging" }
    // The events exceed the mebibyte that a client may leave unanswered.
    for second in 1...120 { for minor in UInt16(1)...100 { try scene.feed.hear(minor: minor, at: Double(second) + Double(minor) / 1000) } }
    let counts = try JSON(parsing: try client.output.next("its counts"))
    #expect(counts["after"] == 0)
    #expect((10...110).contains(Int(try #require(counts["before"]?.number))))
    scene.daemon.signal(SIGTERM)
  }
}
