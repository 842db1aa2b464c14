import Events
import Locations
import RadioHealth
import Ranging
import Records
import ShareReports
import Status
import Testing

/// Every value that crosses the bus in a record.
@Suite struct RecordRoundTripTests {
  @Test(
    arguments: [
      Samples.monitor, Samples.monitor.refusedReload!, Samples.monitor.configuration!,
      Samples.monitor.configuration!.files![0], Samples.source, Samples.statistics, Samples.journal, Samples.monitor.registrations!,
      Samples.advertised, Samples.location, Samples.locationSource, Samples.lines, Samples.heading, Samples.monitor.locationSwitches![0],
      Samples.locationServices, Samples.adapter, Samples.region, Samples.report, Samples.privacy, Samples.decision, Samples.claim,
      Samples.request, Samples.use, Samples.registration, Samples.beacon, Samples.scan, Samples.scanGroup,
      Samples.scanBeacon, Samples.ownShare, Samples.ownShare.recipients![0], Samples.friend,
    ] as [any RecordRepresentable])
  func `a value with every property is the same after it was encoded and decoded`(value: any RecordRepresentable) throws {
    try checkRoundTrip(value)
    checkWrongTypes(value)
  }

  private func checkRoundTrip<Value: RecordRepresentable>(_ value: Value) throws {
    #expect(value.record.keys == Value.fields.map(\.key), "\(Value.self)")
    #expect(Set(value.record.keys).count == Value.fields.count, "\(Value.self)")
    #expect(Value(value.record) == value)
    #expect(try Value(Record(json: value.record.json)) == value)
    #expect(try Value.formatted(Record(json: value.record.json)) == value.record, "\(Value.self)")
    #expect(Value(Record()) == Value() && Value().record == Record())
  }

  /// Checks that a key of another type, as from a daemon of another version, changes no other property.
  private func checkWrongTypes<Value: RecordRepresentable>(_ value: Value) {
    for field in Value.fields {
      var (wrong, missing) = (Record(["unknown": .flag(true)]), Record())
      for (key, item) in value.record.fields {
        wrong.append(key, key != field.key ? item : field.signature == "s" ? .flag(true) : .text("?"))
        missing.append(key, key != field.key ? item : nil)
      }
      #expect(Value(wrong).record == missing, "\(Value.self).\(field.key)")
    }
  }

  @Test func `a formatted record keeps the keys that this version does not know`() throws {
    let record = try Record(json: #"{"boundaryDistance":-35,"state":"dreaming","since":"2027-01-15T08:00:00Z","mood":1.5}"#)
    let formatted = RegionStatus.formatted(record)
    #expect(formatted["boundaryDistance"] == .metres(-35) && formatted["state"] == .text("dreaming"))
    #expect(formatted["mood"] == .quantity(1.5, decimals: 1) && formatted.keys == record.keys)
  }

  @Test func `a text that this version does not know is not a state`() {
    #expect(AdapterStatus(Record(["state": .text("dreaming")])).state == nil)
    #expect(SourceStatus(Record(["sourceState": .text("none")])).state == .nothing)
  }

  @Test func `a value without properties of its own kind keeps those inside`() {
    let region = RegionStatus(Record(["state": .text("inside"), "identifier": .text("hall")]))
    #expect(region.report.state == .inside && region.identifier == "hall")
  }
}
