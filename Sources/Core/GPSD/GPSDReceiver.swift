import Instants
import Locations
import Records

/// One of gpsd's devices: its position reports, and what other reports add to them.
struct GPSDReceiver {
  private struct Noise {
    let time: Instant
    /// Standard deviations, metres.
    let horizontal: Double
    let vertical: Double?
  }

  /// gpsd reports the noise of an epoch after its position: that of the epoch before is the one there is.
  private static let noiseLife = Span.seconds(5)

  /// What a position can be made of, gpsd_json(5): how the device has moved since there were satellites, and nothing.
  private static let (deadReckoning, simulated) = (5.0, 8.0)

  private var satellites = SourceReport.Satellites()
  private var noise: Noise?

  mutating func noteSky(_ record: Record) throws(GPSDFault) {
    let list = record["satellites"]?.list
    // A report of the dilutions alone says nothing about the satellites.
    let count = try record.number("nSat").map { Int($0.clamped) }
    guard let seen = count ?? list?.count else { return }
    let used = try record.number("uSat").map { Int($0.clamped) }
    satellites = .init(used: used ?? list?.count { $0["used"] == .flag(true) }, seen: seen)
  }

  mutating func noteNoise(_ record: Record) throws(GPSDFault) {
    guard let time = try record.time("time"), let latitude = try record.number("lat"), let longitude = try record.number("lon") else {
      return noise = nil
    }
    // A negative one would look possible once it is squared.
    guard latitude >= 0, longitude >= 0 else { throw .field }
    let horizontal = ((latitude * latitude + longitude * longitude) / 2).squareRoot()
    guard horizontal > 0 else { return noise = nil }
    noise = Noise(time: time, horizontal: horizontal, vertical: try record.number("alt"))
  }

  /// Altitudes and their accuracy only where the fix has three dimensions.
  func position(_ record: Record) throws(GPSDFault) -> SourceReport {
    guard let mode = try record.number("mode") else { throw .field }
    guard let latitude = try record.number("lat"), let longitude = try record.number("lon") else {
      return .searching(satellites, time: record["time"]?.time)
    }
    let status = try record.number("status")
    let isFix = (mode == 2 || mode == 3) && status != Self.simulated
    var reading = LocationReading(isFix: isFix, latitude: latitude, longitude: longitude, time: try record.time("time"))
    let noise = noise.flatMap { noise in
      reading.time.map { (.zero...Self.noiseLife).contains($0 - noise.time) } == true ? noise : nil
    }
    let guessed = try horizontalDeviation(record)
    // What nobody sees any more goes astray by as much as nobody knows.
    reading.horizontalAccuracy = status == Self.deadReckoning ? nil : noise?.horizontal ?? guessed
    if mode == 3 {
      reading.ellipsoidalAltitude = try record.number("altHAE")
      // Before 3.20 there was only `alt`, above mean sea level.
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

  /// The standard deviations of a normal distribution that hold 95 % of it.
  private static let normal95 = 1.96
  /// The same for the distance from the middle of two: √(−2 ln 0.05).
  private static let rayleigh95 = 2.4477

  /// gpsd_json(5): all error estimates are guessed to be at 95 %. gpsd 3.22 makes `eph` of the horizontal dilution times 19 m, a radius, and `epx` and
  /// `epy` of each axis' dilution times 15 m.
  private func horizontalDeviation(_ record: Record) throws(GPSDFault) -> Double? {
    if let radius = try record.number("eph") { return radius / Self.rayleigh95 }
    guard let x = try record.number("epx"), let y = try record.number("epy") else { return nil }
    let least = min(x, y)
    return least < 0 ? least : ((x * x + y * y) / 2).squareRoot() / Self.normal95
  }
}

extension Record {
  /// Nil when there is none; a text in its place is a fault.
  fileprivate func number(_ key: String) throws(GPSDFault) -> Double? {
    guard let value = self[key] else { return nil }
    guard let number = value.number else { throw .field }
    return number
  }

  fileprivate func time(_ key: String) throws(GPSDFault) -> Instant? {
    guard let value = self[key] else { return nil }
    guard let time = value.time else { throw .field }
    return time
  }
}

extension Double {
  /// A number of satellites.
  fileprivate var clamped: Double { Swift.min(Swift.max(self, 0), 1000) }
}
