import Beacons
import Consent
import DBus
import Events
import Instants
import TestSupport
import Testing

@testable import MonitorClient

/// Guidance over sessions, refusals and consent.
extension SessionPlanTests {
  @Test func `guidance is repeated in the next session until it has ended, and signals of a replaced one do not count`() {
    let (library, shop) = (GuidanceOptions(to: .place("library")), GuidanceOptions(to: .place("shop")))
    var plan = open()
    #expect(plan.startGuidance(library) == [.start(.guiding(library), 1)])
    #expect(!plan.isGuided)
    #expect(plan.answered(1, nil, at: second(0)) == [.report(.began(.guiding))])
    #expect(plan.isGuided)
    #expect(plan.startGuidance(shop) == [.start(.guiding(shop), 2)])
    #expect(!plan.isGuided)
    _ = plan.answered(2, nil, at: second(1))
    _ = plan.lost(away, at: second(2))
    _ = plan.daemonAppeared()
    let actions = plan.opened(.whenInUse, reason: "the rule", capabilities: ["location"], at: second(3))
    #expect(actions.contains(.start(.guiding(shop), 3)))
    _ = plan.answered(3, nil, at: second(3))
    plan.guidanceEnded()
    #expect(!plan.isGuided && plan.stop(.guiding) == [])
    _ = plan.lost(away, at: second(4))
    _ = plan.daemonAppeared()
    #expect(
      !plan.opened(.whenInUse, reason: "the rule", capabilities: ["location"], at: second(5)).contains {
        if case .start(.guiding, _) = $0 { true } else { false }
      })
  }

  @Test func `guidance that is stopped after its refusal is never repeated`() {
    var plan = open()
    _ = plan.startGuidance(GuidanceOptions(to: .place("library")))
    _ = plan.answered(1, DBusError(name: "org.beaconmon.Monitor1.Error.NoLocationSource", message: "none"), at: second(0))
    #expect(plan.stop(.guiding) == [])
    func isGuided(_ actions: [SessionPlan.Action]) -> Bool { actions.contains { if case .start(.guiding, _) = $0 { true } else { false } } }
    #expect(!isGuided(plan.capabilitiesChanged(["location", "heading"])))
    #expect(!isGuided(plan.authorizationChanged(.whenInUse, reason: "yes")))
    _ = plan.lost(away, at: second(1))
    _ = plan.daemonAppeared()
    #expect(!isGuided(plan.opened(.whenInUse, reason: "the rule", capabilities: ["location"], at: second(2))))
  }

  @Test func `guidance that was refused waits for a source or for consent`() {
    let library = GuidanceOptions(to: .place("library"))
    var plan = open()
    _ = plan.startGuidance(library)
    _ = plan.answered(1, tooMany, at: second(0))
    #expect(plan.capabilitiesChanged(["location", "heading"]).contains(.start(.guiding(library), 2)))
    _ = plan.answered(2, denied, at: second(1))
    #expect(plan.authorizationChanged(.denied, reason: "no").contains { if case .start(.guiding, _) = $0 { true } else { false } } == false)
    #expect(plan.authorizationChanged(.whenInUse, reason: "yes").contains(.start(.guiding(library), 3)))
  }

  @Test func `an appointment that began before the daemon restarted is not reported as refused`() {
    let past = DBusError(name: "org.beaconmon.Monitor1.Error.InvalidOptions", message: "time 5 is in the past")
    let tour = SessionTask.appointment("tour", AppointmentOptions(place: "clock", at: second(60), margin: .zero))
    var plan = open()
    #expect(plan.start(tour) == [.start(tour, 1)])
    #expect(plan.answered(1, nil, at: second(0)) == [.report(.began(.appointment("tour")))])
    _ = plan.lost(away, at: second(1))
    _ = plan.daemonAppeared()
    #expect(plan.opened(.whenInUse, reason: "the rule", capabilities: ["location"], at: second(90)).contains(.start(tour, 2)))
    #expect(!plan.answered(2, past, at: second(90)).contains { if case .report(.refused) = $0 { true } else { false } })
    // A program that adds a past one itself learns the reason.
    let late = SessionTask.appointment("late", AppointmentOptions(place: "clock", at: second(5), margin: .zero))
    #expect(plan.start(late) == [.start(late, 3)])
    #expect(plan.answered(3, past, at: second(90)) == [.report(.refused(.appointment("late"), past))])
  }
}
