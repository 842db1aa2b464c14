import Instants
import Testing

@testable import Terminal

@Suite struct TimeFormatTests {
  @Test func `UTC ends with a Z, local time has none and may be of another day`() {
    let kolkata = TimeFormat.fixed(.seconds(19_800))
    let late = Instant(rfc3339: "2026-11-21T23:59:59.999Z") ?? .never
    #expect(TimeFormat.utc.millisecond(late) == "2026-11-21 23:59:59.999Z")
    #expect(kolkata.millisecond(late) == "2026-11-22 05:29:59.999")
    #expect(kolkata.second(late) == "2026-11-22 05:29:59" && kolkata.clock(late) == "05:29:59" && kolkata.day(late) == "2026-11-22")
    for format in [TimeFormat.utc, kolkata] {
      #expect(format.millisecond(late).count == format.millisecondWidth)
      #expect(format.second(late).count == format.secondWidth && format.clock(late).count == format.clockWidth)
    }
  }
}
