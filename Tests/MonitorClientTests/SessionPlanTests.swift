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
  let gallery = BeaconConstraint(uuid: BeaconUUID(high: 1, low: 2))
  let away = DBusError(name: "org.freedesktop.DBus.Error.ServiceUnknown", message: "it is not running")
  let denied = DBusError(name: "org.beaconmon.Monitor1.Error.NotAuthorized", message: "root said no")
  let tooMany = DBusError(name: "org.beaconmon.Monitor1.Error.LimitsExceeded", message: "16 at most")

  func region(_ identifier: String, uuid: UInt64 = 10, assume: String = "unknown") -> RequestedRegion {
    var region = RequestedRegion(identifier, .beacons(BeaconConstraint(uuid: BeaconUUID(high: 0, low: uuid))))
    region.assumed = RegionState(rawValue: assume) ?? .unknown
    return region
  }

  func state(_ state: String) -> RegionReport { RegionReport(Record(["state": .text(state)])) }

  func second(_ second: Double) -> Instant { Instant(microseconds: 0) + .seconds(second) }

  /// Returns a plan with an open session and consent for ranging and monitoring.
  func open() -> SessionPlan {
    var plan = SessionPlan()
    _ = plan.daemonAppeared()
    _ = plan.opened(.whenInUse, reason: "the rule", capabilities: ["location"], at: second(0))
    return plan
  }

  /// Returns a plan that monitors "hall" with a known state.
  func monitoring(_ known: String) -> SessionPlan {
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
        .start(.ranging(gallery), 1), .start(.monitoring(region("hall")), 2),
      ])
    #expect(plan.answered(1, nil, at: second(1)) == [.report(.began(.ranging(gallery)))])
    #expect(plan.answered(2, nil, at: second(1)) == [.report(.began(.monitoring("hall")))])
  }

  @Test func `ranging twice sends one request, and ranging again after a refusal sends another`() {
    var plan = open()
    #expect(plan.startRanging(gallery) == [.start(.ranging(gallery), 1)])
    #expect(plan.startRanging(gallery) == [])
    #expect(plan.answered(1, tooMany, at: second(1)) == [.report(.refused(.ranging(gallery), tooMany))])
    #expect(plan.startRanging(gallery) == [.start(.ranging(gallery), 2)])
  }

  @Test func `refused requests are repeated once the device has what the session requires`() {
    let missing = DBusError(name: "org.beaconmon.Monitor1.Error.MissingCapability", message: "magnetometer: there is none")
    var plan = open()
    #expect(plan.startRanging(gallery) == [.start(.ranging(gallery), 1)])
    #expect(plan.startMonitoring(region("hall")) == [.start(.monitoring(region("hall")), 2)])
    #expect(plan.answered(1, missing, at: second(1)) == [.report(.refused(.ranging(gallery), missing))])
    _ = plan.answered(2, nil, at: second(1))
    #expect(plan.requirementsMet() == [.start(.ranging(gallery), 3)])
    #expect(plan.requirementsMet() == [])
    _ = plan.lost(away, at: second(2))
    #expect(plan.requirementsMet() == [])
  }

  @Test func `requests that were refused for another reason are not repeated when a capability appears`() {
    let missing = DBusError(name: "org.beaconmon.Monitor1.Error.MissingCapability", message: "magnetometer: there is none")
    var plan = open()
    _ = plan.startRanging(gallery)
    _ = plan.answered(1, tooMany, at: second(1))
    #expect(plan.register(region("hall")) == [.register(region("hall"))])
    #expect(plan.registrationAnswered("hall", missing) == [.report(.registrationRefused("hall", missing))])
    #expect(plan.requirementsMet() == [.register(region("hall"))])
    #expect(plan.registrationAnswered("hall", tooMany) == [.report(.registrationRefused("hall", tooMany))])
    #expect(plan.requirementsMet() == [])
  }

  @Test func `a request that is stopped before its answer is stopped after it, unless it is made again`() {
    var plan = open()
    _ = plan.startRanging(gallery)
    #expect(plan.stop(.ranging(gallery)) == [])
    #expect(plan.answered(1, nil, at: second(1)) == [.stop(.ranging(gallery))])
    _ = plan.startRanging(gallery)
    _ = plan.stop(.ranging(gallery))
    #expect(plan.startRanging(gallery) == [.start(.ranging(gallery), 3)])
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
        .report(.authorization(.always, reason: "root said yes")), .start(.ranging(gallery), 3),
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
        .report(.authorization(.whenInUse, reason: "root said yes")), .start(.monitoring(region("hall", assume: "inside")), 2),
      ])
    // Monitoring had started before.
    #expect(plan.answered(2, nil, at: second(1)) == [])
  }

  @Test func `a replaced region keeps its state only with the same beacons`() {
    var plan = monitoring("inside")
    #expect(plan.startMonitoring(region("hall")) == [.start(.monitoring(region("hall", assume: "inside")), 2)])
    #expect(plan.startMonitoring(region("hall", uuid: 11)) == [.start(.monitoring(region("hall", uuid: 11)), 3)])
    let assumed = region("hall", uuid: 12, assume: "outside")
    #expect(plan.startMonitoring(assumed) == [.start(.monitoring(assumed), 4)])
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
