import Locations
import Records
import Venues

/// The place of the device in a venue, and the places next to it.
extension LocationText {
  /// Returns the place with its accuracy, and a line for each place next to it.
  public func lines(_ location: LocationReport, nearest: [PlaceReport]) -> [String] {
    let titles = nearest.map(title)
    let width = titles.map(\.columns).max() ?? 0
    return [here(location)]
      + zip(titles, nearest).map { title, place in
        "  \(title.padded(width))  \(distance(place, location))".withoutTrailingBlanks
      }
  }

  /// Returns one line: time, place, accuracy, and the places next to it.
  public func line(_ location: LocationReport, nearest: [PlaceReport]) -> String {
    let stamp = (location.time.map(time.millisecond) ?? style.dash).padded(time.millisecondWidth)
    let places = nearest.map { "\(title($0)) \(distance($0, location))" }
    return ([stamp, here(location)] + (places.isEmpty ? [] : ["near \(places.joined(separator: ", "))"])).joined(separator: "  ")
  }

  private func here(_ location: LocationReport) -> String {
    (location.description?.printable ?? "at no known place") + spread(location.horizontalAccuracy)
  }

  private func title(_ place: PlaceReport) -> String { (place.title ?? place.id ?? style.dash).printable }

  private func distance(_ place: PlaceReport, _ location: LocationReport) -> String {
    place.distance.map { units.length($0, accuracy: location.horizontalAccuracy) } ?? style.dash
  }
}
