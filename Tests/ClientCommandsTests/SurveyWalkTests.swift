import BeaconAdvertising
import Beacons
import Failures
import Instants
import Surveys
import TestSupport
import Testing
import Venues

@testable import ClientCommands

/// A survey of the packets of a fake daemon, on a manual clock.
@Suite struct SurveyWalkTests {
  private final class Stream: PacketStream {
    var lostPackets = 0
    let handler: (PacketEvent) -> Void

    init(_ handler: @escaping (PacketEvent) -> Void) { self.handler = handler }
  }

  private final class Daemon: PacketLink {
    private(set) weak var stream: Stream?

    func requestPackets(_ handler: @escaping (PacketEvent) -> Void) throws(Failure) -> any PacketStream {
      let stream = Stream(handler)
      self.stream = stream
      return stream
    }
  }

  private final class Scene {
    let scheduler = ManualScheduler()
    let daemon = Daemon()
    let walk: SurveyWalk
    private(set) var reports: [SurveyReport] = []
    private(set) var notes: [String?] = []
    private(set) var ends: [Failure?] = []

    init(_ adapters: [AdapterSettings] = [], isShown: Bool = true, duration: Span? = nil) {
      walk = SurveyWalk(scheduler, daemon, Survey(), AdapterRoster(adapters), rssiOffset: 0)
      if isShown { walk.onReport = { [unowned self] in reports.append($0) } }
      walk.onNote = { [unowned self] in notes.append($0) }
      walk.onEnd = { [unowned self] in ends.append($0) }
      walk.begin(for: duration)
    }

    /// Receives a packet of a beacon with an adapter of a request.
    func hear(_ adapter: UInt16 = 0, of roster: AdapterRoster = AdapterRoster()) {
      let beacon = BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 1, minor: 1)
      walk.take(
        [Sighting(beacon: beacon, measuredPower: -59, rssi: -60, adapter: adapter, time: scheduler.now)],
        from: [BluetoothAddress(value: 9)], of: roster)
    }
  }

  private static let failure = Failure(.unavailable, "the bus has gone")

  @Test func `the report is shown from the first packets on, each second`() {
    let scene = Scene()
    scene.scheduler.advance(by: .seconds(5))
    #expect(scene.reports.isEmpty)
    scene.daemon.stream?.handler(.began)
    scene.hear()
    scene.scheduler.advance(by: .seconds(2.5))
    #expect(scene.reports.map(\.packets) == [0, 1, 1] && scene.reports.last?.source == "beaconmond")
    #expect(scene.notes.isEmpty)
  }

  @Test func `without a screen a note says that the survey has begun`() {
    let scene = Scene(isShown: false)
    scene.daemon.stream?.handler(.began)
    scene.scheduler.advance(by: .seconds(60))
    #expect(scene.notes == ["the survey has begun; Ctrl-C ends it"])
  }

  @Test func `an adapter keeps its number in the survey although the next run of the daemon has other numbers`() throws {
    let (own, other) = (try #require(BluetoothAddress("00:00:00:00:00:01")), try #require(BluetoothAddress("00:00:00:00:00:02")))
    let scene = Scene()
    var (first, second) = (AdapterRoster(), AdapterRoster())
    for address in [own, other] { _ = first.number(of: address) }
    for address in [other, own] { _ = second.number(of: address) }
    scene.hear(0, of: first)
    scene.hear(1, of: first)
    scene.hear(1, of: second)
    let adapters = scene.walk.report.adapters ?? []
    #expect(adapters.map(\.name) == [own.description, other.description] && adapters.map(\.packets) == [2, 1])
  }

  @Test func `the walk ends after its time, whenever the packets begin`() {
    let scene = Scene(duration: .seconds(60))
    scene.scheduler.advance(by: .seconds(59))
    scene.daemon.stream?.handler(.began)
    #expect(scene.ends.isEmpty)
    scene.scheduler.advance(by: .seconds(2))
    #expect(scene.ends == [nil])
  }

  @Test func `a failure keeps the report of a walk that has begun, and ends any other`() throws {
    let scene = Scene()
    #expect(throws: Self.failure) { try scene.walk.keepReport(after: Self.failure) }
    scene.daemon.stream?.handler(.began)
    let note = try scene.walk.keepReport(after: Self.failure)
    #expect(note == "the bus has gone; the report has the packets received until then")
  }

  @Test func `packets that the daemon has lost are in the report, also after its restart`() {
    let scene = Scene()
    scene.daemon.stream?.handler(.began)
    scene.daemon.stream?.lostPackets = 3
    scene.walk.presenceChanged(false)
    scene.walk.presenceChanged(true)
    scene.daemon.stream?.lostPackets = 2
    #expect(scene.walk.report.lostPackets == 5)
    #expect(scene.notes == ["beaconmond has stopped; waiting for it", nil])
  }
}
