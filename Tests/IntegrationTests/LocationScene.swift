import Beaconmon
import Foundation
import Instants
import TestSupport

/// A daemon with location sources, and a client of it.
struct LocationScene {
  let stage: Stage
  let feed: CaptureFeed
  let daemon: RunningProgram
  let client: BusClient

  /// - Parameters:
  ///   - config: The [location] tables, and any others.
  ///   - speed: With `max`, the sightings of the feed advance the time.
  ///   - clocks: The daemon's; nil for the machine's.
  ///   - environment: Further variables of the daemon.
  init(_ config: String, speed: String = "1", clocks: TestClocks? = nil, environment: [String: String] = [:]) throws {
    stage = try Stage()
    feed = try CaptureFeed(stage)
    client = try stage.listener()
    daemon = try stage.daemon(
      config: try stage.file("config.toml", config), source: feed.path, speed: speed,
      environment: environment.merging(clocks?.environment ?? [:]) { $1 })
    try client.waitForDaemon()
  }

  var bus: Bus { .address(stage.bus.address) }

  func manager() -> LocationManager { LocationManager(purpose: "Shows you on the map", bus: bus) }

  func decide(_ words: String...) throws {
    let result = try CommandLine(["privacy"] + words + ["--bus", stage.bus.address])
    guard result.status == 0 else { throw TimeoutError("privacy \(words) ended with \(result.status)") }
  }

  /// Reloads the daemon with another config.
  func reload(_ config: String) throws {
    _ = try stage.file("config.toml", config)
    daemon.signal(SIGHUP)
  }

  /// Kills the daemon, and starts another.
  func restart(speed: String = "1", environment: [String: String] = [:]) throws -> (RunningProgram, CaptureFeed) {
    daemon.signal(SIGKILL)
    _ = try daemon.exitStatus()
    let feed = try CaptureFeed(stage, named: "second")
    return (try stage.daemon(config: stage.folder.file("config.toml"), source: feed.path, speed: speed, environment: environment), feed)
  }

  static let fixed = """
    [location.fixed]
    latitude = 52.52
    longitude = 13.405
    accuracy = 1.0
    floor = 2
    """
}

extension BusClient {
  func updateLocation(_ options: JSON = [:], on session: String) throws -> Reply {
    try call(Self.session, "StartUpdatingLocation", at: session, signature: "a{sv}", options)
  }

  func nextLocation(_ signal: String = "LocationUpdated") throws -> JSON {
    try next(signal) { $0.name == signal }.arguments[0]
  }
}

extension BusClient.Reply {
  /// The name of an error.
  var name: String? {
    if case .error(let name, _) = self { name } else { nil }
  }
}

/// A satellite receiver on a serial line.
final class Receiver {
  private let line = try? PseudoTerminal()
  /// The seconds by which the receiver's clock is ahead of the machine's.
  var ahead = 0.0

  var device: String { line?.path ?? "/dev/null" }
  var config: String { "[location.nmea]\ndevice = \"\(device)\"\n" }

  /// Repeats a position until the daemon reports it, because the daemon may not have opened the line yet.
  ///
  /// The daemon has then read all repetitions, unless it has closed the line.
  func say(_ latitude: Double, _ longitude: Double, hdop: Double = 1, knots: Double = 0, until client: BusClient) throws {
    var first: Int64?
    var last: Int64 = 0
    var isHeard = false
    try wait(for: "the place to be known") {
      if !isHeard { last = say(latitude, longitude, hdop: hdop, knots: knots) }
      first = first ?? last
      // The pace of the receiver. The wait ends when the location is known.
      usleep(100_000)
      let known = try client.property("Location", "Manager")?["time"]?.number.map { Int64($0) }
      isHeard = isHeard || known.map { $0 >= first ?? last } ?? false
      return try known == last || isHeard && !isOn(client)
    }
  }

  /// Sends the magnetic heading of the receiver's compass.
  func point(_ degrees: Double) {
    line?.write(Walk.sentence("HCHDM,\(degrees),M"))
  }

  private func isOn(_ client: BusClient) throws -> Bool {
    try client.property("LocationSources", "Manager")?.list?.first { $0["source"] == "nmea" }?["isOn"] == true
  }

  /// Sends an epoch of now.
  ///
  /// - Parameters:
  ///   - hdop: The dilution, of five metres each.
  ///   - knots: The speed; nil for a receiver that does not measure it.
  /// - Returns: The time of the epoch, in microseconds since the Unix epoch.
  @discardableResult
  func say(_ latitude: Double, _ longitude: Double, hdop: Double = 1, knots: Double? = 0) -> Int64 {
    let hundredth: Int64 = 10_000
    let now = Int64((Date().timeIntervalSince1970 + ahead) * 1e6) / hundredth * hundredth
    let digits = Instant(microseconds: now).rfc3339.filter(\.isNumber)
    let time = "\(digits.dropFirst(8).prefix(6)).\(digits.dropFirst(14).prefix(2))"
    let date = "\(digits.dropFirst(6).prefix(2))\(digits.dropFirst(4).prefix(2))\(digits.dropFirst(2).prefix(2))"
    func angle(_ value: Double, _ width: Int, _ letters: (Character, Character)) -> String {
      let degrees = Int(value.magnitude)
      let minutes = String(format: "%09.6f", (value.magnitude - Double(degrees)) * 60)
      return "\(String(format: "%0\(width)d", degrees))\(minutes),\(value < 0 ? letters.1 : letters.0)"
    }
    let place = "\(angle(latitude, 2, ("N", "S"))),\(angle(longitude, 3, ("E", "W")))"
    line?.write(
      Walk.sentence("GPGGA,\(time),\(place),1,08,\(hdop),40.0,M,40.0,M,,")
        + Walk.sentence("GPRMC,\(time),A,\(place),\(knots.map { "\($0),90.0" } ?? ","),\(date),,,A"))
    return now
  }
}
