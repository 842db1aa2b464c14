import Instants
import Records
import Testing

@Suite struct RecordValueTextTests {
  @Test(
    arguments: [
      (.text("a b"), "a b"), (.count(.max), "18446744073709551615"), (.integer(-3), "-3"), (.short(65535), "65535"), (.flag(true), "true"),
      (.metres(2.314), "2.31"), (.rssi(-0.04), "0.0"), (.quantity(.infinity, decimals: 1), nil),
      (.time(Instant(microseconds: 0)), "1970-01-01T00:00:00.000000Z"), (.record(Record()), nil), (.list([]), nil),
    ] as [(RecordValue, String?)])
  func `a value reads as plain text`(value: RecordValue, text: String?) {
    #expect(value.plainText == text)
  }
}
