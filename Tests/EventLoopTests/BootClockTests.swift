import Foundation
import Instants
import Testing

@testable import EventLoop

@Suite struct BootClockTests {
  @Test func `a boot is named by the id of the kernel`() throws {
    let id = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
    #expect(BootClock.boot == id.trimmingCharacters(in: .newlines))
  }

  @Test func `the uptime grows and includes all time that the loop's clock counted`() throws {
    let loop = try Loop()
    let (monotonic, uptime) = (loop.now - Instant(microseconds: 0), BootClock.uptime)
    #expect(uptime >= monotonic)
    #expect(BootClock.uptime >= uptime)
  }

  @Test func `the specifier of a unit has the digits of the id`() throws {
    let boot = try #require(BootClock.boot)
    #expect(BootClock.uuid(boot.replacing("-", with: "")) == boot)
    for text in ["", boot, String(repeating: "g", count: 32)] { #expect(BootClock.uuid(text) == nil) }
  }
}
