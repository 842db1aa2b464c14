import Instants
import Locations
import Records

/// A location as text for a person, or for a map.
public struct LocationText: Sendable {
  let style: TerminalStyle
  let units: Units
  let time: TimeFormat

  public init(style: TerminalStyle, units: Units, time: TimeFormat = .utc) {
    self.style = style
    self.units = units
    self.time = time
  }

  /// Returns the final output of `beaconmon locate`.
  public func text(_ location: LocationReport) -> String {
    let altitude = location.altitude.map { "\(units.height($0)) above sea level" }
    let motion = [
      location.speed.map(units.speed), location.speed == 0 ? nil : location.course.map { "toward \(direction($0))" },
    ].compactMap(\.self)
    let floor = location.floor.map { "floor \($0)" }
    let height = altitude.map { $0 + spread(location.verticalAccuracy) }
    let facts = [height, motion.isEmpty ? nil : motion.joined(separator: " "), floor].compactMap(\.self)
    let here = place(location) + spread(location.horizontalAccuracy)
    let lines = [location.description?.printable ?? "", here, facts.joined(separator: ", "), origin(location)]
    return lines.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// Returns the line of a location: `52.5200066, 13.4049540  ± 4.8 m, from gpsd, 0.3 s old`.
  func summary(_ location: LocationReport) -> String { place(location) + spread(location.horizontalAccuracy) + ", " + origin(location) }

  /// Returns one line of `beaconmon track`, in columns: time, place, accuracy, speed, course, source.
  public func line(_ location: LocationReport) -> String {
    let stamp = location.time.map(time.millisecond) ?? style.dash
    return ([stamp.padded(time.millisecondWidth)] + cells(location)).joined(separator: "  ").withoutTrailingBlanks
  }

  /// Returns whether a line in a window of this width has the time of day only.
  static func needsDay(_ width: Int) -> Bool { width < 100 }

  /// Returns the line for a window; a narrow one drops source, course, speed and accuracy, in this order.
  func line(_ location: LocationReport, width: Int) -> String {
    let isNarrow = Self.needsDay(width)
    let stamp = location.time.map(isNarrow ? time.clock : time.millisecond) ?? style.dash
    var cells = [stamp.padded(isNarrow ? time.clockWidth : time.millisecondWidth)] + cells(location)
    while cells.count > 2, cells.reduce(-2, { $0 + $1.columns + 2 }) > width { cells.removeLast() }
    return cells.joined(separator: "  ").withoutTrailingBlanks.clipped(width, ellipsis: style.ellipsis)
  }

  private func cells(_ location: LocationReport) -> [String] {
    [
      place(location).padded(25), spread(location.horizontalAccuracy).dropFirst(2).description.padded(10),
      (location.speed.map(units.speed) ?? style.dash).padded(10, isRight: true),
      (location.course.map(direction) ?? style.dash).padded(5, isRight: true), location.source ?? "",
    ]
  }

  /// Returns one line that covers the previous one during a search.
  public func progress(_ location: LocationReport?, elapsed: Span, timeout: Span, columns: Int) -> String {
    let left = "\(units.age(Swift.max(.zero, timeout - elapsed).seconds)) left"
    let found = location.map { place($0) + spread($0.horizontalAccuracy) + ", \(source($0))" } ?? "waiting for a fix"
    return ProgressBar.erase + "\(found), \(left)".clipped(Swift.max(0, columns - 1), ellipsis: style.ellipsis)
  }

  /// Returns a note that the best location within the time limit is less accurate than requested.
  /// It is nil if the location is accurate enough, or if the best accuracy was requested.
  public func shortfall(_ location: LocationReport, wanted metres: Double) -> String? {
    guard metres > 0 else { return nil }
    let asked = "the request was for \(style.plusMinus) \(units.length(metres))"
    guard let found = location.horizontalAccuracy else {
      return "the source does not report the accuracy of this fix; \(asked)"
    }
    return found <= metres ? nil : "no better than \(style.plusMinus) \(units.length(found)) in this time; \(asked)"
  }

  /// Returns a feature of GeoJSON (RFC 7946) on one line.
  /// The third coordinate is the height above the ellipsoid, and everything else is a property.
  ///
  /// - Parameter location: the record of a location, whose keys may be those of a daemon of another version.
  public static func geoJSON(_ location: Record) -> String {
    let plane = [LocationReport.key(\.longitude).name, LocationReport.key(\.latitude).name]
    let coordinates = (plane + [LocationReport.key(\.ellipsoidalAltitude).name]).compactMap { location[$0]?.plainText }
    var properties = Record()
    for (key, value) in location.fields where !plane.contains(key) { properties.append(key, value) }
    return """
      {"type":"Feature","geometry":{"type":"Point","coordinates":[\(coordinates.joined(separator: ","))]},\
      "properties":\(properties.json)}
      """
  }
}

extension LocationText {
  private func place(_ location: LocationReport) -> String {
    [location.latitude, location.longitude].map { $0.flatMap { Decimal.text($0, decimals: 7) } ?? style.dash }.joined(separator: ", ")
  }

  /// Returns the accuracy after a place: `  ± 4.8 m`.
  func spread(_ metres: Double?) -> String { metres.map { "  \(style.plusMinus) \(units.length($0))" } ?? "" }

  private func direction(_ value: Double) -> String {
    "\(Decimal.text(value < 359.5 ? value : 0, decimals: 0) ?? "?")\(style.hasUnicode ? "°" : " deg")"
  }

  private func source(_ location: LocationReport) -> String { "from \(location.source ?? "an unknown source")" }

  /// Returns the source and the age: `from gpsd, 0.3 s old`.
  private func origin(_ location: LocationReport) -> String {
    let age = location.source == "fixed" ? nil : location.age.map { "\(units.age($0)) old" }
    return [source(location), age].compactMap(\.self).joined(separator: ", ")
  }
}
