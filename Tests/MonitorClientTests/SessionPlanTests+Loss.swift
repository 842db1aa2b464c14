import Beacons
import Consent
import DBus
import Events
import Instants
import Records
import TestSupport
import Testing

@testable import MonitorClient

/// A session that is lost, and the one that follows it.
extension SessionPlanTests {
  @Test(arguments: ["place", "level"])
  func `after a loss, a region in a venue is monitored with its reported state`(key: String) {
    let room = RequestedRegion("room", key == "place" ? .place("room-5", level: nil, venue: nil) : .place(nil, level: "room-5", venue: nil))
    var plan = open()
    #expect(plan.startMonitoring(room) == [.start(.monitoring(room), 1)])
    _ = plan.answered(1, nil, at: second(0))
    _ = plan.regionEvent(Event.of(["region": .text("room"), "state": .text("inside")]))
    _ = plan.lost(away, at: second(1))
    _ = plan.daemonAppeared()
    var assumed = room
    assumed.assumed = .inside
    #expect(plan.opened(.whenInUse, reason: "the rule", capabilities: ["location"], at: second(2)) == [.start(.monitoring(assumed), 2)])
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
        .start(.monitoring(region("hall", assume: known)), 3), .start(.ranging(gallery), 4),
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
}
