import Diagnostics
import Events
import Records
import TestSupport
import Testing

@Suite struct LogMessageTests {
  @Test func `a log line about an event has the fields of the event and its adapter`() {
    let event = Event.of([
      "sequence": .count(12), "event": .text("enter"), "region": .text("hall"), "reason": .record(Record(["adapter": .text("hci0")])),
    ])
    #expect(
      LogMessage.commandDone.fields(of: event) == [
        "MESSAGE_ID": LogMessage.commandDone.rawValue, "REGION": "hall", "EVENT": "enter", "SEQUENCE": "12", "ADAPTER": "hci0",
      ])
  }

  @Test func `an unknown value has no field`() {
    #expect(LogMessage.configurationRead.fields() == ["MESSAGE_ID": LogMessage.configurationRead.rawValue])
  }

  @Test func `every kind of log line has its own 128-bit id`() {
    let ids = LogMessage.allCases.map(\.rawValue)
    #expect(Set(ids).count == ids.count)
    #expect(ids.allSatisfy { $0.count == 32 && UInt64($0.prefix(16), radix: 16) != nil && UInt64($0.suffix(16), radix: 16) != nil })
  }
}
