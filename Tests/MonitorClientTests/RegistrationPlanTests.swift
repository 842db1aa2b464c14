import Beacons
import Consent
import DBus
import Instants
import Testing

@testable import MonitorClient

@Suite struct RegistrationPlanTests {
  private let hall = RequestedRegion("hall", .beacons(BeaconConstraint(uuid: BeaconUUID(high: 0, low: 1))))
  private let other = RequestedRegion("hall", .beacons(BeaconConstraint(uuid: BeaconUUID(high: 0, low: 2))))
  private let noon = Instant(microseconds: 0)
  private let denied = DBusError(name: "org.beaconmon.Monitor1.Error.NotAuthorized", message: "while in use only")
  private let tooMany = DBusError(name: "org.beaconmon.Monitor1.Error.LimitsExceeded", message: "20 at most")
  private let unknown = DBusError(name: "org.beaconmon.Monitor1.Error.NotRegistered", message: "it has not registered it")

  /// Returns a plan with an open session.
  private func open(_ authorization: Authorization = .always) -> SessionPlan {
    var plan = SessionPlan()
    _ = plan.daemonAppeared()
    _ = plan.opened(authorization, reason: "the rule", capabilities: [], at: noon)
    return plan
  }

  private func reopen(_ plan: inout SessionPlan) -> [SessionPlan.Action] {
    _ = plan.lost(tooMany, at: noon)
    _ = plan.daemonAppeared()
    return plan.opened(.always, reason: "the rule", capabilities: [], at: noon)
  }

  @Test func `only the last request that was made during the daemon's absence is sent when it returns`() {
    var plan = SessionPlan()
    #expect(plan.register(hall) == [] && plan.unregister("desk") == [] && plan.register(other) == [])
    _ = plan.daemonAppeared()
    #expect(
      plan.opened(.always, reason: "the rule", capabilities: [], at: noon).suffix(2) == [.register(other), .unregister("desk")])
  }

  @Test func `a registration that the daemon has is not repeated`() {
    var plan = open()
    #expect(plan.register(hall) == [.register(hall)])
    #expect(plan.registrationAnswered("hall", nil) == [.report(.registered("hall"))])
    #expect(reopen(&plan) == [.report(.available(after: SessionGap(from: noon, to: noon)))])
    #expect(plan.register(hall) == [.register(hall)])
  }

  @Test func `an unanswered registration is repeated`() {
    var plan = open()
    _ = plan.register(hall)
    #expect(reopen(&plan).contains(.register(hall)))
  }

  @Test func `a request that changes during a call is sent after the answer`() {
    var plan = open()
    _ = plan.register(hall)
    #expect(plan.unregister("hall") == [])
    #expect(plan.registrationAnswered("hall", nil) == [.unregister("hall")])
    #expect(plan.register(other) == [])
    #expect(plan.registrationAnswered("hall", unknown) == [.register(other)])
    #expect(plan.registrationAnswered("hall", nil) == [.report(.registered("hall"))])
  }

  @Test func `a denied registration is repeated with consent for always, and not before`() {
    var plan = open(.whenInUse)
    _ = plan.register(hall)
    #expect(plan.registrationAnswered("hall", denied) == [.report(.registrationRefused("hall", denied))])
    #expect(plan.authorizationChanged(.denied, reason: "root") == [.report(.authorization(.denied, reason: "root"))])
    #expect(plan.authorizationChanged(.whenInUse, reason: "root") == [.report(.authorization(.whenInUse, reason: "root"))])
    let always = plan.authorizationChanged(.always, reason: "root")
    #expect(always == [.report(.authorization(.always, reason: "root")), .register(hall)])
  }

  @Test func `a registration refused for another reason waits for the next request`() {
    var plan = open(.whenInUse)
    _ = plan.register(hall)
    #expect(plan.registrationAnswered("hall", tooMany) == [.report(.registrationRefused("hall", tooMany))])
    #expect(plan.authorizationChanged(.always, reason: "root") == [.report(.authorization(.always, reason: "root"))])
    #expect(plan.register(other) == [.register(other)])
  }

  @Test func `unregistering an unknown region succeeds, and any other trouble is reported`() {
    var plan = open()
    #expect(plan.unregister("hall") == [.unregister("hall")])
    #expect(plan.registrationAnswered("hall", unknown) == [])
    _ = plan.unregister("hall")
    #expect(plan.registrationAnswered("hall", tooMany) == [.report(.registrationRefused("hall", tooMany))])
  }
}
