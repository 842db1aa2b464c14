import Consent
import Instants
import TestSupport
import Testing
import Venues

@testable import Notification

/// The regions of venues in sessions of a fake daemon.
@Suite struct VenueRegistrarTests {
  /// The daemon, which keeps the registered regions when a session ends.
  private final class FakeDaemon: VenueRegionLink {
    var registered: Set<String> = []
    var failure: String?
    /// Whether requests are answered by a test instead of at once.
    var isSilent = false
    var refusal: SessionRefusal?
    weak var session: FakeSession?
    private(set) var opened = 0
    let scheduler: ManualScheduler

    init(_ scheduler: ManualScheduler) { self.scheduler = scheduler }

    func requestOffers(_ completion: @escaping (Result<[OfferReport], MonitorFailure>) -> Void) {
      scheduler.enqueue { completion(.success([])) }
    }

    func openVenueSession(_ handler: @escaping (VenueSessionEvent) -> Void) throws(MonitorFailure) -> any VenueSession {
      if let failure { throw MonitorFailure(failure) }
      opened += 1
      let session = FakeSession(self, handler)
      self.session = session
      return session
    }

    func send(_ event: VenueSessionEvent) {
      session?.handler(event)
      scheduler.settle()
    }
  }

  private final class FakeSession: VenueSession {
    let handler: (VenueSessionEvent) -> Void
    private let daemon: FakeDaemon
    private(set) var requests: [String] = []

    init(_ daemon: FakeDaemon, _ handler: @escaping (VenueSessionEvent) -> Void) { (self.daemon, self.handler) = (daemon, handler) }

    func setRegistered(_ isRegistered: Bool, _ venue: String) {
      requests.append("\(isRegistered ? "+" : "-")\(venue)")
      guard !daemon.isSilent else { return }
      let refusal = daemon.refusal
      if refusal == nil {
        if isRegistered { daemon.registered.insert(venue) } else { daemon.registered.remove(venue) }
      }
      daemon.scheduler.enqueue { [weak self] in self?.handler(refusal.map { .refused(venue, $0) } ?? .registered(venue)) }
    }

    func requestRegistered(_ completion: @escaping (Result<Set<String>, MonitorFailure>) -> Void) {
      daemon.scheduler.enqueue { [daemon] in completion(.success(daemon.registered)) }
    }
  }

  private final class Scene {
    let scheduler = ManualScheduler()
    let lines = LogLines()
    let daemon: FakeDaemon
    let registrar: VenueRegistrar
    var results: [VenueRegistration] = []

    init() {
      daemon = FakeDaemon(scheduler)
      registrar = VenueRegistrar(scheduler, daemon, log: lines.logger)
    }

    /// Requests the regions of venues from a daemon that runs.
    func monitor(_ venues: Set<String>) {
      registrar.monitor(venues) { [unowned self] in results.append($0) }
      scheduler.settle()
      daemon.send(.available)
    }
  }

  @Test func `missing regions are registered, superfluous ones end, and the session closes after both`() {
    let scene = Scene()
    scene.daemon.registered = ["old", "kept"]
    scene.monitor(["kept", "new"])
    #expect(scene.results == [.registered] && scene.daemon.registered == ["kept", "new"])
    #expect(scene.daemon.session == nil && scene.daemon.opened == 1)
  }

  @Test func `a daemon that has exactly these regions gets no request`() {
    let scene = Scene()
    scene.daemon.registered = ["gallery"]
    scene.registrar.monitor(["gallery"]) { scene.results.append($0) }
    let session = scene.daemon.session
    scene.daemon.send(.available)
    #expect(scene.results == [.registered] && session?.requests == [])
  }

  @Test func `without consent the session stays open, and a later consent registers the region`() {
    let scene = Scene()
    scene.daemon.refusal = SessionRefusal(.noConsent, "not allowed")
    scene.monitor(["gallery"])
    #expect(scene.results == [.withheld] && scene.daemon.session != nil)
    #expect(scene.lines.all == ["entering the venue \"gallery\" is not reported: not allowed"])
    scene.daemon.send(.authorization(.whenInUse))
    #expect(scene.daemon.session?.requests == ["+gallery"])
    scene.daemon.refusal = nil
    scene.daemon.send(.authorization(.always))
    #expect(scene.daemon.registered == ["gallery"] && scene.daemon.session == nil && scene.results == [.withheld])
  }

  @Test func `a person who does not answer is not asked again until consent is given`() {
    let scene = Scene()
    scene.daemon.refusal = SessionRefusal(.noAnswer, "timed out")
    scene.monitor(["gallery"])
    scene.daemon.send(.available)
    scene.scheduler.advance(by: .seconds(86_400))
    #expect(scene.results == [.withheld] && scene.daemon.session?.requests == ["+gallery"])
  }

  @Test func `a daemon that stops after the result ends the session without another result`() {
    let scene = Scene()
    scene.daemon.refusal = SessionRefusal(.noConsent, "not allowed")
    scene.monitor(["gallery"])
    scene.daemon.send(.away("beaconmond is not running"))
    #expect(scene.results == [.withheld] && scene.daemon.session == nil)
    #expect(scene.lines.all == ["entering the venue \"gallery\" is not reported: not allowed"])
  }

  @Test func `a region that is refused for another reason is a failure`() {
    let scene = Scene()
    scene.daemon.refusal = SessionRefusal(.other, "too many regions")
    scene.monitor(["gallery"])
    #expect(scene.results == [.failed("beaconmond does not have the regions of all venues")] && scene.daemon.session == nil)
  }

  @Test func `a daemon that stops before its answer is a failure, which is logged once while it repeats`() {
    let scene = Scene()
    scene.daemon.isSilent = true
    for _ in 0..<2 {
      scene.monitor(["gallery"])
      scene.daemon.send(.away("beaconmond is not running"))
    }
    #expect(scene.results == [.failed("beaconmond is not running"), .failed("beaconmond is not running")])
    #expect(scene.lines.all == ["the regions of venues are not registered: beaconmond is not running"])
    scene.daemon.isSilent = false
    scene.monitor(["gallery"])
    scene.daemon.isSilent = true
    scene.monitor(["shop"])
    scene.daemon.send(.away("beaconmond is not running"))
    #expect(scene.lines.all.count == 2)
  }

  @Test func `a session that cannot be opened is a failure after the call`() {
    let scene = Scene()
    scene.daemon.failure = "no bus"
    scene.registrar.monitor(["gallery"]) { scene.results.append($0) }
    #expect(scene.results.isEmpty)
    scene.scheduler.settle()
    #expect(scene.results == [.failed("no bus")])
  }

  @Test func `another request replaces the one whose answers are late`() {
    let scene = Scene()
    scene.daemon.isSilent = true
    scene.monitor(["gallery"])
    scene.daemon.isSilent = false
    scene.monitor(["shop"])
    #expect(scene.results == [.registered] && scene.daemon.registered == ["shop"] && scene.daemon.opened == 2)
  }

  @Test func `the registered regions that a former session has requested do not count for the next one`() {
    let scene = Scene()
    scene.registrar.monitor(["gallery"]) { scene.results.append($0) }
    let former = scene.daemon.session
    former?.handler(.available)
    scene.registrar.monitor(["shop"]) { scene.results.append($0) }
    scene.scheduler.settle()
    #expect(former?.requests == [] && scene.daemon.session?.requests == [], "the next session is not available yet")
    scene.daemon.send(.available)
    #expect(scene.results == [.registered] && scene.daemon.registered == ["shop"])
  }

  @Test func `a session that becomes available again does not repeat its requests`() {
    let scene = Scene()
    scene.daemon.isSilent = true
    scene.monitor(["gallery"])
    scene.daemon.send(.available)
    #expect(scene.daemon.session?.requests == ["+gallery"])
  }
}
