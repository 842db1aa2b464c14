import Beacons
import EventActions
import FleetMessages
import Instants
import TestSupport
import Testing

@testable import FleetReporting

@Suite struct FleetReporterTests {
  /// A device whose state a test changes.
  final class FakeDevice: FleetDevice {
    var notifier = NotifierState(version: "1")
    var daemon = DaemonState(revision: nil, severity: .ok)
    private let scheduler: ManualScheduler

    init(_ scheduler: ManualScheduler) {
      self.scheduler = scheduler
    }

    func requestState(_ completion: @escaping (DaemonState) -> Void) {
      scheduler.enqueue { [daemon] in completion(daemon) }
    }
  }

  /// Takes messages of the hub, or refuses them.
  final class FakeReceiver: HubMessageReceiver {
    var payloads: [[UInt8]] = []
    var isFull = false

    func receive(_ payload: [UInt8]) throws {
      guard !isFull else { throw Timeout() }
      payloads.append(payload)
    }
  }

  static let uuid = BeaconUUID(high: 1, low: 2)

  /// A session of the daemon whose beacons a test sends.
  final class FakeBeacons: DigestBeacons {
    private final class Session {
      let body: ([BeaconReport], Instant) -> Void
      init(_ body: @escaping ([BeaconReport], Instant) -> Void) { self.body = body }
    }

    /// The constraints of all sessions in their order.
    private(set) var demands: [Set<BeaconConstraint>] = []
    private weak var session: Session?

    var isRanging: Bool { session != nil }

    func rangePassively(_ constraints: Set<BeaconConstraint>, _ body: @escaping ([BeaconReport], Instant) -> Void) -> AnyObject {
      demands.append(constraints)
      let session = Session(body)
      self.session = session
      return session
    }

    func send(_ reports: [BeaconReport], at time: Instant) { session?.body(reports, time) }
  }

  /// A device that reports to a hub.
  final class Scene {
    let scheduler: ManualScheduler
    let hub: FakeHub
    let beacons = FakeBeacons()
    let device: FakeDevice
    let receiver = FakeReceiver()
    let reporter: FleetReporter

    /// - Parameter rollouts: takes the rollouts, with the same scheduler.
    init(
      interval: Span? = .seconds(5), kinds: [HubMessage.Kind] = [.rollout, .sharing], rollouts: RolloutService? = nil,
      _ scheduler: ManualScheduler = ManualScheduler()
    ) throws {
      self.scheduler = scheduler
      hub = FakeHub(scheduler)
      device = FakeDevice(scheduler)
      var receivers: [HubMessage.Kind: any HubMessageReceiver] = [:]
      for kind in kinds { receivers[kind] = receiver }
      if let rollouts { receivers[.rollout] = rollouts }
      var ports = FleetPorts(device, receivers: receivers) { nil }
      ports.rollouts = rollouts
      reporter = FleetReporter(scheduler, beacons, ports, log: LogLines().logger)
      reporter.use(try Scene.settings(interval: interval), hub)
      scheduler.settle()
    }

    static func settings(interval: Span? = .seconds(5), beacons: [BeaconUUID] = [FleetReporterTests.uuid]) throws -> HubSettings {
      let address = try #require(FleetAddress(site: "berlin", device: "door"))
      return HubSettings(
        host: "hub", address: address, certificate: "/c", key: .file("/k"), interval: interval, beacons: beacons,
        rolloutKey: Array(repeating: 7, count: 32))
    }

    func hear(_ minor: UInt16) {
      var report = BeaconReport()
      (report.uuid, report.major, report.minor, report.rssi, report.rate) = (FleetReporterTests.uuid, 1, minor, -60, 5)
      report.lastSeen = scheduler.now
      beacons.send([report], at: scheduler.now)
    }

    /// The messages of a stream in their order.
    func messages(_ stream: FleetMessage.Stream) -> [FleetMessage] { hub.messages.filter { $0.stream == stream } }
  }

  @Test func `digests come from a passive session, only while beacons are heard`() throws {
    let scene = try Scene()
    #expect(scene.beacons.demands == [[BeaconConstraint(uuid: Self.uuid)]])
    scene.hub.connect()
    scene.scheduler.advance(by: .seconds(60))
    #expect(scene.messages(.digests).isEmpty)
    for second in 0..<11 {
      scene.hear(UInt16(second % 2))
      scene.scheduler.advance(by: .seconds(1))
    }
    let digests = scene.messages(.digests)
    #expect(digests.map(\.sequence) == [1, 2])
    guard case .digest(let sightings) = digests[0].body else { throw Timeout() }
    #expect(sightings.map(\.beacon.minor) == [0, 1])
    #expect(sightings.map(\.age) == [1000, 2000])
    #expect(digests[1].time - digests[0].time >= 5000)
  }

  @Test func `without digests there is no session`() throws {
    let scene = try Scene(interval: nil)
    #expect(scene.beacons.demands.isEmpty)
    #expect(!scene.beacons.isRanging)
  }

  @Test func `a report follows each connection, a change within a minute, and five minutes without one`() throws {
    let scene = try Scene()
    #expect(scene.messages(.reports).isEmpty)
    scene.hub.connect()
    scene.scheduler.settle()
    #expect(scene.messages(.reports).count == 1)
    scene.device.notifier.freeSpace = 1
    scene.scheduler.advance(by: .seconds(240))
    #expect(scene.messages(.reports).count == 1)
    scene.device.daemon.problems = ["the disk is full"]
    scene.scheduler.advance(by: .seconds(61))
    #expect(scene.messages(.reports).count == 2)
    scene.scheduler.advance(by: .seconds(300))
    #expect(scene.messages(.reports).count == 3)
    scene.hub.disconnect()
    scene.scheduler.advance(by: .seconds(3600))
    scene.hub.connect()
    scene.scheduler.settle()
    #expect(scene.messages(.reports).count == 4)
    #expect(scene.messages(.reports).map(\.sequence) == [1, 2, 3, 4])
    #expect(scene.messages(.reports).allSatisfy { $0.floor == $0.sequence })
  }

  private func acknowledged(_ scene: Scene) -> [[Int64]] {
    scene.messages(.reports).map { if case .report(let report) = $0.body { report.acknowledged } else { [] } }
  }

  @Test func `a message of the hub is handled once, and acknowledged each time it comes`() throws {
    let scene = try Scene()
    scene.hub.connect()
    scene.scheduler.settle()
    scene.hub.onMessage(HubMessage(number: 7, kind: .rollout, payload: [1]))
    scene.hub.onMessage(HubMessage(number: 9, kind: .sharing, payload: [2]))
    scene.scheduler.settle()
    #expect(acknowledged(scene) == [[], [7, 9]])
    scene.hub.onMessage(HubMessage(number: 7, kind: .rollout, payload: [1]))
    scene.scheduler.advance(by: .seconds(2))
    #expect(acknowledged(scene) == [[], [7, 9], [7]])
    #expect(scene.receiver.payloads == [[1], [2]])
    scene.scheduler.advance(by: .seconds(120))
    #expect(scene.messages(.reports).count == 3)
  }

  @Test func `a message that cannot be handled is not acknowledged`() throws {
    let scene = try Scene()
    scene.hub.connect()
    scene.scheduler.settle()
    scene.receiver.isFull = true
    scene.hub.onMessage(HubMessage(number: 7, kind: .rollout, payload: [1]))
    scene.scheduler.advance(by: .seconds(120))
    #expect(acknowledged(scene) == [[]])
  }

  @Test func `a message of a kind that this version does not handle is not acknowledged`() throws {
    let scene = try Scene(kinds: [.rollout])
    scene.hub.connect()
    scene.scheduler.settle()
    scene.hub.onMessage(HubMessage(number: 7, kind: .sharing, payload: [1]))
    scene.scheduler.advance(by: .seconds(120))
    #expect(acknowledged(scene) == [[]])
  }

  @Test func `a flood of messages causes a report a second until all are acknowledged`() throws {
    let scene = try Scene()
    scene.hub.connect()
    scene.scheduler.settle()
    for number: Int64 in 1...200 {
      scene.hub.onMessage(HubMessage(number: number, kind: .sharing, payload: []))
      scene.scheduler.advance(by: .milliseconds(10))
    }
    scene.scheduler.advance(by: .seconds(20))
    #expect((13...18).contains(acknowledged(scene).count))
    #expect(acknowledged(scene).flatMap(\.self).sorted() == Array(1...200))
    scene.scheduler.advance(by: .seconds(30))
    #expect(acknowledged(scene).count <= 18)
  }

  @Test func `an acknowledgement that is lost with the connection is in the next report`() throws {
    let scene = try Scene()
    scene.hub.connect()
    scene.scheduler.settle()
    scene.hub.answers = false
    scene.hub.onMessage(HubMessage(number: 7, kind: .rollout, payload: [1]))
    scene.scheduler.settle()
    scene.hub.disconnect()
    scene.hub.answers = true
    scene.hub.connect()
    scene.scheduler.settle()
    #expect(acknowledged(scene) == [[], [7]])
  }

  @Test func `a reload with other beacons opens another session, and one without the hub ends it`() throws {
    let scene = try Scene()
    scene.reporter.use(try Scene.settings(), scene.hub)
    #expect(scene.beacons.demands.count == 1)
    scene.reporter.use(try Scene.settings(beacons: [BeaconUUID(high: 3, low: 4)]), scene.hub)
    #expect(scene.beacons.demands.count == 2)
    scene.reporter.use(nil, nil)
    scene.scheduler.settle()
    #expect(!scene.beacons.isRanging)
  }
}
