import Foundation
import Testing

/// What the daemon takes from a device, with the gallery's capture played to its end.
@Suite(
  .enabled(
    if: Programs.areForRelease,
    "the figures are those of the release build: swift build -c release --static-swift-stdlib, then BEACONMON_PROGRAMS=.build/release"))
struct FootprintTests {
  @Test func `at most 12 MiB, one thread, and no wake-up in ten idle seconds`() throws {
    let stage = try Stage()
    let listener = try stage.listener()
    let daemon = try stage.daemon(config: Stage.walkConfig, source: Stage.walk, speed: "50")
    _ = try listener.next("the end of the walk") { $0.saysPaused }
    let before = try ProcessStatus(daemon.pid)
    print("beaconmond: VmRSS \(before.residentKiB) KiB, VmHWM \(before.peakKiB) KiB, \(before.threads) thread")
    #expect(before.residentKiB <= 12 * 1024)
    #expect(before.peakKiB <= 12 * 1024)
    #expect(before.threads == 1)
    sleep(10)
    #expect(try ProcessStatus(daemon.pid).voluntarySwitches == before.voluntarySwitches)
    daemon.signal(SIGTERM)
  }
}

/// /proc/PID/status: proc(5).
private struct ProcessStatus {
  let residentKiB: Int
  let peakKiB: Int
  let threads: Int
  /// How often it gave up the processor by itself: each wake-up ends with one.
  let voluntarySwitches: Int

  init(_ pid: Int32) throws {
    let lines = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8).split(separator: "\n")
    func number(_ key: String) throws -> Int {
      let line = try #require(lines.first { $0.hasPrefix("\(key):") })
      return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
    }
    residentKiB = try number("VmRSS")
    peakKiB = try number("VmHWM")
    threads = try number("Threads")
    voluntarySwitches = try number("voluntary_ctxt_switches")
  }
}
