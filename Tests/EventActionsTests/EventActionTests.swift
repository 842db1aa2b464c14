import EventActions
import Events
import Instants
import Records
import TestSupport
import Testing

/// An enter at a gallery: a visitor is near beacon 1/5.
let arrival = Event.of([
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
      "threshold": .metres(3),
    ])),
  "durable": .flag(false),
])

@Suite struct EventActionTests {
  @Test(
    arguments: [
      (nil, [.enter], true), (nil, [.enter, .exit], true), (nil, [.exit, .state], false), (["entrance"], [.enter], true),
      (["hall", "entrance"], [.enter], true), (["hall"], [.enter], false), ([], [.enter], false), (["entrance"], [], false),
    ] as [(Set<String>?, Set<Event.Kind>, Bool)])
  func `an action matches by region and event`(regions: Set<String>?, triggers: Set<Event.Kind>, matches: Bool) {
    let action = EventAction(regions: regions, triggers: triggers, targets: ["a"])
    #expect(action.targets(for: arrival) == (matches ? ["a"] : []))
  }

  @Test(
    arguments: [
      Event.of([:]), Event.of(["event": .text("enter")]), Event.of(["region": .text("entrance")]),
      Event.of(["region": .text("entrance"), "event": .text("leave")]), Event.of(["region": .count(1), "event": .text("enter")]),
    ])
  func `an event that does not concern a region matches no action`(event: Event) {
    let action = EventAction(triggers: Set(Event.Kind.triggers), targets: ["a"], stateTargets: ["a"])
    #expect(action.targets(for: event).isEmpty)
  }

  @Test func `a state keeper receives every event of the action's regions, and other targets the configured ones`() {
    let action = EventAction(regions: ["entrance"], targets: ["till", "home"], stateTargets: ["home"])
    func targets(_ event: String, _ region: String = "entrance") -> [String] {
      action.targets(for: Event.of(["event": .text(event), "region": .text(region)]))
    }
    #expect(["enter", "exit", "dwell", "state"].map { targets($0) } == [["till", "home"], ["till", "home"], ["home"], ["home"]])
    #expect(targets("state", "hall") == [])
  }

  @Test func `an event goes once to every target of every matching action`() {
    let actions = [
      EventAction(triggers: [.enter], targets: ["b", "a"]), EventAction(triggers: [.exit], targets: ["c"]),
      EventAction(regions: ["entrance"], targets: ["a", "d"]),
    ]
    #expect(actions.targets(for: arrival) == ["b", "a", "d"])
  }

  @Test func `advice for an appointment triggers only actions that name its event and no region`() {
    let event = Event(sequence: 1, kind: .depart)
    #expect(EventAction(triggers: [.depart], targets: ["a"]).targets(for: event) == ["a"])
    #expect(EventAction(targets: ["a"], stateTargets: ["a"]).targets(for: event).isEmpty)
    #expect(EventAction(regions: ["hall"], triggers: [.depart], targets: ["a"]).targets(for: event).isEmpty)
  }
}
