import Instants
import Locations
import Records

/// One of gpsd's devices: its position reports, and the data that other reports add to them.
struct GPSDReceiver {
  private struct Noise {
    let time: Instant
    /// The horizontal standard deviation of each axis, in metres.
    let horizontal: Double
    let vertical: Double?
  }

  /// The maximum age of noise data.
  /// gpsd reports the noise of an epoch after its position, so only that of the epoch before is available.
  private static let noiseLife = Span.seconds(5)

  /// The `status` values of estimated positions, gpsd_json(5): dead reckoning, and simulation.
  private static let (deadReckoning, simulated) = (5.0, 8.0)

  private var satellites = SourceReport.Satellites()
  private var noise: Noise?

  mutating func noteSky(_ record: Record) throws(GPSDFault) {
    let list = record["satellites"]?.list
    // A report with dilutions only has no data about the satellites.
    let count = try record.number("nSat").map { Int($0.clamped) }
    guard let seen = count ?? list?.count else { return }
    let used = try record.number("uSat").map { Int($0.clamped) }
    satellites = .init(used: used ?? list?.count { $0["used"] == .flag(true) }, seen: seen)
  }

  mutating func noteNoise(_ record: Record) throws(GPSDFault) {
    guard let time = try record.time("time"), let latitude = try record.number("lat"), let longitude = try record.number("lon") else {
      return noise = nil
    }
    // Squaring would hide a negative value.
    guard latitude >= 0, longitude >= 0 else { throw .field }
    let horizontal = ((latitude * latitude + longitude * longitude) / 2).squareRoot()
    guard horizontal > 0 else { return noise = nil }
    noise = Noise(time: time, horizontal: horizontal, vertical: try record.number("alt"))
  }

  /// Returns the report of a position; altitudes and their accuracy require a 3D fix.
  func position(_ record: Record) throws(GPSDFault) -> SourceReport {
    guard let mode = try record.number("mode") else { throw .field }
    guard let latitude = try record.number("lat"), let longitude = try record.number("lon") else {
      return .searching(satellites, time: record["time"]?.rfc3339)
    }
    let status = try record.number("status")
    let isFix = (mode == 2 || mode == 3) && status != Self.simulated
    var reading = LocationReading(isFix: isFix, latitude: latitude, longitude: longitude, time: try record.time("time"))
    let noise = noise.flatMap { noise in
      reading.time.map { (.zero...Self.noiseLife).contains($0 - noise.time) } == true ? noise : nil
    }
    let guessed = try horizontalDeviation(record)
    // The error of dead reckoning is unknown.
    reading.horizontalAccuracy = status == Self.deadReckoning ? nil : noise?.horizontal ?? guessed
    if mode == 3 {
      reading.ellipsoidalAltitude = try record.number("altHAE")
      // gpsd before 3.20 had only `alt`, above mean sea level.
      reading.altitude = try record.number(record["altHAE"] == nil && record["altMSL"] == nil ? "alt" : "altMSL")
      let guessed = try record.number("epv").map { $0 / Self.normal95 }
      reading.verticalAccuracy = noise?.vertical ?? guessed
    }
    reading.speed = try record.number("speed")
    reading.speedAccuracy = try record.number("eps").map { $0 / Self.normal95 }
    reading.course = try record.number("track")
    reading.courseAccuracy = try record.number("epd").map { $0 / Self.normal95 }
    return .reading(reading)
  }

  // MARK: - Accuracy

  /// The number of standard deviations on either side that contain 95 % of a normal distribution.
  private static let normal95 = 1.96
  /// The number of standard deviations that contain 95 % of the distances from the centre in two dimensions: √(−2 ln 0.05).
  private static let rayleigh95 = 2.4477

  /// Returns the standard deviation of each horizontal axis.
  /// According to gpsd_json(5), all error estimates are assumed to be at 95 %. gpsd 3.22 computes `eph` as the horizontal dilution times
  /// 19 m, a radius, and `epx` and `epy` as each axis' dilution times 15 m.
  private func horizontalDeviation(_ record: Record) throws(GPSDFault) -> Double? {
    if let radius = try record.number("eph") { return radius / Self.rayleigh95 }
    guard let x = try record.number("epx"), let y = try record.number("epy") else { return nil }
    let least = min(x, y)
    return least < 0 ? least : ((x * x + y * y) / 2).squareRoot() / Self.normal95
  }
}

extension Record {
  /// Returns nil if the key is absent; a text instead of a number is a fault.
  fileprivate func number(_ key: String) throws(GPSDFault) -> Double? {
    guard let value = self[key] else { return nil }
    guard let number = value.number else { throw .field }
    return number
  }

  fileprivate func time(_ key: String) throws(GPSDFault) -> Instant? {
    guard let value = self[key] else { return nil }
    guard let time = value.rfc3339 else { throw .field }
    return time
  }
}

extension RecordValue {
  /// The time; nil for a number, which was the form of versions before gpsd 2.90.
  fileprivate var rfc3339: Instant? { text.flatMap { Instant(rfc3339: $0) } }
}

extension Double {
  /// The value limited to a plausible number of satellites.
  fileprivate var clamped: Double { Swift.min(Swift.max(self, 0), 1000) }
}
