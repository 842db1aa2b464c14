import Instants
import Locations
import Terminal
import Testing
import Venues

@Suite struct LocationPlacesTests {
  private let text = LocationText(style: plain, units: Units(isMetric: true))

  private var location: LocationReport {
    var location = LocationReport()
    (location.description, location.horizontalAccuracy) = ("Lodestone, Ground floor, Gallery", 1.8)
    location.time = Instant(microseconds: 1_600_000_000_000_000)
    return location
  }

  private func place(_ title: String, _ distance: Double) -> PlaceReport {
    var place = PlaceReport()
    (place.id, place.title, place.distance) = ("id", title, distance)
    return place
  }

  @Test func `a place has a line for itself and one for each place next to it`() {
    let lines = text.lines(location, nearest: [place("Lodestone", 0.93), place("Sky\u{1B}[31m", 12.4)])
    #expect(lines.count == 3)
    #expect(lines[0] == "Lodestone, Ground floor, Gallery  ± 1.8 m")
    #expect(lines[1].hasPrefix("  Lodestone  ") && lines[1].hasSuffix(" m"))
    #expect(!lines[2].contains("\u{1B}"))
  }

  @Test func `a position in a list is one line with its time`() {
    let line = text.line(location, nearest: [place("Lodestone", 1), place("Compass", 4)])
    #expect(line.hasPrefix("2020-09-13 12:26:40.000Z  Lodestone, Ground floor, Gallery  ± 1.8 m  near Lodestone "))
    #expect(line.contains(", Compass "))
  }

  @Test func `a location at no place has a line about it`() {
    #expect(text.lines(LocationReport(), nearest: []) == ["at no known place"])
  }
}
