import Instants
import Regions

// MARK: The rules of a region

extension ConfigurationReader {
  /// One that is given holds as it stands; one that is left out, or that the region is told to learn from, is the least.
  static func exitDelay(_ table: inout TableReader) -> (Span, learns: Bool) {
    let isGiven = table.has("exit-delay")
    let exitDelay = table.read("exit-delay", as: .duration(.seconds(1)...(.seconds(3600))))
    let learns = table.read("learn-exit-delay", as: .flag)
    return (exitDelay ?? BeaconRegion.defaultExitDelay, learns ?? !isGiven)
  }

  /// How many sightings it takes to enter, nil when the first one does.
  static func entry(_ table: inout TableReader) -> BeaconRegion.Entry? {
    let sightings = table.read("enter-sightings", as: .integer(1...20))
    let time = table.read("enter-time", as: .duration(.milliseconds(100)...(.seconds(600))))
    if table.has("enter-time") && !table.has("enter-sightings") {
      table.report("enter-time", "needs an enter-sightings beside it: without one, the first sighting enters")
    }
    guard let sightings, sightings > 1 else { return nil }
    return BeaconRegion.Entry(sightings: sightings, within: time ?? BeaconRegion.Entry.defaultWithin)
  }
}

extension Shape where Value == RegionState {
  /// Where the device is taken to be before anything is known.
  static var assumedState: Shape {
    Shape { node throws(Mismatch) in
      let text = try Shape<String>.text(example: "outside").read(node)
      guard let state = RegionState(rawValue: text) else {
        throw Mismatch("\(text.quoted) is no state; there are \"inside\", \"outside\" and \"unknown\"")
      }
      return state
    }
  }
}
