import Beacons
import Consent
import DBus
import Events
import Instants
import Records
import TestSupport
import Testing

@testable import MonitorClient

@Suite struct SessionPlanTests {
  private let gallery = BeaconConstraint(uuid: BeaconUUID(high: 1, low: 2))
  private let away = DBusError(name: "org.freedesktop.DBus.Error.ServiceUnknown", message: "it is not running")
  private let denied = DBusError(name: "org.beaconmon.Monitor1.Error.NotAuthorized", message: "root said no")
  private let tooMany = DBusError(name: "org.beaconmon.Monitor1.Error.LimitsExceeded", message: "16 at most")

  private func region(_ identifier: String, uuid: UInt64 = 10, assume: String = "unknown") -> RequestedRegion {
    var region = RequestedRegion(identifier, .beacons(BeaconConstraint(uuid: BeaconUUID(high: 0, low: uuid))))
    region.assumed = RegionState(rawValue: assume) ?? .unknown
    return region
  }

  private func state(_ state: String) -> RegionReport { RegionReport(Record(["state": .text(state)])) }

  private func second(_ second: Double) -> Instant { Instant(microseconds: 0) + .seconds(second) }

  /// Returns a plan with an open session and consent for ranging and monitoring.
  private func open() -> SessionPlan {
    var plan = SessionPlan()
    _ = plan.daemonAppeared()
    _ = plan.opened(.whenInUse, reason: "the rule", capabilities: ["location"], at: second(0))
    return plan
  }

  /// Returns a plan that monitors "hall" with a known state.
  private func monitoring(_ known: String) -> SessionPlan {
    var plan = open()
    _ = plan.startMonitoring(region("hall"))
    _ = plan.answered(1, nil, at: second(0))
    _ = plan.regionEvent(Event.of(["region": .text("hall"), "state": .text(known)]))
    return plan
  }

  @Test func `requests from before the session are sent when it opens`() {
    var plan = SessionPlan()
    #expect(plan.startRanging(gallery) == [])
    #expect(plan.startMonitoring(region("hall")) == [])
    #expect(plan.requestAuthorization(.always) == [])
    #expect(plan.daemonAppeared() == [.open])
    #expect(
      plan.opened(.notDetermined, reason: "nobody has decided", capabilities: ["location"], at: second(0)) == [
        .report(.capabilities(["location"])), .report(.available(after: nil)),
        .report(.authorization(.notDetermined, reason: "nobody has decided")), .authorize(.always),
        .range(gallery, 1), .monitor(region("hall"), 2),
      ])
    #expect(plan.answered(1, nil, at: second(1)) == [.report(.began(.ranging(gallery)))])
    #expect(plan.answered(2, nil, at: second(1)) == [.report(.began(.monitoring("hall")))])
  }

  @Test func `guidance is repeated in the next session until it has ended, and signals of a replaced one do not count`() {
    let (library, shop) = (Record(["place": .text("library")]), Record(["place": .text("shop")]))
    var plan = open()
    #expect(plan.startGuidance(library) == [.guide(library, 1)])
    #expect(!plan.isGuided)
    #expect(plan.answered(1, nil, at: second(0)) == [.report(.began(.guiding))])
    #expect(plan.isGuided)
    #expect(plan.startGuidance(shop) == [.guide(shop, 2)])
    #expect(!plan.isGuided)
    _ = plan.answered(2, nil, at: second(1))
    _ = plan.lost(away, at: second(2))
    _ = plan.daemonAppeared()
    let actions = plan.opened(.whenInUse, reason: "the rule", capabilities: ["location"], at: second(3))
    #expect(actions.contains(.guide(shop, 3)))
    _ = plan.answered(3, nil, at: second(3))
    plan.guidanceEnded()
    #expect(!plan.isGuided && plan.stop(.guiding) == [])
    _ = plan.lost(away, at: second(4))
    _ = plan.daemonAppeared()
    #expect(
      !plan.opened(.whenInUse, reason: "the rule", capabilities: ["location"], at: second(5)).contains {
        if case .guide = $0 { true } else { false }
      })
  }

  @Test func `guidance that is stopped after its refusal is never repeated`() {
    var plan = open()
    _ = plan.startGuidance(Record(["place": .text("library")]))
    _ = plan.answered(1, DBusError(name: "org.beaconmon.Monitor1.Error.NoLocationSource", message: "none"), at: second(0))
    #expect(plan.stop(.guiding) == [])
    func isGuided(_ actions: [SessionPlan.Action]) -> Bool { actions.contains { if case .guide = $0 { true } else { false } } }
    #expect(!isGuided(plan.capabilitiesChanged(["location", "heading"])))
    #expect(!isGuided(plan.authorizationChanged(.whenInUse, reason: "yes")))
    _ = plan.lost(away, at: second(1))
    _ = plan.daemonAppeared()
    #expect(!isGuided(plan.opened(.whenInUse, reason: "the rule", capabilities: ["location"], at: second(2))))
  }

  @Test func `guidance that was refused waits for a source or for consent`() {
    let library = Record(["place": .text("library")])
    var plan = open()
    _ = plan.startGuidance(library)
    _ = plan.answered(1, tooMany, at: second(0))
    #expect(plan.capabilitiesChanged(["location", "heading"]).contains(.guide(library, 2)))
    _ = plan.answered(2, denied, at: second(1))
    #expect(plan.authorizationChanged(.denied, reason: "no").contains { if case .guide = $0 { true } else { false } } == false)
    #expect(plan.authorizationChanged(.whenInUse, reason: "yes").contains(.guide(library, 3)))
  }

  @Test func `ranging twice sends one request, and ranging again after a refusal sends another`() {
    var plan = open()
    #expect(plan.startRanging(gallery) == [.range(gallery, 1)])
    #expect(plan.startRanging(gallery) == [])
    #expect(plan.answered(1, tooMany, at: second(1)) == [.report(.refused(.ranging(gallery), tooMany))])
    #expect(plan.startRanging(gallery) == [.range(gallery, 2)])
  }

  @Test func `refused requests are repeated once the device has what the session requires`() {
    let missing = DBusError(name: "org.beaconmon.Monitor1.Error.MissingCapability", message: "magnetometer: there is none")
    var plan = open()
    #expect(plan.startRanging(gallery) == [.range(gallery, 1)])
    #expect(plan.startMonitoring(region("hall")) == [.monitor(region("hall"), 2)])
    #expect(plan.answered(1, missing, at: second(1)) == [.report(.refused(.ranging(gallery), missing))])
    _ = plan.answered(2, nil, at: second(1))
    #expect(plan.requirementsMet() == [.range(gallery, 3)])
    #expect(plan.requirementsMet() == [])
    _ = plan.lost(away, at: second(2))
    #expect(plan.requirementsMet() == [])
  }

  @Test func `requests that were refused for another reason are not repeated when a capability comes`() {
    let missing = DBusError(name: "org.beaconmon.Monitor1.Error.MissingCapability", message: "magnetometer: there is none")
    var plan = open()
    _ = plan.startRanging(gallery)
    _ = plan.answered(1, tooMany, at: second(1))
    #expect(plan.register("hall", region("hall").record) == [.register("hall", region("hall").record)])
    #expect(plan.registrationAnswered("hall", missing) == [.report(.registrationRefused("hall", missing))])
    #expect(plan.requirementsMet() == [.register("hall", region("hall").record)])
    #expect(plan.registrationAnswered("hall", tooMany) == [.report(.registrationRefused("hall", tooMany))])
    #expect(plan.requirementsMet() == [])
  }

  @Test(arguments: ["place", "level"])
  func `after a loss, a region in a venue is monitored with its reported state`(key: String) {
    let room = RequestedRegion("room", key == "place" ? .place("room-5", level: nil, venue: nil) : .place(nil, level: "room-5", venue: nil))
    var plan = open()
    #expect(plan.startMonitoring(room) == [.monitor(room, 1)])
    _ = plan.answered(1, nil, at: second(0))
    _ = plan.regionEvent(Event.of(["region": .text("room"), "state": .text("inside")]))
    _ = plan.lost(away, at: second(1))
    _ = plan.daemonAppeared()
    var assumed = room
    assumed.assumed = .inside
    #expect(plan.opened(.whenInUse, reason: "the rule", capabilities: ["location"], at: second(2)) == [.monitor(assumed, 2)])
  }

  @Test(arguments: ["inside", "outside"])
  func `after a loss, a region is monitored with its reported state, and the gap is reported after all answers`(known: String) {
    var plan = monitoring(known)
    _ = plan.startRanging(gallery)
    _ = plan.answered(2, nil, at: second(1))
    #expect(plan.lost(away, at: second(10)) == [.report(.away(away))])
    #expect(plan.daemonAppeared() == [.open])
    #expect(
      plan.opened(.whenInUse, reason: "the rule", capabilities: ["location"], at: second(20)) == [
        .monitor(region("hall", assume: known), 3), .range(gallery, 4),
      ])
    #expect(plan.answered(3, nil, at: second(21)) == [])
    #expect(
      plan.answered(4, nil, at: second(22)) == [
        .report(.began(.ranging(gallery))), .report(.available(after: SessionGap(from: second(10), to: second(22)))),
      ])
    // An unchanged state is not reported; another one is.
    #expect(plan.regionState("hall", state(known)) == [])
    #expect(plan.regionState("hall", state("unknown")) == [.report(.state("hall", state("unknown")))])
  }

  @Test func `a gap continues over a second loss, and a reason is reported once`() {
    var plan = monitoring("inside")
    _ = plan.lost(away, at: second(10))
    #expect(plan.lost(away, at: second(11)) == [])
    _ = plan.daemonAppeared()
    _ = plan.opened(.whenInUse, reason: "the rule", capabilities: ["location"], at: second(12))
    #expect(plan.lost(away, at: second(13)) == [.report(.away(away))])
    _ = plan.daemonAppeared()
    _ = plan.opened(.whenInUse, reason: "the rule", capabilities: ["location"], at: second(14))
    #expect(plan.answered(3, nil, at: second(15)) == [.report(.available(after: SessionGap(from: second(10), to: second(15))))])
  }

  @Test func `ranging begins again with each session and each consent, and monitoring does not`() {
    var plan = monitoring("inside")
    _ = plan.startRanging(gallery)
    #expect(plan.answered(2, nil, at: second(1)) == [.report(.began(.ranging(gallery)))])
    _ = plan.lost(away, at: second(10))
    _ = plan.daemonAppeared()
    _ = plan.opened(.whenInUse, reason: "the rule", capabilities: ["location"], at: second(20))
    #expect(plan.answered(3, nil, at: second(20)) == [])
    #expect(plan.answered(4, nil, at: second(20)).contains(.report(.began(.ranging(gallery)))))
    _ = plan.authorizationChanged(.denied, reason: "revoked")
    _ = plan.authorizationChanged(.whenInUse, reason: "given")
    let reported = (5...6).flatMap { plan.answered($0, nil, at: second(30)) }
    #expect(reported == [.report(.began(.ranging(gallery)))])
  }

  @Test func `an answer of a lost session is ignored`() {
    var plan = open()
    _ = plan.startRanging(gallery)
    _ = plan.lost(away, at: second(1))
    #expect(plan.answered(1, denied, at: second(1)) == [])
    _ = plan.daemonAppeared()
    _ = plan.opened(.whenInUse, reason: "the rule", capabilities: ["location"], at: second(2))
    #expect(
      plan.answered(2, nil, at: second(3)) == [
        .report(.began(.ranging(gallery))), .report(.available(after: SessionGap(from: second(1), to: second(3)))),
      ])
  }

  @Test func `a request that is stopped before its answer is stopped after it, unless it is made again`() {
    var plan = open()
    _ = plan.startRanging(gallery)
    #expect(plan.stop(.ranging(gallery)) == [])
    #expect(plan.answered(1, nil, at: second(1)) == [.stop(.ranging(gallery))])
    _ = plan.startRanging(gallery)
    _ = plan.stop(.ranging(gallery))
    #expect(plan.startRanging(gallery) == [.range(gallery, 3)])
    #expect(plan.answered(2, nil, at: second(2)) == [])
    #expect(plan.answered(3, nil, at: second(2)) == [.report(.began(.ranging(gallery)))])
    #expect(plan.stop(.ranging(gallery)) == [.stop(.ranging(gallery))])
    #expect(plan.stop(.ranging(gallery)) == [])
  }

  @Test func `denied requests start with consent, and those refused for another reason do not`() {
    var plan = open()
    _ = plan.startRanging(gallery)
    _ = plan.startMonitoring(region("hall"))
    #expect(plan.answered(1, denied, at: second(1)) == [.report(.refused(.ranging(gallery), denied))])
    _ = plan.answered(2, tooMany, at: second(1))
    #expect(
      plan.authorizationChanged(.always, reason: "root said yes") == [
        .report(.authorization(.always, reason: "root said yes")), .range(gallery, 3),
      ])
  }

  @Test func `a revocation refuses all running requests`() {
    var plan = monitoring("inside")
    #expect(
      plan.authorizationChanged(.denied, reason: "root said no") == [
        .report(.authorization(.denied, reason: "root said no")), .report(.refused(.monitoring("hall"), denied)),
      ])
    #expect(
      plan.authorizationChanged(.whenInUse, reason: "root said yes") == [
        .report(.authorization(.whenInUse, reason: "root said yes")), .monitor(region("hall", assume: "inside"), 2),
      ])
    // Monitoring had started before.
    #expect(plan.answered(2, nil, at: second(1)) == [])
  }

  @Test func `an authorization is requested again if the session ended before the answer`() {
    var plan = open()
    #expect(plan.requestAuthorization(.always) == [.authorize(.always)])
    _ = plan.lost(away, at: second(1))
    _ = plan.daemonAppeared()
    #expect(plan.opened(.whenInUse, reason: "the rule", capabilities: ["location"], at: second(2)).first == .authorize(.always))
    #expect(plan.authorized(.always, reason: "root said yes") == [.report(.authorization(.always, reason: "root said yes"))])
    _ = plan.lost(away, at: second(3))
    _ = plan.daemonAppeared()
    #expect(!plan.opened(.always, reason: "root said yes", capabilities: ["location"], at: second(4)).contains(.authorize(.always)))
  }

  @Test func `a replaced region keeps its state only with the same beacons`() {
    var plan = monitoring("inside")
    #expect(plan.startMonitoring(region("hall")) == [.monitor(region("hall", assume: "inside"), 2)])
    #expect(plan.startMonitoring(region("hall", uuid: 11)) == [.monitor(region("hall", uuid: 11), 3)])
    let assumed = region("hall", uuid: 12, assume: "outside")
    #expect(plan.startMonitoring(assumed) == [.monitor(assumed, 4)])
    _ = plan.answered(4, nil, at: second(1))
    // The state equals the assumed one.
    #expect(plan.regionState("hall", state("outside")) == [])
  }

  @Test func `a requested state is reported even if it is unchanged, at once or when monitoring starts`() {
    var plan = monitoring("inside")
    #expect(plan.requestState("hall") == [.requestState("hall")])
    #expect(plan.regionState("hall", state("inside")) == [.report(.state("hall", state("inside")))])
    _ = plan.startMonitoring(region("desk"))
    #expect(plan.requestState("desk") == [])
    _ = plan.answered(2, nil, at: second(1))
    #expect(plan.regionState("desk", state("unknown")) == [.report(.state("desk", state("unknown")))])
    #expect(plan.regionState("desk", state("unknown")) == [])
  }

  @Test func `the state of an unmonitored region is refused, and its events are not reported`() {
    var plan = open()
    guard case .report(.refused(.monitoring("hall"), let error)) = plan.requestState("hall").first else {
      Issue.record("the region was not refused")
      return
    }
    #expect(error.message == "\"hall\" is not monitored; call startMonitoring first")
    #expect(plan.regionEvent(Event.of(["region": .text("hall"), "state": .text("inside")])) == [])
    #expect(plan.regionState("hall", state("inside")) == [])
  }
}
