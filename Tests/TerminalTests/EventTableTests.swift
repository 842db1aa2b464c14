import Foundation
import Records
import TestSupport
import Testing

@testable import Terminal

@Suite struct EventTableTests {
  @Test func `an event is one line with a field for each column, empty where nothing is known`() {
    let event = Record([
      "sequence": .count(2), "event": .text("exit"), "region": .text("Hall, \"east\""), "time": .time(start), "rssi": .rssi(-65.25),
      "beacon": .record(Record(["minor": .short(11)])), "reason": .record(Record(["cause": .text("silence"), "exitDelay": .text("30s")])),
      "journal": .text("J"), "durable": .flag(true),
    ])
    #expect(
      EventTable.line(event)
        == "J,2,2020-02-09T12:44:44.779766Z,exit,\"Hall, \"\"east\"\"\",,,,,11,-65.3,,,,silence,,,,,30s,,,true,,,,,,,,,,\r\n")
    #expect(EventTable.header.hasPrefix("journal,sequence,time,event,region,kind,state,uuid,major,minor,rssi,"))
  }

  @Test func `every line has as many fields as the header`() {
    #expect(
      EventTable.header.split(separator: ",").count
        == EventTable.line(Record()).split(separator: ",", omittingEmptySubsequences: false).count)
  }

  @Test func `a circle's fix, its distance from the boundary and the state of the clock have columns`() {
    let event = Record([
      "event": .text("enter"), "boundaryDistance": .metres(-35.2),
      "location": .record(
        Record([
          "latitude": .quantity(48.1, decimals: 7), "longitude": .quantity(11.5, decimals: 7), "horizontalAccuracy": .metres(8),
          "speed": .quantity(1.25, decimals: 2),
        ])),
      "reason": .record(Record(["hold": .text("20s"), "fixTime": .time(start), "fixAge": .quantity(0.5, decimals: 3)])),
      "clockSynchronised": .flag(false),
    ])
    #expect(EventTable.line(event).hasSuffix(",48.1000000,11.5000000,8.00,1.25,-35.20,20s,2020-02-09T12:44:44.779766Z,0.500,false,\r\n"))
  }

  @Test func `every documented key of an event has a column, and every column is documented`() throws {
    let text = try String(contentsOfFile: Fixture.repository("Docs/events.md"), encoding: .utf8)
    // Of a row of one of the two tables: its key, and the keys that its meaning names where it is an object.
    var documented: Set<String> = []
    for line in text.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      let key = cells[0].trimmingCharacters(in: ["`"])
      guard cells[1] == "object" else {
        documented.insert(key)
        continue
      }
      guard key != "reason" else { continue }
      let inner = cells[3].matches(of: /`([a-z]+[A-Za-z]{2,})`/).map { String($0.1) }
      #expect(!inner.isEmpty, "the keys of \(key) are not in its row")
      documented.formUnion(inner)
    }
    #expect(documented.isSuperset(of: ["sequence", "uuid", "latitude", "cause", "clockSynchronised"]))
    let columns = EventTable.header.split { $0 == "," || $0.isNewline }.map(String.init)
    #expect(Set(columns) == documented.subtracting(EventTable.keysWithoutColumn))
    #expect(columns.count == Set(columns).count)
  }
}
