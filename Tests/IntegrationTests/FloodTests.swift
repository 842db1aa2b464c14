import Foundation
import TestSupport
import Testing

/// Receivers that send as fast as they can.
@Suite struct FloodTests {
  /// A peer that floods and a daemon that uses it.
  private final class Scene {
    let client: BusClient
    let daemon: RunningProgram
    private let stage: Stage
    private let peer: RunningProgram

    init(_ kind: String) throws {
      stage = try Stage()
      client = try stage.listener()
      let port = try freePort()
      peer = try RunningProgram(Programs.python, [Programs.peer("flood.py"), kind, "\(port)"])
      let word = try peer.output.next("the peer")
      let place = kind == "serial" ? "device = \"\(word)\"" : "address = \"127.0.0.1:\(port)\""
      let config = try stage.file("config.toml", "[location.\(kind == "gpsd" ? "gpsd" : "nmea")]\n\(place)\n")
      daemon = try RunningProgram(
        Programs.daemon, ["--bus", stage.bus.address, "--config", config, "--source", "none"],
        environment: ["STATE_DIRECTORY": stage.folder.path])
      try client.waitForDaemon()
      _ = try client.updateLocation(on: try client.openSession())
      try wait(for: "the limit") { try limited > 1 }
    }

    func source() throws -> JSON { try client.property("LocationSources", "Manager")?.list?.first ?? .null }

    var limited: Int {
      get throws { Int(try source()["lines"]?["limited"]?.number ?? 0) }
    }

    func status() throws -> [String] { try CommandLine(["status", "--bus", stage.bus.address]).output }

    /// Returns the processor time of the daemon so far, in seconds.
    func processorTime() throws -> Double {
      let stat = try String(contentsOfFile: "/proc/\(daemon.pid)/stat", encoding: .utf8)
      // The fields follow the name, which may contain blanks: utime and stime are the fields 14 and 15 of proc(5).
      let fields = stat[try #require(stat.lastIndex(of: ")"))...].split(separator: " ")
      return (try #require(Double(fields[12])) + (try #require(Double(fields[13])))) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
  }

  @Test(arguments: ["nmea", "gpsd", "garbage", "serial"])
  func `a peer that floods is read at the rate of a receiver, and status reports the limit`(kind: String) throws {
    let scene = try Scene(kind)
    let started = ContinuousClock.now
    let before = try scene.source()["lines"]
    try wait(for: "more pauses") { try scene.limited >= 6 }
    let after = try scene.source()["lines"]
    let seconds = (ContinuousClock.now - started) / .seconds(1)
    func lines(_ record: JSON?) -> Double {
      let malformed = record?["malformed"]?["garbage"]?.number ?? 0
      return (record?["used"]?.number ?? 0) + (record?["unused"]?.number ?? 0) + malformed
    }
    // The limit is 64 KiB a second, and one portion at either end. The shortest lines have 7 octets.
    let shortest = kind == "garbage" ? 7.0 : 60
    #expect(lines(after) - lines(before) <= (65_536 * seconds + 3 * 32_768) / shortest)
    #expect(try scene.status().contains { $0.contains(", limited ") })
    // The octets that were read are used.
    if kind != "garbage" { #expect(try scene.source()["fixes"]?.number ?? 0 > 0) }
    scene.daemon.signal(SIGTERM)
    #expect(try scene.daemon.exitStatus() == 0)
  }

  @Test(.ofRelease, arguments: ["nmea", "gpsd", "garbage", "serial"])
  func `a flooding peer costs less than 5 % of a processor`(kind: String) throws {
    let scene = try Scene(kind)
    let (before, started) = (try scene.processorTime(), ContinuousClock.now)
    // In ten seconds, a hundredth of a second is 0.1 %.
    sleep(10)
    let share = (try scene.processorTime() - before) / ((ContinuousClock.now - started) / .seconds(1))
    print("a flood of \(kind): \((share * 1000).rounded() / 10) % of a processor")
    #expect(share < 0.05)
    scene.daemon.signal(SIGTERM)
  }
}
