import Beacons
import Consent
import Instants
import RadioHealth
import TestSupport
import Testing

@testable import Notification

/// The observation of beacons and locations on a manual clock.
@Suite struct SessionObserverTests {
  private final class FakeDaemon: ObservingLink {
    weak var session: FakeSession?
    var failure: String?
    private(set) var opened = 0
    private(set) var watches = 0
    private var source: ((SourceState?) -> Void)?

    func openObservingSession(
      isPassive: Bool, _ handler: @escaping (ObservingSessionEvent) -> Void
    ) throws(MonitorFailure) -> any ObservingSession {
      if let failure { throw MonitorFailure(failure) }
      opened += 1
      let session = FakeSession(handler)
      self.session = session
      return session
    }

    func watchSource(_ body: @escaping (SourceState?) -> Void) -> AnyObject {
      watches += 1
      source = body
      return self
    }

    func sourceBecame(_ state: SourceState?) { source?(state) }
  }

  private final class FakeSession: ObservingSession {
    let handler: (ObservingSessionEvent) -> Void
    private(set) var requests: [String] = []

    init(_ handler: @escaping (ObservingSessionEvent) -> Void) { self.handler = handler }

    func startRanging(_ constraint: BeaconConstraint) { requests.append("range \(constraint.major ?? 0)") }
    func startLocating(desiredAccuracy: Double, distanceFilter: Double?) {
      requests.append("locate to \(desiredAccuracy) m, \(distanceFilter ?? 0) m apart")
    }
  }

  private final class Scene {
    static let uuid = BeaconUUID(high: 1, low: 2)
    let scheduler = ManualScheduler()
    let lines = LogLines()
    let daemon = FakeDaemon()
    var observation: AnyObject?
    /// The observations, such as `listening` and `location 48.0`.
    var log: [String] = []

    static func constraint(_ major: UInt16) -> BeaconConstraint { BeaconConstraint(uuid: uuid, major: major) }

    func observe(_ majors: UInt16..., location: Bool = false) {
      let demand = ObservationDemand(Set(majors.map(Self.constraint)), needsLocation: location)
      observation = SessionObserver(scheduler, daemon, log: lines.logger).observe(demand) { [unowned self] in
        switch $0 {
        case .beacons(let reports, _): log.append("beacons \(reports.count)")
        case .listening(let isListening): log.append(isListening ? "listening" : "deaf")
        case .location(let location): log.append(location.map { "location \($0.latitude)" } ?? "no location")
        }
      }
      scheduler.settle()
    }

    func send(_ event: ObservingSessionEvent) { daemon.session?.handler(event) }
  }

  @Test func `nothing is requested inside the call, and everything after it`() {
    let scene = Scene()
    let observer = SessionObserver(scene.scheduler, scene.daemon, log: scene.lines.logger)
    let observation = observer.observe(ObservationDemand([Scene.constraint(1)], needsLocation: true)) { _ in }
    #expect(scene.daemon.opened == 0)
    scene.scheduler.settle()
    #expect(scene.daemon.session?.requests == ["range 1", "locate to 10.0 m, 10.0 m apart"])
    withExtendedLifetime(observation) {}
  }

  @Test func `the absence of beacons counts from the moment at which all constraints are ranged`() {
    let scene = Scene()
    scene.observe(1, 2)
    scene.send(.ranging(Scene.constraint(1)))
    #expect(scene.log == ["deaf"])
    scene.send(.ranging(Scene.constraint(2)))
    scene.send(.beacons([BeaconReport()], at: scene.scheduler.now))
    #expect(scene.log == ["deaf", "listening", "beacons 1"])
  }

  @Test func `a source that pauses or is lost ends listening, and one of unknown state does not`() {
    let scene = Scene()
    scene.observe(1)
    scene.send(.ranging(Scene.constraint(1)))
    scene.daemon.sourceBecame(.paused)
    scene.daemon.sourceBecame(.scanning)
    scene.daemon.sourceBecame(nil)
    #expect(scene.log == ["listening", "deaf", "listening"])
  }

  @Test func `a request that is refused is repeated each minute, and logged once until ranging begins`() {
    let scene = Scene()
    scene.observe(1, 2)
    scene.send(.ranging(Scene.constraint(1)))
    for _ in 0..<2 {
      scene.send(.rangingRefused(Scene.constraint(2), SessionRefusal(.other, "no source")))
      scene.scheduler.advance(by: SessionObserver.pause)
    }
    #expect(scene.daemon.session?.requests.suffix(2) == ["range 2", "range 2"])
    #expect(scene.lines.all == ["beacons are not published: no source"])
    scene.send(.ranging(Scene.constraint(2)))
    scene.scheduler.advance(by: .seconds(3600))
    #expect(scene.log.last == "listening" && scene.daemon.session?.requests.count == 4)
    scene.send(.rangingRefused(Scene.constraint(2), SessionRefusal(.other, "no source")))
    #expect(scene.log.last == "deaf" && scene.lines.all.count == 2)
  }

  @Test func `a request without consent is not repeated, because the session does so after a consent`() {
    let scene = Scene()
    scene.observe(1, location: true)
    scene.send(.rangingRefused(Scene.constraint(1), SessionRefusal(.noConsent, "denied")))
    scene.send(.locatingRefused(SessionRefusal(.noConsent, "denied")))
    scene.scheduler.advance(by: .seconds(7200))
    #expect(scene.daemon.session?.requests.count == 2)
    #expect(scene.lines.all == ["beacons are not published: denied", "the location is not published: denied"])
  }

  @Test func `a revoked consent and a daemon that stops make beacons and the location unknown`() {
    for event in [ObservingSessionEvent.authorization(.denied), .away] {
      let scene = Scene()
      scene.observe(1, location: true)
      scene.send(.ranging(Scene.constraint(1)))
      scene.send(.location(DeviceLocation(latitude: 48, longitude: 11)))
      scene.send(.authorization(.always))
      scene.send(event)
      #expect(scene.log == ["listening", "location 48.0", "deaf", "no location"])
    }
  }

  @Test func `a session that cannot be opened is tried again each minute`() {
    let scene = Scene()
    scene.daemon.failure = "no bus"
    scene.observe(1)
    scene.scheduler.advance(by: SessionObserver.pause)
    #expect(scene.daemon.opened == 0 && scene.lines.all == ["beacons and locations are not published: no bus"])
    scene.daemon.failure = nil
    scene.scheduler.advance(by: SessionObserver.pause)
    #expect(scene.daemon.opened == 1 && scene.daemon.session?.requests == ["range 1"])
  }

  @Test func `without constraints the source is not watched, and the end releases the session`() {
    let scene = Scene()
    scene.observe(location: true)
    #expect(scene.daemon.watches == 0 && scene.daemon.session?.requests == ["locate to 10.0 m, 10.0 m apart"])
    scene.observation = nil
    scene.scheduler.settle()
    #expect(scene.daemon.session == nil)
  }
}
