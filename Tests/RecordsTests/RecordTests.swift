import Instants
import Records
import Testing

@Suite struct RecordTests {
  @Test func `keys keep their order, and unknown values are absent`() {
    let record = Record([
      "zebra": .text("a"), "absent": nil, "apple": .count(18_446_744_073_709_551_615), "minor": .short(7), "on": .flag(true),
      "time": .time(Instant(microseconds: 1_581_252_284_779_766)), "inner": .record(Record(["n": .integer(-3)])),
      "list": .list([Record(["a": .flag(false)]), Record()]),
    ])
    #expect(
      record.json
        == #"{"zebra":"a","apple":18446744073709551615,"minor":7,"on":true,"time":"2020-02-09T12:44:44.779766Z","inner":{"n":-3},"list":[{"a":false},{}]}"#
    )
  }

  @Test func `text is escaped as RFC 8259 requires`() {
    #expect(Record(["k\"": .text("a\"\\\n\r\t\u{1}é🙂")]).json == #"{"k\"":"a\"\\\n\r\t\u0001é🙂"}"#)
  }

  @Test(
    arguments: [
      (-63.449, 1, "-63.4"), (-63.45, 1, "-63.5"), (0.004, 2, "0.00"), (-0.004, 2, "0.00"), (2.996, 2, "3.00"), (12.3, 0, "12"),
      (1e11, 2, "100000000000.00"),
    ] as [(Double, Int, String)])
  func `a quantity has its fixed number of decimals`(value: Double, decimals: Int, text: String) {
    #expect(Record(["v": .quantity(value, decimals: decimals)]).json == "{\"v\":\(text)}")
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
  func `a quantity that is not a number is omitted`(value: Double) {
    #expect(Record(["v": .quantity(value, decimals: 2), "w": .flag(true)]).json == #"{"w":true}"#)
  }
}
