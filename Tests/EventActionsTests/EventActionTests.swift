import EventActions
import Instants
import Records
import Testing

/// The event of DOMAIN's gallery: somebody came near beacon 1/5.
let arrival = Record([
  "sequence": .count(7),
  "event": .text("enter"),
  "region": .text("entrance"),
  "kind": .text("beacon"),
  "time": .time(Instant(microseconds: 1_581_252_284_779_766)),
  "state": .text("inside"),
  "beacon": .record(
    Record(["uuid": .text("8ec76ea3-6668-48da-9866-75be8bc86f4d"), "major": .short(1), "minor": .short(5)])),
  "rssi": .rssi(-61.24),
  "distance": .metres(2.314),
  "accuracy": .metres(1.2),
  "proximity": .text("near"),
  "reason": .record(
    Record([
      "cause": .text("approach"), "lastSeen": .time(Instant(microseconds: 1_581_252_284_779_766)), "samples": .count(12),
      "threshold": .metres(3), "durable": .flag(false),
    ])),
])

@Suite struct EventActionTests {
  @Test(
    arguments: [
      (nil, [.enter], true), (nil, [.enter, .exit], true), (nil, [.exit, .state], false), (["entrance"], [.enter], true),
      (["hall", "entrance"], [.enter], true), (["hall"], [.enter], false), ([], [.enter], false), (["entrance"], [], false),
    ] as [(Set<String>?, Set<EventAction.Trigger>, Bool)])
  func `an action matches by region and event`(regions: Set<String>?, triggers: Set<EventAction.Trigger>, matches: Bool) {
    let action = EventAction(regions: regions, triggers: triggers, deed: .command(["true"], timeout: .seconds(1)))
    #expect(action.matches(arrival) == matches)
  }

  @Test(
    arguments: [
      Record(), Record(["event": .text("enter")]), Record(["region": .text("entrance")]),
      Record(["region": .text("entrance"), "event": .text("leave")]), Record(["region": .count(1), "event": .text("enter")]),
    ])
  func `what is no region event matches nothing`(event: Record) {
    let action = EventAction(triggers: Set(EventAction.Trigger.allCases), deed: .command(["true"], timeout: .seconds(1)))
    #expect(!action.matches(event))
  }
}
