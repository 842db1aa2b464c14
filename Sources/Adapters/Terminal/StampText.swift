import Geodesy
import Geotagging
import Instants
import Records

/// The place that a photo got, or the reason why it got none, for a person.
public struct StampText: Sendable {
  private let style: TerminalStyle
  private let units: Units

  public init(style: TerminalStyle, units: Units) {
    (self.style, self.units) = (style, units)
  }

  /// Returns `52.5200066, 13.4049540 ± 4.8 m, Ground floor, 124° true; between fixes 0.4 s before and 0.6 s after`.
  public func text(_ place: GeotagPlace) -> String {
    let position = [place.coordinate.latitude, place.coordinate.longitude].map { Decimal.text($0, decimals: 7) ?? style.dash }
    let spread = place.accuracy.map { " \(style.plusMinus) \(units.length($0))" } ?? ""
    let direction = place.direction.map { direction in
      let degrees = Decimal.text(direction.degrees < 359.5 ? direction.degrees : 0, decimals: 0) ?? style.dash
      return "\(degrees)\(style.hasUnicode ? "°" : " deg") \(direction.reference == .trueNorth ? "true" : "magnetic")"
    }
    let facts = [position.joined(separator: ", ") + spread, place.floor?.printable, direction].compactMap(\.self)
    return "\(facts.joined(separator: ", ")); \(origin(place.distances))"
  }

  private func origin(_ distances: [Span]) -> String {
    let ages = distances.map { units.age($0.seconds) }
    if ages.count == 2 { return "between fixes \(ages[0]) before and \(ages[1]) after" }
    return distances.first.map { $0 == .zero ? "from a fix of this time" : "from a fix \(ages[0]) away" } ?? ""
  }

  /// Returns why there is no place for a photo.
  ///
  /// - Parameter period: of the fixes; nil if there are none.
  public func reason(_ refusal: GeotagRefusal, time: Instant, period: ClosedRange<Instant>?, gap: Span) -> String {
    let utc = TimeFormat.utc
    guard case .tooFar(let distance) = refusal, let period else { return "there is no fix with a time" }
    return """
      taken \(utc.second(time)), but the nearest fix is \(units.age(distance.seconds)) away, and --max-gap allows \(gap.text); \
      the fixes are from \(utc.second(period.lowerBound)) to \(utc.second(period.upperBound)); check the camera's clock and --timezone
      """
  }

  /// Returns why the time of a photo is not used.
  public func invalidTime(_ text: String) -> String {
    "its DateTimeOriginal \"\(text.printable)\" is not a time; correct it, for example with exiftool"
  }
}
