import Instants
import Records
import ShareReports
import Terminal
import Testing

@Suite struct ShareTextTests {
  private static let ends = Instant(microseconds: 1_800_000_000_000_000)
  private let text = ShareText(time: .utc)

  private static func friend(_ values: KeyValuePairs<String, RecordValue?>) throws -> FriendReport {
    var record = Record(["id": .text("6f0c"), "owner": .text("ada"), "purpose": .text("Lunch"), "ends": .time(ends)])
    record.append(Record(values))
    return try #require(FriendReport(record))
  }

  @Test func `a share has its end, its purpose, and the answers of its recipients`() throws {
    let recipients = [Record(["name": .text("ada"), "state": .text("accepted")]), Record(["name": .text("role:operator")])]
    var record = Record(["id": .text("6f0c"), "purpose": .text("Tour"), "ends": .count(1_800_000_000_000_000)])
    record.append("recipients", .list(recipients))
    let lines = "\n  Tour\n  ada  accepted\n  role:operator  not at the hub yet\n"
    #expect(text.text(OwnShareReport(record)) == "6f0c  until 2027-01-15 08:00:00Z" + lines)
    var idle = OwnShareReport(record)
    idle.isSending = false
    #expect(text.text(idle) == "6f0c  until 2027-01-15 08:00:00Z" + lines)
    record.append("sending", .flag(true))
    #expect(text.text(OwnShareReport(record)) == "6f0c  until 2027-01-15 08:00:00Z, sends the position" + lines)
  }

  @Test func `an offer has its purpose, its id and its end`() throws {
    let offer = try Self.friend(["state": .text("offered"), "tag": .text("badge")])
    #expect(text.text(offer) == "ada, badge  offers: Lunch\n  6f0c\n  Lunch, until 2027-01-15 08:00:00Z\n")
  }

  @Test func `an accepted share has the place, as far as it is known, with its time`() throws {
    #expect(text.line(try Self.friend(["state": .text("accepted")])) == "ada  no position yet")
    let unknown = try Self.friend(["state": .text("accepted"), "time": .time(Self.ends)])
    #expect(text.line(unknown) == "ada  position unknown  at 2027-01-15 08:00:00Z")
    let known = try Self.friend([
      "state": .text("accepted"), "time": .time(Self.ends), "room": .text("Lodestone"), "latitude": .quantity(48.123456, decimals: 1),
      "longitude": .quantity(11, decimals: 1), "level": .text("ground"),
    ])
    #expect(text.line(known) == "ada  room Lodestone · 48.12346, 11.00000 · level ground  at 2027-01-15 08:00:00Z")
  }
}
