import Events
import Instants
import Records
import Terminal
import TestSupport
import Testing

@Suite struct EventExplanationTests {
  private func event(
    _ sequence: UInt64, _ kind: String, _ state: String, at seconds: Double, region: String = "entrance", reason: Record? = nil
  )
    -> Event
  {
    Event.of([
      "sequence": .count(sequence), "event": .text(kind), "region": .text(region), "time": .time(start + .seconds(seconds)),
      "state": .text(state), "beacon": .record(Record(["uuid": .text(galleryUUID), "major": .short(1), "minor": .short(5)])),
      "rssi": .rssi(-78.2), "distance": .metres(6.21), "accuracy": .metres(3.4), "proximity": .text("far"),
      "reason": .record(reason ?? silence(at: seconds)), "journal": .text("J"), "durable": .flag(true),
    ])
  }

  private func silence(at seconds: Double) -> Record {
    Record([
      "cause": .text("silence"), "lastSeen": .time(start + .seconds(seconds - 30)), "lastSeenAge": .quantity(30, decimals: 3),
      "samples": .count(212), "exitDelay": .text("30s"), "adapter": .text("hci0"),
    ])
  }

  private let sighting = Record([
    "cause": .text("sighting"), "lastSeenAge": .quantity(0, decimals: 3), "samples": .count(1), "adapter": .text("hci0"),
  ])

  @Test func `an explained enter of a circle names the deciding fix`() {
    let location = Record([
      "latitude": .quantity(48.137154, decimals: 7), "longitude": .quantity(11.57549, decimals: 7), "horizontalAccuracy": .metres(8),
      "speed": .quantity(1.2, decimals: 2),
    ])
    let event = Event.of([
      "sequence": .count(7), "event": .text("enter"), "region": .text("shop"), "kind": .text("circle"), "time": .time(start),
      "state": .text("inside"), "location": .record(location), "boundaryDistance": .metres(-35.2),
      "reason": .record(
        Record([
          "cause": .text("approach"), "threshold": .metres(100), "hold": .text("20s"), "fixTime": .time(start),
          "fixAge": .quantity(12, decimals: 3),
        ])),
    ])
    let text = EventExplanation(style: plain, units: Units(isMetric: true)).text(event, earlier: [], later: [])
    #expect(
      text.split(separator: "\n").prefix(2).joined(separator: "\n") == """
        Event 7: "shop" was entered at 2020-02-09 12:44:44.779Z, because the device stayed within 100 m of its center for 20s.
        The last fix, 12.0 s before, was 48.1371540, 11.5754900 ± 8.0 m: 35 m inside the boundary, at 4.3 km/h.
        """)
  }

  @Test(arguments: [
    (
      "approach", "enter", 0.873,
      "was entered at 2020-02-09 12:44:44.779Z, because 87 % of the probability of its position lay inside for 2s."
    ),
    (
      "departure", "exit", .nan,
      "was left at 2020-02-09 12:44:44.779Z, because the beacons of the venue were silent, or a fix excluded it for 2s."
    ),
    (
      "approach", "enter", .nan,
      "was entered at 2020-02-09 12:44:44.779Z, because the beacons of the venue or a fix showed the device there for 2s."
    ),
  ])
  func `an explained event of a place has the probability that the device was inside, and one of a whole venue what decided`(
    cause: String, kind: String, probability: Double, words: String
  ) {
    let event = Event.of([
      "sequence": .count(7), "event": .text(kind), "region": .text("room"), "kind": .text("place"), "time": .time(start),
      "reason": .record(Record(["cause": .text(cause), "hold": .text("2s"), "probability": .quantity(probability, decimals: 2)])),
    ])
    let lines = EventExplanation(style: plain).text(event, earlier: [], later: []).split(separator: "\n")
    #expect(lines.prefix(2) == ["Event 7: \"room\" \(words)", "The location of the device was unknown."])
  }

  @Test func `an explained event names the place of its beacon`() {
    var exit = event(42, "exit", "outside", at: 720)
    exit.placeName = "Lodestone"
    let text = EventExplanation(style: plain).text(exit, earlier: [], later: [])
    #expect(text.contains("Beacon 1/5 of \(galleryUUID) at \"Lodestone\" was last heard 30.0 s before"))
  }

  @Test func `an explained exit that was reverted has its evidence, its neighbours and the setting that would have prevented it`() {
    let text = EventExplanation(style: plain).text(
      event(42, "exit", "outside", at: 720),
      earlier: [event(40, "enter", "inside", at: 0), event(41, "enter", "inside", at: 60, region: "hall")],
      later: [event(43, "enter", "inside", at: 724.2, reason: sighting)])
    #expect(
      text == """
        Event 42: "entrance" was left at 2020-02-09 12:56:44.779Z, because none of its beacons was heard for its exit delay of 30s.
        Beacon 1/5 of 8ec76ea3-6668-48da-9866-75be8bc86f4d was last heard 30.0 s before, at 2020-02-09 12:56:14.779Z, by hci0, with -78.2 dBm over 212 sightings: 6.2 m ± 3.4 away, far.
        It had been inside for 12 min, since event 40.
        4.2 s later, it became inside (event 43): the visitor may not have left, and an exit-delay of more than 34 s would have prevented both events.
        It is in journal J.

        Around it:
             40  2020-02-09 12:44:44.779Z  enter  entrance      1/5     6.2 m ± 3.4  silence: last seen 30.0 s before
             41  2020-02-09 12:45:44.779Z  enter  hall          1/5     6.2 m ± 3.4  silence: last seen 30.0 s before
        >    42  2020-02-09 12:56:44.779Z  exit   entrance      1/5     6.2 m ± 3.4  silence: last seen 30.0 s before
             43  2020-02-09 12:56:48.979Z  enter  entrance      1/5     6.2 m ± 3.4  sighting: first heard by hci0
        """)
  }

  @Test func `the duration of a state spans from one change to the next, across other events of the visit`() {
    let (enter, dwell, exit) = (
      event(1, "enter", "inside", at: 0, reason: sighting), event(2, "dwell", "inside", at: 300), event(3, "exit", "outside", at: 720)
    )
    let explanation = EventExplanation(style: plain)
    #expect(explanation.text(enter, earlier: [], later: [dwell, exit]).contains("12 min later, it became outside (event 3)."))
    #expect(explanation.text(exit, earlier: [enter, dwell], later: []).contains("It had been inside for 12 min, since event 1."))
    let visit = explanation.text(dwell, earlier: [enter], later: [exit])
    #expect(
      visit.contains("It had been inside for 5 min, since event 1.") && visit.contains("7 min later, it became outside (event 3).")
    )
  }

  @Test func `an explained enter names the beacon, and a single event has no neighbours`() {
    let text = EventExplanation(style: plain).text(event(7, "enter", "inside", at: 0, reason: sighting), earlier: [], later: [])
    let sentences = text.split(separator: "\n").prefix(3)
    #expect(
      sentences == [
        "Event 7: \"entrance\" was entered at 2020-02-09 12:44:44.779Z, because one of its beacons was heard.",
        "Beacon 1/5 of 8ec76ea3-6668-48da-9866-75be8bc86f4d was heard then, by hci0, with -78.2 dBm over 1 sighting: 6.2 m ± 3.4 away, far.",
        "It is in journal J.",
      ])
  }

  @Test func `an explanation marks unknown values, and names the threshold that was crossed`() {
    let bare = Event.of([
      "sequence": .count(1), "event": .text("state"), "region": .text("r"), "state": .text("unknown"), "durable": .flag(false),
      "journal": .text("J"),
    ])
    #expect(
      EventExplanation(style: plain).text(bare, earlier: [], later: []).split(separator: "\n").prefix(3) == [
        "Event 1: \"r\" became unknown, without a crossing, at an unknown time.", "None of its beacons had been heard.",
        "It is in memory only, in journal J.",
      ])
    let departure = Record(["cause": .text("departure"), "threshold": .metres(4.5)])
    #expect(
      EventExplanation(style: plain).text(event(2, "exit", "outside", at: 0, reason: departure), earlier: [], later: [])
        .contains("because each of its beacons in range stayed beyond 4.50 m."))
  }

  @Test func `an explanation has a limited number of neighbouring events`() {
    let others = (1...20).map { event(UInt64($0), "enter", "inside", at: Double($0), region: "hall") }
    let text = EventExplanation(style: plain).text(event(21, "exit", "outside", at: 21), earlier: others, later: [])
    #expect(text.split(separator: "\n").count { $0.contains("hall") } == EventExplanation.neighbours)
  }

  @Test func `control characters in names do not reach the terminal`() {
    let hostile = Event.of([
      "sequence": .count(1), "event": .text("exit"), "region": .text("\u{1B}[2J"), "state": .text("\u{7}"), "journal": .text("\u{9B}"),
      "beacon": .record(Record(["uuid": .text(galleryUUID), "major": .short(1), "minor": .short(5)])), "distance": .metres(1),
      "reason": .record(Record(["cause": .text("sighting"), "adapter": .text("\u{1B}")])),
    ])
    let text = EventExplanation(style: plain).text(hostile, earlier: [], later: [])
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
  }
}
