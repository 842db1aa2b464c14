import Foundation
import TestSupport
import Testing

/// Hostile clients on the bus, and an honest client among them.
@Suite struct BusFuzzTests {
  @Test func `hostile clients neither stop the daemon nor grow its memory, and it continues to serve others`() throws {
    let seed = ProcessInfo.processInfo.environment["BEACONMON_SEED"].flatMap { Int($0) } ?? Int.random(in: 0..<1_000_000)
    print("bus_fuzzer: seed \(seed)")
    let seconds = Soak.isOn ? 600.0 : 60
    let scene = try SessionScene(config: LocationScene.fixed + "\n" + Stage.hall)
    let honest = try RunningProgram(Programs.python, [Programs.peer("honest.py"), scene.stage.bus.address, CaptureOctets.uuid])
    _ = try honest.output.next("an honest client") { $0 == "READY" }
    let warmUp = try fuzz(scene, seconds: 10, seed: seed + 1)
    _ = try warmUp.output.next("the warm-up's end")
    let before = try MemoryStatus(scene.daemon.pid)
    let fuzzer = try fuzz(scene, seconds: seconds, seed: seed)
    // The beacon is present for five seconds and absent for five.
    let start = Date()
    var clock = 1.0
    while Date().timeIntervalSince(start) < seconds {
      if Int(clock) / 5 % 2 == 0 { try scene.feed.hear(minor: 1, at: clock) } else { try scene.feed.hear(minor: 9, at: clock) }
      clock += 0.25
      // The pace of the capture's clock, beside the fuzzer.
      usleep(250_000)
    }
    let totals = try JSON(parsing: try fuzzer.output.next("the fuzzer's end", within: 60))
    try scene.client.ping()
    let after = try MemoryStatus(scene.daemon.pid)
    try honest.input.close()
    let report = try JSON(parsing: try honest.output.next("the honest client's report"))
    let figures = try totals.line
    let burst = try #require(report["burst"]?.number)
    let latencies = try "\((report["daemon"] ?? .null).line) ms, bus \((report["bus"] ?? .null).line) ms, burst \(burst) ms"
    print("bus_fuzzer: \(figures), \(before) before, \(after) after; honest: \(latencies)")
    #expect((totals["messages"]?.number ?? 0) > seconds * 100, "seed \(seed)")
    #expect(after.anonymousKiB - before.anonymousKiB <= 1024, "seed \(seed)")
    #expect(report["failures"] == [] && report["stopped"] == [], "seed \(seed)")
    let times = (report["times"]?.list ?? []).compactMap(\.number)
    #expect(times.count > Int(clock) / 2, "seed \(seed)")
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 1_000_000 }, "seed \(seed)")
    let events = (report["events"]?.list ?? []).compactMap(\.number)
    #expect(events.count > Int(clock) / 10, "seed \(seed)")
    #expect(events == (1...max(1, events.count)).map(Double.init), "seed \(seed)")
    // 50 ms at p99. The bus' own delay depends on the machine and the other clients. On a busy machine a call through two programs waits
    // more often than a call to the bus. A call that waits for other clients' calls does so nearly always.
    // A call also waits for the bursts of the hostile clients, for which a debug build needs three times as long as a release build. On a
    // busy machine, p90 and p99 were at most 3.2 and 10.4 times the processor time of a burst.
    let (daemon, bus) = (try percentiles(report["daemon"]), try percentiles(report["bus"]))
    #expect(daemon[0] < max(25, 3 * bus[0], 6 * burst), "seed \(seed)")
    #expect(daemon[1] < max(50, 10 * bus[1], 16 * burst), "seed \(seed)")
    scene.daemon.signal(SIGTERM)
    #expect(try scene.daemon.exitStatus() == 0, "seed \(seed)")
  }

  /// Returns p90 and p99 in milliseconds.
  private func percentiles(_ list: JSON?) throws -> [Double] {
    let numbers = (list?.list ?? []).compactMap(\.number)
    return try #require(numbers.count == 2 ? numbers : nil)
  }

  private func fuzz(_ scene: SessionScene, seconds: Double, seed: Int) throws -> RunningProgram {
    try RunningProgram(Programs.python, [Programs.peer("bus_fuzzer.py"), scene.stage.bus.address, "\(seconds)", "\(seed)"])
  }
}
