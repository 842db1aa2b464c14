import Beacons
import Events
import Instants
import Status
import Terminal
import Testing

/// Expected beacons in the texts of status, monitor and explain.
@Suite struct ExpectedBeaconTextTests {
  private func expected(_ minor: UInt16, _ kind: Event.Kind? = nil, _ cause: Event.Cause? = nil) -> BeaconStatus {
    var status = BeaconStatus()
    (status.major, status.minor, status.isLearned, status.lastSeen) = (1, minor, true, Instant(microseconds: 0))
    if let kind {
      var problem = BeaconStatus.Problem()
      (problem.event, problem.since, problem.cause) = (kind, Instant(microseconds: 1_000_000), cause)
      status.problems = [problem]
    }
    return status
  }

  private func event(_ kind: Event.Kind, _ reason: Event.Reason, ended: Event.Kind? = nil) -> Event {
    var event = Event(sequence: 42, kind: kind, time: Instant(microseconds: 0), reason: reason)
    (event.beacon, event.placeName, event.ended) = (beacon(1, 5), "Lodestone", ended)
    return event
  }

  @Test func `the status counts the expected beacons and lists those with problems`() {
    var missing = expected(2, .beaconMissing, .silence)
    missing.place = "Lodestone"
    var low = expected(3, .beaconWeak, .battery)
    low.battery = 2.1
    var moved = expected(4, .beaconMoved, .level)
    (moved.rssi, moved.usualRSSI) = (-81.4, -61.2)
    var status = MonitorStatus()
    (status.beacons, status.beaconNote) = ([expected(1), missing, low, moved, expected(5, .beaconDuplicate, .addresses)], "check it")
    let lines = StatusText(style: plain).text(status).split(separator: "\n").map { String($0) }
    let start = lines.firstIndex { $0.hasPrefix("beacons") } ?? 0
    #expect(
      lines.dropFirst(start).prefix(6) == [
        "beacons    1 of 5 expected without a problem",
        "           1/2 (Lodestone) is missing since 1970-01-01 00:00:01Z, last heard 1970-01-01 00:00:00Z",
        "           1/3 has a low battery since 1970-01-01 00:00:01Z, 2.10 V",
        "           1/4 seems to have moved since 1970-01-01 00:00:01Z, -81 dBm, usually -61 dBm",
        "           1/5 seems to have a copy since 1970-01-01 00:00:01Z",
        "           check it",
      ])
  }

  @Test func `an event line and its explanation have the evidence`() {
    var reason = Event.Reason(.silence)
    (reason.lastSeenAge, reason.longestGap) = (303, .seconds(100))
    let missing = event(.beaconMissing, reason)
    let line = EventLine(style: plain, units: Units(isMetric: true))
    #expect(
      line.text(missing)
        == "1970-01-01 00:00:00.000Z  missing  Lodestone       1/5               –  not heard for 5 min, usually at most 100 s")
    // The columns of a region's event are at the same places.
    var enter = Event(sequence: 1, kind: .enter, region: "hall", time: Instant(microseconds: 0))
    enter.beacon = beacon(1, 5)
    #expect(line.text(enter) == "1970-01-01 00:00:00.000Z  enter  hall              1/5               –")
    let found = event(.beaconRecovered, Event.Reason(.sighting), ended: .beaconMissing)
    #expect(line.text(found).hasSuffix("recovered  Lodestone      1/5               –  no longer missing: heard again"))
    let text = EventExplanation(style: plain).text(missing, earlier: [], later: [found])
    #expect(
      text.hasPrefix(
        "Event 42: beacon 1/5 of 00000000-0000-0001-0000-000000000002 at \"Lodestone\" was missing at 1970-01-01 00:00:00.000Z: not heard"))
  }
}
