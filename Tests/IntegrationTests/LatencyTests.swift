import Foundation
import TestSupport
import Testing

/// The delay of events and locations, by the wall clock.
@Suite struct LatencyTests {
  @Test func `an exit is reported within a second of its deadline, even in silence`() throws {
    let stage = try Stage()
    let config = try stage.file(
      "config.toml", "[[region]]\nidentifier = \"hall\"\nuuid = \"\(CaptureOctets.uuid)\"\nexit-delay = \"2s\"\n")
    let feed = try CaptureFeed(stage)
    let listener = try stage.listener()
    let daemon = try stage.daemon(config: config, source: feed.path, speed: "1")
    var best = Double.infinity
    // A machine that is busy with other tests may be late once, but not always.
    for visit in [0.0, 5, 10] where best >= 3 {
      let before = Date()
      try feed.hear(at: visit)
      _ = try listener.next("the enter") { $0.name == "RegionEvent" && $0.details?["event"] == "enter" }
      let start = Date()
      let exit = try listener.next("the exit") { $0.name == "RegionEvent" && $0.details?["event"] == "exit" }
      best = min(best, Date().timeIntervalSince(start))
      #expect(Date().timeIntervalSince(before) > 1.9)
      #expect(exit.details?["time"] == .number(Double(CaptureOctets.start) + (visit + 2) * 1e6))
    }
    #expect(best < 3)
    daemon.signal(SIGTERM)
  }

  @Test(.ofRelease) func `ninety-nine of a hundred locations reach a client within two milliseconds, or little later than a Ping`() throws {
    let folder = try TemporaryDirectory()
    let client = folder.file("fix")
    let source = Programs.repository("Benchmarks/Yardstick/fix.c")
    _ = try RunningProgram.result("/bin/sh", ["-c", "exec cc -O2 -o \(client) \(source) $(pkg-config --cflags --libs dbus-1) -lm"])
    var rounds: [(location: Double, ping: Double)] = []
    // A busy machine is slow now and then, also with the pings between the locations.
    func isSoon(_ round: (location: Double, ping: Double)) -> Bool { round.location <= min(10_000, max(2000, 1.5 * round.ping)) }
    while rounds.count < 10, rounds.last.map({ !isSoon($0) }) ?? true {
      let stage = try Stage()
      let run = try RunningProgram(client, [stage.bus.address, "300", "tcp"])
      let receiver = try run.output.next("the receiver")
      let config = try stage.file("config.toml", "source = \"none\"\n[location.nmea]\n\(receiver)\n")
      let daemon = try RunningProgram(
        Programs.daemon, ["--bus", stage.bus.address, "--config", config],
        environment: ["STATE_DIRECTORY": stage.folder.path])
      let locations = try JSON(parsing: try run.output.next("the figures of locations"))
      let pings = try JSON(parsing: try run.output.next("those of pings"))
      #expect(locations["n"] == 270 && pings["n"] == 270)
      rounds.append((try #require(locations["p99_us"]?.number), try #require(pings["p99_us"]?.number)))
      daemon.signal(SIGTERM)
    }
    print("µs at p99: \(rounds)")
    #expect(rounds.last.map(isSoon) == true, "µs at p99: \(rounds)")
  }
}
