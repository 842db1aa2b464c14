import Foundation
import Instants
import TestSupport
import Testing

/// A real gpsd, to which gpsfake plays the shipped recordings, and a client of the daemon that uses it.
@Suite(.serialized) struct GPSFakeTests {
  private let port: UInt16
  private let scene: LocationScene

  init() throws {
    // The port is free now; gpsd cannot choose one by itself.
    port = UInt16(try freePort())
    scene = try LocationScene("[location.gpsd]\naddress = \"127.0.0.1:\(port)\"\n")
  }

  /// Returns once the daemon watches gpsd: it has received the protocol, the devices and the watch.
  private func receiver(_ text: String) throws -> GPSFake {
    let before = try lines("used")
    let gpsd = try GPSFake(port: port, playing: text)
    try wait(for: "the daemon at gpsd") { try lines("used") >= before + 2 }
    return gpsd
  }

  private func source() throws -> JSON {
    guard let source = try scene.client.property("LocationSources", "Manager")?.list?.first else { throw TimeoutError("no source") }
    return source
  }

  private func lines(_ key: String) throws -> Double { try source()["lines"]?[key]?.number ?? 0 }

  @Test func `old fixes are refused and counted, and current ones reach a client, even after gpsd was killed`()
    throws
  {
    let session = try scene.client.openSession()
    #expect(try scene.client.updateLocation(on: session) == .values([]))
    let recorded = try Fixture.text("walk.nmea")
    let expected = try SaidByGPSD(Fixture.text("walk.gpsd.txt")).fixes
    var gpsd: GPSFake? = try receiver(recorded)
    try gpsd?.play(recorded.split(whereSeparator: \.isNewline).count)
    try wait(for: "the refusals") { try source()["refused"]?["beforeRelease"]?.number == Double(expected.count) }
    #expect(try source()["fixes"] == 0 && !scene.client.signals.contains { $0.name == "LocationUpdated" })
    let status = try CommandLine(["status", "--bus", scene.stage.bus.address]).output
    #expect(status.contains { $0.hasSuffix("gpsd: silent, refused: \(expected.count) beforeRelease") }, "\(status)")
    #expect(status.contains { $0.hasSuffix("its fixes are refused: a time before the release of this program") }, "\(status)")

    gpsd = nil
    try wait(for: "the loss of gpsd") { try source()["state"] == "gone" }
    let start = Int64(Date().timeIntervalSince1970) * 1_000_000
    gpsd = try receiver(Self.today(from: start))
    try gpsd?.play(recorded.split(whereSeparator: \.isNewline).count)
    for fix in expected {
      let told = try scene.client.nextLocation()
      #expect(told["source"] == "gpsd" && told["time"]?.number == Double(start) + fix.second * 1e6)
      #expect(fix.isReported(by: told), "\(told) for \(fix)")
    }
    #expect(try source()["fixes"]?.number == Double(expected.count))
    #expect(try source()["refused"] == ["beforeRelease": .number(Double(expected.count))])
    #expect(gpsd != nil)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a receiver that sends only its attitude is silent, and yields no fix`() throws {
    _ = try scene.client.updateLocation(on: try scene.client.openSession())
    let recorded = try Fixture.text("tnthtm.nmea")
    let count = recorded.split(whereSeparator: \.isNewline).count
    let gpsd = try receiver(recorded)
    try gpsd.play(count)
    // Each answer is an ATT; the test knows the last one.
    let answers = try Fixture.text("tnthtm.gpsd.txt").split(whereSeparator: \.isNewline)
    let last = try #require(answers.last { $0.hasPrefix("{\"class\":\"ATT\"") })
    let heading = try #require(try JSON(parsing: String(last))["heading"]?.number)
    try wait(for: "the used lines") { try lines("used") >= Double(count) }
    try wait(for: "its heading") { try source()["heading"]?["trueHeading"]?.number == heading }
    #expect(try source()["fixes"] == 0 && source()["refused"] == [:])
    #expect(try scene.client.property("Location", "Manager") == nil)
    try wait(for: "its silence") { try source()["state"] == "silent" }
    #expect(!scene.client.signals.contains { $0.name == "LocationUpdated" })
    scene.daemon.signal(SIGTERM)
  }

  @Test func `the compass of a receiver reaches beaconmon heading through gpsd, which has no JSON for it`() throws {
    // The walk has an HDG sentence each second: 101.1° magnetic, with a variation of 7.1° west.
    let recorded = try Fixture.text("walk.nmea")
    let run = try RunningProgram(Programs.commandLine, ["heading", "--json", "--bus", scene.stage.bus.address])
    let gpsd = try receiver(recorded)
    try gpsd.play(recorded.split(whereSeparator: \.isNewline).count)
    let first = try JSON(parsing: try run.output.next(within: 20))
    #expect(first["source"] == "gpsd" && first["magneticHeading"] == 101.1 && first["trueHeading"] == 94, "\(first)")
    run.signal(SIGINT)
    scene.daemon.signal(SIGTERM)
  }

  /// Returns the walk with one second of it per second from `start` on.
  private static func today(from start: Int64) throws -> String {
    let walk = try Walk()
    return (0..<30).map { walk.sentences($0, at: Instant(microseconds: start) + .seconds(Double($0))) }.joined()
  }
}

/// gpsd's answers when the fixture was made, read without our decoder.
private struct SaidByGPSD {
  struct Fix {
    /// The second of the walk.
    let second: Double
    let report: JSON
    /// The accuracy in metres; nil if gpsd reports none.
    let accuracy: Double?

    /// Returns whether the daemon reports the same fix, by the rules of Docs/guides/location.md.
    func isReported(by told: JSON) -> Bool {
      func agrees(_ key: String, _ value: Double?, within step: Double) -> Bool {
        guard let value, let number = told[key]?.number else { return value == nil && told[key] == nil }
        return abs(number - value) <= step
      }
      let hasAltitude = report["mode"] == 3
      return agrees("latitude", report["lat"]?.number, within: 1e-7) && agrees("longitude", report["lon"]?.number, within: 1e-7)
        && agrees("altitude", hasAltitude ? report["altMSL"]?.number : nil, within: 0.006)
        && agrees("ellipsoidalAltitude", hasAltitude ? report["altHAE"]?.number : nil, within: 0.006)
        && agrees("speed", report["speed"]?.number, within: 0.006) && agrees("course", report["track"]?.number, within: 0.06)
        && agrees("horizontalAccuracy", accuracy, within: 0.006)
    }
  }

  private(set) var fixes: [Fix] = []

  init(_ text: String) throws {
    var noise: JSON?
    for line in text.split(whereSeparator: \.isNewline) where line.hasPrefix("{") {
      let report = try JSON(parsing: String(line))
      switch report["class"]?.text {
      case "GST": noise = report
      case "TPV" where report["lat"] != nil:
        guard let time = report["time"]?.text, let second = Double(time.dropFirst(17).dropLast()) else { continue }
        fixes.append(Fix(second: second, report: report, accuracy: Self.accuracy(report, noise)))
      default: break
      }
    }
  }

  /// Returns one standard deviation: of the last noise report, or else of the 95 % radius or axes.
  private static func accuracy(_ report: JSON, _ noise: JSON?) -> Double? {
    func rms(_ a: Double, _ b: Double) -> Double { ((a * a + b * b) / 2).squareRoot() }
    if let a = noise?["lat"]?.number, let b = noise?["lon"]?.number { return rms(a, b) }
    if let radius = report["eph"]?.number { return radius / 2.4477 }
    guard let x = report["epx"]?.number, let y = report["epy"]?.number else { return nil }
    return rms(x, y) / 1.96
  }
}
