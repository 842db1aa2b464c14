import ArgumentParser
import Locations
import Records
import Terminal

/// The options for the format of locations.
struct LocationOutputOptions: ParsableArguments {
  @Flag(help: "Print each location as one line of JSON.")
  var json = false

  @Flag(name: .customLong("geojson"), help: "Print each location as a GeoJSON feature on one line.")
  var geoJSON = false

  @OptionGroup var names: LanguageOptions

  func validate() throws {
    if json && geoJSON { throw ValidationError("--json and --geojson cannot be combined") }
  }

  var isForPeople: Bool { !json && !geoJSON }

  /// - Parameter words: returns the text for a person.
  func line(_ location: Record, words: (LocationReport) -> String) -> String {
    let location = LocationReport.formatted(location)
    return (json ? location.json : geoJSON ? LocationText.geoJSON(location) : words(LocationReport(location))) + "\n"
  }
}
