import Events
import Instants
import Records
import Terminal
import TestSupport
import Testing

@Suite struct EventLineTests {
  private func event(_ kind: String, state: String, isHeard: Bool = true, reason: Record) -> Event {
    Event.of([
      "sequence": .count(1), "event": .text(kind), "region": .text("entrance"), "kind": .text("beacon"), "time": .time(start),
      "state": .text(state),
      "beacon": isHeard ? .record(Record(["uuid": .text(galleryUUID), "major": .short(1), "minor": .short(5)])) : nil,
      "distance": isHeard ? .metres(2.314) : nil, "accuracy": isHeard ? .metres(1.234) : nil, "reason": .record(reason),
    ])
  }

  @Test func `each cause has its own text`() {
    let events = [
      event("enter", state: "inside", reason: Record(["cause": .text("approach"), "threshold": .metres(3)])),
      event("exit", state: "outside", reason: Record(["cause": .text("departure"), "threshold": .metres(4.5)])),
      event("enter", state: "inside", reason: Record(["cause": .text("sighting"), "adapter": .text("hci0")])),
      event(
        "exit", state: "outside",
        reason: Record(["cause": .text("silence"), "lastSeenAge": .quantity(30, decimals: 3), "exitDelay": .text("30s")])),
      event("state", state: "outside", isHeard: false, reason: Record(["cause": .text("silence"), "exitDelay": .text("30s")])),
      event("state", state: "unknown", reason: Record(["cause": .text("receiverLost")])),
      event("dwell", state: "inside", reason: Record(["cause": .text("stay"), "dwell": .text("2m")])),
      event("exit", state: "outside", reason: Record(["cause": .text("outage")])),
      event("enter", state: "inside", reason: Record()),
    ]
    let lines = events.map { EventLine(style: plain).text($0) }
    #expect(
      lines == [
        "2020-02-09 12:44:44.779Z  enter  entrance          1/5     2.3 m ± 1.2  approach: stayed within 3.0 m",
        "2020-02-09 12:44:44.779Z  exit   entrance          1/5     2.3 m ± 1.2  departure: stayed beyond 4.5 m",
        "2020-02-09 12:44:44.779Z  enter  entrance          1/5     2.3 m ± 1.2  sighting: first heard by hci0",
        "2020-02-09 12:44:44.779Z  exit   entrance          1/5     2.3 m ± 1.2  silence: last seen 30.0 s before",
        "2020-02-09 12:44:44.779Z  state  entrance            –               –  outside; silence: nothing heard for 30s",
        "2020-02-09 12:44:44.779Z  state  entrance          1/5     2.3 m ± 1.2  unknown; receiverLost: its receiver is unavailable",
        "2020-02-09 12:44:44.779Z  dwell  entrance          1/5     2.3 m ± 1.2  stay: for 2m",
        "2020-02-09 12:44:44.779Z  exit   entrance          1/5     2.3 m ± 1.2  outage: the daemon was down for too long",
        "2020-02-09 12:44:44.779Z  enter  entrance          1/5     2.3 m ± 1.2",
      ])
  }

  @Test func `an event names the place of its beacon after the reason`() {
    var event = event("enter", state: "inside", reason: Record(["cause": .text("sighting"), "adapter": .text("hci0")]))
    event.placeName = "Lodestone"
    #expect(EventLine(style: plain).text(event).hasSuffix("  sighting: first heard by hci0, beacon at Lodestone"))
  }

  @Test func `a circle shows the distance and side of its boundary`() {
    func event(_ kind: String, _ state: String, _ boundary: Double?, _ reason: Record) -> Event {
      Event.of([
        "event": .text(kind), "region": .text("shop"), "kind": .text("circle"), "time": .time(start), "state": .text(state),
        "boundaryDistance": boundary.map { .metres($0) }, "reason": .record(reason),
      ])
    }
    let lines = [
      event("enter", "inside", -35.2, Record(["cause": .text("approach"), "threshold": .metres(100), "hold": .text("20s")])),
      event("cross", "outside", 420, Record(["cause": .text("passage"), "threshold": .metres(100)])),
      event("state", "unknown", nil, Record(["cause": .text("locationLost")])),
    ].map { EventLine(style: plain, units: Units(isMetric: true)).text($0) }
    #expect(
      lines == [
        "2020-02-09 12:44:44.779Z  enter  shop           circle     35 m inside  approach: stayed within 100 m",
        "2020-02-09 12:44:44.779Z  cross  shop           circle   420 m outside  passage: between two fixes",
        "2020-02-09 12:44:44.779Z  state  shop           circle               –  unknown; locationLost: location unknown",
      ])
  }

  @Test func `long names are not truncated`() {
    let record = Event.of([
      "event": .text("dwell"), "region": .text("entrance"), "time": .time(start),
      "beacon": .record(Record(["uuid": .text(galleryUUID), "major": .short(65535), "minor": .short(65535)])),
      "distance": .metres(123456.789),
      "accuracy": .metres(98765.4),
    ])
    let line = EventLine(style: ascii, regionWidth: 4).text(record)
    #expect(line == "2020-02-09 12:44:44.779Z  dwell  entrance  65535/65535  123000 m +- 99000")
  }

  @Test func `control characters in names do not reach the terminal`() {
    let record = Event.of([
      "region": .text("\r\u{7}"), "reason": .record(Record(["cause": .text("sighting"), "adapter": .text("\u{9B}0m")])),
    ])
    let line = EventLine(style: plain).text(record)
    #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
  }
}
