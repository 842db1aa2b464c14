import Instants
import Regions
import TestSupport
import Testing

@Suite struct HeartbeatTests {
  private func sign(_ time: Instant, _ boot: String?, _ uptime: Double = 0) -> Heartbeat {
    Heartbeat(time: time, boot: boot, uptime: .seconds(uptime))
  }

  @Test func `the boot clock decides within one boot, however the wall clock is set`() {
    #expect(sign(.day(0), "A", 100).outage(until: sign(.day(5000), "A", 107)) == .seconds(7))
    #expect(sign(.day(5000), "A", 100).outage(until: sign(.day(0), "A", 107)) == .seconds(7))
    #expect(sign(.day(0), "A", 100).outage(until: sign(.day(0), "A", 90)) == .zero)
  }

  @Test func `the wall clock decides between boots`() {
    #expect(sign(.day(0), "A", 100).outage(until: sign(.day(1), "B", 5)) == .seconds(86_400))
  }

  @Test
  func `the length of an outage is unknown if the wall clock ran backward or was not set`() {
    let unset = Instant(microseconds: 20_000_000)
    #expect(sign(.day(0), "A", 100).outage(until: sign(unset, "B", 5)) == nil)
    #expect(sign(unset, "A", 100).outage(until: sign(.day(0), "B", 5)) == nil)
    #expect(sign(unset, "A", 100).outage(until: sign(unset, "B", 5)) == nil)
  }

  @Test func `a damaged heartbeat never traps`() {
    for value in [Int64.min, -1, 0, .max] {
      let damaged = Heartbeat(
        time: Instant(microseconds: value), boot: "A", uptime: Span(microseconds: value))
      #expect(damaged.outage(until: sign(.day(0), "A", 100)) ?? .zero >= .zero)
      #expect(damaged.outage(until: sign(.day(0), "B", 100)) ?? .zero >= .zero)
    }
  }

  @Test func `a capture uses only its own clock`() {
    #expect(sign(.day(0), nil).outage(until: sign(.day(1), nil)) == .seconds(86_400))
    #expect(sign(.day(1), nil).outage(until: sign(.day(0), nil)) == nil)
  }
}
