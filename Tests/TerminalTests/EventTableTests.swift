import Records
import Terminal
import Testing

@Suite struct EventTableTests {
  @Test func `an event is one line with a field for each column, empty where nothing is known`() {
    let event = Record([
      "sequence": .count(2), "event": .text("exit"), "region": .text("Hall, \"east\""), "time": .time(start), "rssi": .rssi(-65.25),
      "beacon": .record(Record(["minor": .short(11)])), "reason": .record(Record(["cause": .text("silence"), "exitDelay": .text("30s")])),
      "journal": .text("J"), "durable": .flag(true),
    ])
    #expect(
      EventTable.line(event) == "J,2,2020-02-09T12:44:44.779766Z,exit,\"Hall, \"\"east\"\"\",,,,,11,-65.3,,,,silence,,,,,30s,,,true\r\n")
    #expect(EventTable.header.hasPrefix("journal,sequence,time,event,region,kind,state,uuid,major,minor,rssi,"))
  }

  @Test func `every line has as many fields as the header`() {
    #expect(
      EventTable.header.split(separator: ",").count
        == EventTable.line(Record()).split(separator: ",", omittingEmptySubsequences: false).count)
  }
}
