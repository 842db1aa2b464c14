import Foundation
import Instants
import TestSupport

/// A daemon with sources of locations, and a client of it.
struct LocationScene {
  let stage: Stage
  let feed: CaptureFeed
  let daemon: RunningProgram
  let client: BusClient

  /// - Parameter config: the [location] tables, and what else there is.
  init(_ config: String) throws {
    stage = try Stage()
    feed = try CaptureFeed(stage)
    client = try stage.listener()
    daemon = try stage.daemon(config: try stage.file("config.toml", config), source: feed.path, speed: "1")
    try client.waitForDaemon()
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
  /// Of an error.
  var name: String? {
    if case .error(let name, _) = self { name } else { nil }
  }
}

/// A receiver of satellites on a serial line.
final class Receiver {
  private let line = try? PseudoTerminal()
  /// Seconds that its clock is ahead of the machine's.
  var ahead = 0.0

  var device: String { line?.path ?? "/dev/null" }
  var config: String { "[location.nmea]\ndevice = \"\(device)\"\n" }

  /// Says it until the daemon knows: it may not have opened the line yet.
  func say(_ latitude: Double, _ longitude: Double, hdop: Double = 1, knots: Double = 0, until client: BusClient) throws {
    try wait(for: "the place to be known") {
      say(latitude, longitude, hdop: hdop, knots: knots)
      usleep(100_000)
      return try client.property("Location", "Manager")?["latitude"]?.number.map { abs($0 - latitude) < 1e-6 } ?? false
    }
  }

  /// An epoch of now.
  ///
  /// - Parameter hdop: of five metres each.
  func say(_ latitude: Double, _ longitude: Double, hdop: Double = 1, knots: Double = 0) {
    let digits = Instant(microseconds: Int64((Date().timeIntervalSince1970 + ahead) * 1e6)).rfc3339.filter(\.isNumber)
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
        + Walk.sentence("GPRMC,\(time),A,\(place),\(knots),90.0,\(date),,,A"))
  }
}
