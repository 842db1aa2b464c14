import Beacons
import Events
import Foundation
import Instants
import Records
import TestSupport
import Testing

@Suite struct EventFormatTests {
  @Test func `every value survives writing and reading`() throws {
    let event = try Samples.event()
    let json = """
      {"sequence":2,"event":"exit","firstSequence":1,"region":"hall","kind":"circle","time":"2020-02-09T12:44:44.779766Z","state":"outside",\
      "beacon":{"uuid":"8ec76ea3-6668-48da-9866-75be8bc86f4d","major":1,"minor":11},"rssi":-65.3,"distance":2.07,"accuracy":1.24,\
      "distanceMethod":"bayesian","proximity":"near","place":"Lodestone","placeId":"lodestone","floor":-1,"levelName":"Basement","location":{"latitude":48.1000000,"longitude":11.5000000,"horizontalAccuracy":8.00,"speed":1.25},\
      "boundaryDistance":-35.20,"appointment":"Tour","appointmentTime":"2020-02-09T12:44:44.779766Z","travelTime":"90s","travelDistance":120.5,"ended":"beacon-missing","battery":2.95,"temperature":21.5,"alert":"device-silent","alertId":7,"site":"berlin","device":"door","text":"no message","duration":"17m","reason":{"cause":"silence","lastSeen":"2020-02-09T12:44:44.779766Z","lastSeenAge":0.500,"samples":13,\
      "threshold":3.00,"exitDelay":"30s","hold":"20s","fixTime":"2020-02-09T12:44:44.779766Z","fixAge":0.250,"probability":0.87,"dwell":"2m","longestGap":"95s","usualRssi":-60.5,"otherRssi":-80.5,"displacement":12.5,"adapter":"hci0"},\
      "clockSynchronised":false,"appId":"org.example.App","journal":"3f0c9a52-6c0e-4a53-9d0b-1c5a0f6b7e11","durable":true,"test":true}
      """
    #expect(event.json == json)
    #expect(try Event(json: json).json == json)
    var rounded = event
    rounded.rssi = -65.3
    #expect(try Event(json: json) == rounded)
  }

  @Test func `the sample has a value for every key`() throws {
    let record = try Samples.event().record
    for field in Event.fields {
      #expect(record[field.key] != nil, "\(field.key)")
      for part in field.parts { #expect(record[field.key]?.record?[part.key] != nil, "\(field.key).\(part.key)") }
    }
  }

  @Test func `every property of an event and of its parts is a field`() throws {
    let event = try Samples.event()
    func count(_ value: Any?) -> Int { value.map { Mirror(reflecting: $0).children.count } ?? 0 }
    func parts(_ key: String) -> Int { Event.fields.first { $0.key == key }?.parts.count ?? -1 }
    #expect(count(event) == Event.fields.count)
    #expect(count(event.reason) == parts("reason") && count(event.beacon) == parts("beacon") && count(event.location) == parts("location"))
  }

  @Test func `an invalid value of a key becomes nil, and the rest is read`() throws {
    let event = try Event(
      json:
        #"{"sequence":7,"event":"visit","region":"hall","state":"near","color":"red","beacon":{"uuid":"x"},"reason":{"cause":"moonlight","samples":3}}"#
    )
    #expect(event.sequence == 7 && event.region == "hall" && event.reason.samples == 3)
    #expect(event.kind == nil && event.state == nil && event.beacon == nil && event.reason.cause == nil)
  }

  @Test(arguments: ["{}", #"{"event":"enter"}"#, #"{"sequence":-1}"#, #"{"sequence":"3"}"#, "[]", ""])
  func `a text without a sequence number is not an event`(json: String) {
    #expect(throws: JSONError.self) { try Event(json: json) }
  }

  @Test func `times and shorts are also read as the plain numbers of a D-Bus binding`() throws {
    let event = try #require(
      Event(
        Record([
          "sequence": .count(1), "time": .count(1_581_252_284_779_766),
          "beacon": .record(
            Record(["uuid": .text("8ec76ea3-6668-48da-9866-75be8bc86f4d"), "major": .count(1), "minor": .count(65_535)])),
        ])))
    #expect(event.time == Samples.time && event.beacon?.minor == 65_535)
  }

  @Test func `damaged events contain their numbers`() {
    let (one, many) = (Event.damaged(3...3, .unreadable, time: Samples.time), Event.damaged(17...20, .missing))
    #expect(one.damagedSequences == 3...3 && one.damagedEvents == "event 3" && one.firstSequence == nil)
    #expect(many.damagedSequences == 17...20 && many.damagedEvents == "events 17 to 20" && many.sequence == 20)
    #expect(Event.damaged(1...1, .unreadable, time: Instant(microseconds: -1)).time == nil)
  }

  @Test func `the tables in the documents list every key with its types, in the order of the fields`() throws {
    let text = try String(contentsOfFile: Fixture.repository("Docs/events.md"), encoding: .utf8)
    var rows: [String] = []
    for line in text.split(separator: "\n") where line.hasPrefix("| `") {
      rows.append(line.split(separator: "|").prefix(3).map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " | "))
    }
    let reason = Event.fields.first { $0.key == "reason" }
    let fields = Event.fields.map { "`\($0.key)` | \($0.jsonType) | `\($0.signature)`" }
    let parts = (reason?.parts ?? []).map { "`\($0.key)` | \($0.jsonType) | `\($0.signature)`" }
    #expect(
      rows.map { $0.replacingOccurrences(of: ", UTC, µs", with: "").replacingOccurrences(of: "`, µs since 1970", with: "`") } == fields
        + parts)
    for field in Event.fields where field.key != "reason" {
      let row = text.split(separator: "\n").first { $0.hasPrefix("| `\(field.key)`") } ?? ""
      for part in field.parts { #expect(row.contains("`\(part.key)`"), "\(field.key).\(part.key) in Docs/events.md") }
    }
  }

  @Test func `the table in the manual of the notifier lists the variable of every key with its type, in the order of the fields`() throws {
    let text = try String(contentsOfFile: Fixture.repository("Docs/man/beaconmon-notifier.8"), encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix(".It Ev BEACONMON_") }.map { line in
      line.dropFirst(".It Ev ".count).components(separatedBy: " Ta ").prefix(2).joined(separator: " | ")
    }
    func variable(_ path: String...) -> String {
      "BEACONMON_"
        + path.map { $0.replacing(/[A-Z]/) { "_\($0.output)" }.uppercased() }.joined(separator: "_")
    }
    let expected = Event.fields.flatMap { field in
      field.parts.isEmpty
        ? ["\(variable(field.key)) | \(field.jsonType)"]
        : field.parts.map { "\(variable(field.key, $0.key)) | \($0.jsonType)" }
    }
    #expect(rows == expected)
  }
}
