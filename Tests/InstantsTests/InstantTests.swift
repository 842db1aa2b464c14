import Instants
import Testing

@Suite struct InstantTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000000Z"),
      (1_581_252_284_779_766, "2020-02-09T12:44:44.779766Z"),
      (951_782_399_000_001, "2000-02-28T23:59:59.000001Z"),
      (951_868_800_000_000, "2000-03-01T00:00:00.000000Z"),
      (4_107_542_400_000_000, "2100-03-01T00:00:00.000000Z"),
      (-1, "1969-12-31T23:59:59.999999Z"),
      (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
      (.min, "-290308-12-21T19:59:05.224192Z"),
      (.max, "294247-01-10T04:00:54.775807Z"),
    ] as [(Int64, String)])
  func `an instant is written as RFC 3339 in UTC`(microseconds: Int64, expected: String) {
    #expect(Instant(microseconds: microseconds).rfc3339 == expected)
  }

  // The microseconds are those of Python's datetime.fromisoformat.
  @Test(
    arguments: [
      ("2020-02-09T12:44:44.779766Z", 1_581_252_284_779_766), ("2000-02-29 00:00:00z", 951_782_400_000_000),
      ("1969-12-31t23:59:59.9Z", -100_000), ("2026-11-21T01:30:00+05:30", 1_795_204_800_000_000),
      ("2026-11-20T15:00:00.000001-05:00", 1_795_204_800_000_001), ("0001-01-01T00:00:00Z", -62_135_596_800_000_000),
      ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999), ("2016-12-31T23:59:60Z", 1_483_228_800_000_000),
    ] as [(String, Int64)])
  func `an instant is read from RFC 3339 with any offset`(text: String, microseconds: Int64) {
    #expect(Instant(rfc3339: text)?.microseconds == microseconds)
  }

  @Test(
    arguments: [
      "", "2020-02-09", "2020-02-09T12:44:44", "2021-02-29T00:00:00Z", "2020-13-01T00:00:00Z", "2020-01-01T24:00:00Z",
      "2020-01-01T00:00:00.Z",
      "2020-01-01T00:00:00.1234567Z", "2020-01-01T00:00:00+5:00", "2020-01-01T00:00:00Zx", "+020-01-01T00:00:00Z",
    ])
  func `malformed text is not an instant`(text: String) {
    #expect(Instant(rfc3339: text) == nil)
  }

  @Test func `the instant never stays never after arithmetic`() {
    #expect(Instant.never + .seconds(1) == .never)
    #expect(Instant.never - Instant(microseconds: -5) == Span(microseconds: .max))
  }

  @Test(
    arguments: [
      ("30s", 30_000_000), ("2m", 120_000_000), ("1h", 3_600_000_000), ("30d", 2_592_000_000_000), ("250ms", 250_000), ("1.5s", 1_500_000),
    ] as [(String, Int64)])
  func `a duration is read with its unit`(text: String, microseconds: Int64) {
    #expect(Span(text: text) == Span(microseconds: microseconds))
  }

  @Test(arguments: ["", "30", "s", "-3s", "3 s", "1..5s", ".5s", "5.s", "1e3s", "nans", "infs", "٣s", "99999999999999d", "3S"])
  func `a malformed duration is refused`(text: String) {
    #expect(Span(text: text) == nil)
  }

  @Test(arguments: ["30s", "2m", "1h", "3d", "1500ms", "0s"])
  func `a duration is written in the form in which it is read`(text: String) {
    #expect(Span(text: text)?.text == text)
  }
}
