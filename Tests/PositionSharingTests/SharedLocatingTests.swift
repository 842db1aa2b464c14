import Consent
import FleetMessages
import Instants
import TestSupport
import Testing

@testable import PositionSharing

/// The session of one share on a manual clock, with a fake daemon.
@Suite struct SharedLocatingTests {
  private final class Scene {
    let scheduler = ManualScheduler()
    let daemon = FakePositions()
    let lines = LogLines()
    var latitudes: [Double?] = []
    var locating: SharedLocating?

    init(failure: String? = nil) {
      daemon.failure = failure
      locating = SharedLocating(scheduler, daemon, for: "lunch", log: lines.logger) { [unowned self] in latitudes.append($0?.latitude) }
    }

    func start() { scheduler.settle() }
  }

  @Test func `a session is opened after the call with the purpose, and its positions are passed on`() {
    let scene = Scene()
    #expect(scene.daemon.attemptCount == 0)
    scene.start()
    #expect(scene.daemon.open.map(\.purpose) == ["lunch"] && scene.daemon.open.map(\.requestCount) == [1])
    let options = scene.daemon.open.first?.options
    #expect(options?.desiredAccuracy == 5 && options?.distanceFilter == 2)
    scene.daemon.report(52)
    scene.daemon.send(.position(nil))
    scene.daemon.report(53)
    scene.scheduler.advance(by: .seconds(3600))
    #expect(scene.latitudes == [52, nil, 53] && scene.daemon.attemptCount == 1 && scene.daemon.open.first?.requestCount == 1)
  }

  @Test func `a session that cannot be opened is tried again each minute, and its reason is logged once`() {
    let scene = Scene(failure: "no bus")
    scene.start()
    #expect(scene.latitudes == [nil])
    scene.scheduler.advance(by: .seconds(59))
    #expect(scene.daemon.attemptCount == 1)
    scene.scheduler.advance(by: .seconds(1))
    #expect(scene.daemon.attemptCount == 2 && scene.lines.all == ["a shared position is unknown: no bus"])
    scene.daemon.failure = nil
    scene.scheduler.advance(by: .seconds(60))
    scene.daemon.report(52)
    #expect(scene.daemon.attemptCount == 3 && scene.latitudes == [nil, nil, 52])
  }

  @Test func `a refusal that may be temporary is repeated in the same session until the daemon locates`() {
    let scene = Scene()
    scene.start()
    scene.daemon.send(.refused("no location source is configured"))
    scene.scheduler.advance(by: .seconds(60))
    #expect(scene.daemon.open.map(\.requestCount) == [2] && scene.daemon.attemptCount == 1)
    scene.daemon.report(52)
    scene.scheduler.advance(by: .seconds(3600))
    #expect(scene.daemon.open.map(\.requestCount) == [2] && scene.latitudes == [nil, 52])
  }

  @Test func `a lack of consent is not repeated, and also ends the wait after an earlier refusal`() {
    let scene = Scene()
    scene.start()
    scene.daemon.send(.refused("beaconmond does not answer"))
    scene.daemon.send(.withoutConsent("not allowed"))
    scene.scheduler.advance(by: .seconds(86_400))
    #expect(scene.daemon.open.map(\.requestCount) == [1] && scene.latitudes == [nil, nil])
    // The session repeats the request by itself after a consent.
    scene.daemon.report(52)
    #expect(scene.latitudes == [nil, nil, 52])
  }

  @Test(arguments: [Authorization.denied, .notDetermined])
  func `a position is unknown once the user no longer consents, and a consent does not change it`(authorization: Authorization) {
    let scene = Scene()
    scene.start()
    scene.daemon.report(52)
    for allowed in [Authorization.whenInUse, .always] { scene.daemon.send(.authorization(allowed)) }
    #expect(scene.latitudes == [52])
    scene.daemon.send(.authorization(authorization))
    #expect(scene.latitudes == [52, nil])
    // The session repeats the request by itself after a consent.
    scene.scheduler.advance(by: .seconds(3600))
    scene.daemon.send(.authorization(.whenInUse))
    scene.daemon.report(53)
    #expect(scene.latitudes == [52, nil, 53] && scene.daemon.open.map(\.requestCount) == [1])
  }

  @Test func `a reason is logged again only after a position or another reason`() {
    let scene = Scene()
    scene.start()
    for reason in ["a", "a", "b", "a"] { scene.daemon.send(.refused(reason)) }
    scene.daemon.send(.position(nil))
    scene.daemon.send(.refused("a"))
    #expect(scene.lines.all.map { $0.suffix(1) } == ["a", "b", "a"])
    scene.daemon.report(52)
    scene.daemon.send(.refused("a"))
    #expect(scene.lines.all.count == 4)
  }

  @Test func `the session ends with the share, but not inside its handler`() {
    let scene = Scene()
    scene.start()
    scene.locating = nil
    #expect(scene.daemon.open.count == 1)
    scene.daemon.report(52)
    scene.start()
    #expect(scene.daemon.open.isEmpty && scene.latitudes.isEmpty)
  }
}
