import Foundation
import Instants
import TestSupport
import Testing

/// A network receiver with scripted lines, and a daemon that uses it.
private final class SpokenReceiver {
  let client: BusClient
  let clocks: TestClocks
  let daemon: RunningProgram
  private let stage: Stage
  private let server: RunningProgram

  /// - Parameter table: The table of the source, to which the address is added.
  init(_ table: String, _ regions: String = "") throws {
    stage = try Stage()
    clocks = try TestClocks()
    client = try stage.listener()
    let port = try freePort()
    server = try RunningProgram(Programs.python, [Programs.peer("line_server.py"), "\(port)"])
    _ = try server.output.next("the server") { $0 == "ready" }
    let config = try stage.file("config.toml", "[location.\(table)]\naddress = \"127.0.0.1:\(port)\"\n\(regions)")
    daemon = try RunningProgram(
      Programs.daemon, ["--bus", stage.bus.address, "--config", config, "--source", "none"],
      environment: clocks.environment.merging(["STATE_DIRECTORY": stage.folder.path]) { $1 })
    try client.waitForDaemon()
    _ = try client.updateLocation(on: try client.openSession())
    _ = try server.output.next("the daemon") { $0 == "connected" }
  }

  /// Sends the lines in one write.
  func say(_ lines: String...) throws { try say(lines) }

  func say(_ lines: [String]) throws {
    try server.input.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
  }

  func source() throws -> JSON { try client.property("LocationSources", "Manager")?.list?.first ?? .null }

  func status() throws -> [String] {
    try CommandLine(["status", "--bus", stage.bus.address]).output.map { $0.trimmingCharacters(in: .whitespaces) }
  }

  var hasToldLocation: Bool { client.signals.contains { $0.name == "LocationUpdated" } }
}

/// Impossible data from a receiver is refused, counted by its reason, and shown in `beaconmon status`.
@Suite struct BadReceiverTests {
  private static let version = #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
  private static let devices = #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","activated":"2026-11-21T04:21:19.268Z"}]}"#

  private static func tpv(_ members: String, mode: Int = 3, latitude: String = "52.5", longitude: String = "13.4") -> String {
    #"{"class":"TPV","device":"/dev/a","mode":\#(mode),"lat":\#(latitude),"lon":\#(longitude)\#(members.isEmpty ? "" : ",")\#(members)}"#
  }

  private static func time(_ seconds: Double) -> String {
    Instant(microseconds: Int64((Date().timeIntervalSince1970 + seconds) * 1e6)).rfc3339
  }

  @Test func `invalid reports of gpsd are counted by reason and not delivered, and the next valid fix is`() throws {
    let scene = try SpokenReceiver("gpsd")
    try scene.say(
      Self.version, Self.devices, Self.tpv("", mode: 1), Self.tpv("", latitude: "91"), Self.tpv("", latitude: "NaN"),
      Self.tpv("", longitude: "-180.5"), Self.tpv(#""altHAE":1e9"#), Self.tpv(#""eph":-3"#), Self.tpv(#""track":-1"#),
      Self.tpv(#""time":"2025-06-01T12:00:00.000Z""#), Self.tpv("\"time\":\"\(Self.time(86_400))\""), Self.tpv(#""eph":"wide""#),
      "FLOOD 100000", #"{"class":"TPV""#, Self.tpv("\"time\":\"\(Self.time(0))\",\"eph\":10", latitude: "52.75"))
    #expect(try scene.client.nextLocation()["latitude"] == 52.75)
    #expect(scene.client.signals.count { $0.name == "LocationUpdated" } == 1)
    #expect(
      try scene.source()["refused"] == [
        "noFix": 1, "latitude": 1, "longitude": 1, "altitude": 1, "accuracy": 1, "motion": 1, "beforeRelease": 1, "ahead": 1,
      ])
    #expect(try scene.source()["lines"]?["malformed"] == ["length": 1, "json": 2, "field": 1])
    let status = try scene.status()
    #expect(
      status.contains(
        "gpsd: fixing, 1 fix, refused: 1 noFix, 1 latitude, 1 longitude, 1 altitude, 1 accuracy, 1 motion, 1 beforeRelease, 1 ahead, "
          + "malformed: 1 length, 2 json, 1 field"), "\(status)")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a receiver indoors is logged once, however its satellites change`() throws {
    let scene = try SpokenReceiver("nmea")
    for second in 10..<30 {
      try scene.say(Walk.sentence("GPGGA,1200\(second).00,,,,,0,\(second % 4),,,M,,M,,").trimmingCharacters(in: .whitespacesAndNewlines))
      // Keeps the epochs apart. The test waits for the last one.
      usleep(50_000)
    }
    let last = "nmea: it has no fix; give it a clear view of the sky (1 satellites are used)"
    try wait(for: "the last epoch") { try scene.source()["note"]?.text.map { "nmea: \($0)" } == last }
    scene.daemon.signal(SIGTERM)
    #expect(try scene.daemon.log.all().count { $0.contains("nmea: it has no fix") } == 1)
  }

  @Test func `a gpsd of another protocol version is ignored, and status states the reason`() throws {
    let scene = try SpokenReceiver("gpsd")
    try scene.say(
      Self.version.replacing("\"proto_major\":3", with: "\"proto_major\":4"), Self.devices, Self.tpv("\"time\":\"\(Self.time(0))\""))
    try wait(for: "the refusal") { try scene.source()["state"] == "gone" }
    #expect(try scene.source()["fixes"] == 0 && !scene.hasToldLocation)
    let status = try scene.status()
    #expect(
      status.contains { $0.hasSuffix("this is release 3.22 with protocol 4, but only 3 is supported") },
      "\(status)")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `invalid sentences of an NMEA receiver are counted by reason and not delivered, and the next valid fix is`() throws {
    let scene = try SpokenReceiver("nmea")
    /// Sends an epoch of a new second.
    var second = 0.0
    func epoch(
      _ latitude: String = "5230.0000", _ longitude: String = "01324.0000", quality: Int = 1, altitude: String = "40.0",
      knots: String = "0.0", shift: Double = 0
    )
      throws
    {
      second += 1
      let digits = Self.time(second - 20 + shift).filter(\.isNumber)
      let clock = "\(digits.dropFirst(8).prefix(6)).00"
      let date = "\(digits.dropFirst(6).prefix(2))\(digits.dropFirst(4).prefix(2))\(digits.dropFirst(2).prefix(2))"
      let contents = [
        "GPGGA,\(clock),\(latitude),N,\(longitude),E,\(quality),08,1.0,\(altitude),M,40.0,M,,",
        "GPRMC,\(clock),A,\(latitude),N,\(longitude),E,\(knots),90.0,\(date),,,A",
      ]
      try scene.say(contents.map { Walk.sentence($0).trimmingCharacters(in: .whitespacesAndNewlines) })
    }
    // A valid epoch teaches the decoder which sentence is the last.
    try epoch()
    #expect(try scene.client.nextLocation()["latitude"] == 52.5)
    try epoch("9100.0000")
    try epoch("5230.0000", "18100.0000")
    try epoch(quality: 0)
    try epoch(altitude: "999999.0")
    try epoch(knots: "99999.0")
    try epoch(shift: -600 * 86_400)
    try epoch(shift: 86_400)
    try scene.say("$GPGGA,1*00", "noise", "FLOOD 100000")
    second += 5
    try epoch("5245.0000")
    #expect(try scene.client.nextLocation()["latitude"] == 52.75)
    #expect(
      try scene.source()["refused"] == [
        "noFix": 1, "latitude": 1, "longitude": 1, "altitude": 1, "motion": 1, "beforeRelease": 1, "ahead": 1,
      ])
    #expect(try scene.source()["lines"]?["malformed"] == ["length": 1, "garbage": 1, "checksum": 1])
    let status = try scene.status()
    #expect(
      status.contains(
        "nmea: fixing, 2 fixes, refused: 1 noFix, 1 latitude, 1 longitude, 1 altitude, 1 motion, 1 beforeRelease, 1 ahead, "
          + "malformed: 1 length, 1 garbage, 1 checksum"), "\(status)")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `events omit the clock's state if the daemon may not read it`() throws {
    let scene = try SpokenReceiver("gpsd", CircleScene.circle("square", 52.52, 13.405, radius: 200))
    scene.clocks.setSynchronised(nil)
    try scene.say(Self.version, Self.devices, Self.tpv("\"time\":\"\(Self.time(0))\",\"eph\":10", latitude: "52.6"))
    _ = try scene.client.nextLocation()
    let outside = try #require(scene.client.signals.first { $0.name == "RegionEvent" })
    #expect(outside.details?["state"] == "outside" && outside.details?["clockSynchronised"] == nil)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a device whose clock starts in 1970 trusts its receiver, and its events state that the clock is wrong`() throws {
    let scene = try SpokenReceiver("gpsd", CircleScene.circle("square", 52.52, 13.405, radius: 200))
    scene.clocks.setSynchronised(false)
    scene.clocks.ahead = -Date().timeIntervalSince1970 + 100
    let (start, now) = (Date(), Self.time(0))
    try scene.say(Self.version, Self.devices, Self.tpv("\"time\":\"\(now)\",\"eph\":10", latitude: "52.6"))
    let location = try scene.client.nextLocation()
    let elapsed = Date().timeIntervalSince(start)
    #expect(location["time"]?.number.map { Int64($0) } == Instant(rfc3339: now)?.microseconds)
    #expect(location["age"]?.number.map { $0 >= 0 && $0 < elapsed + 0.001 } == true)
    // The daemon sends circle events before locations.
    let outside = try #require(scene.client.signals.first { $0.name == "RegionEvent" })
    #expect(outside.details?["clockSynchronised"] == false && outside.details?["state"] == "outside")
    #expect((outside.details?["time"]?.number ?? .infinity) < 86_400e6)
    // The receiver's time is now compared with the clock: a fix that was accepted before is from the future.
    scene.clocks.ahead = 0
    scene.clocks.setSynchronised(true)
    try scene.say(
      Self.tpv("\"time\":\"\(Self.time(86_400))\",\"eph\":10"),
      Self.tpv("\"time\":\"\(Self.time(0))\",\"eph\":10", latitude: "52.52", longitude: "13.405"))
    #expect(try scene.client.nextLocation()["latitude"] == 52.52)
    #expect(try scene.source()["refused"] == ["ahead": 1])
    scene.clocks.pass(seconds: 21)
    try scene.client.waitUntilTold("the enter") { $0.details?["event"] == "enter" && $0.details?["clockSynchronised"] == true }
    scene.daemon.signal(SIGTERM)
  }
}
