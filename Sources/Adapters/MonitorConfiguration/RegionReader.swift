import Instants
import Regions

/// What makes a region, and its rules.
enum RegionReader {
  /// Nil when something was reported that it cannot do without.
  static func region(_ table: inout TableReader, identifier: String, owner: RegionOwner = .config) -> BeaconRegion? {
    let uuid = table.require("uuid", as: .uuid)
    let major = table.read("major", as: .short)
    let minor = table.read("minor", as: .short)
    if table.has("minor") && !table.has("major") {
      table.report("minor", "needs a major beside it: minors of different majors have nothing in common")
    }
    let (exitDelay, learns) = exitDelay(&table)
    let nearness = nearness(&table)
    let minimumRSSI = table.read("minimum-rssi", as: .number(-127...20))
    let entry = entry(&table)
    let dwell = table.read("dwell", as: .duration(.seconds(1)...(.seconds(86_400))))
    let assumed = table.read("assume", as: .assumedState)
    let notifyOnEntry = table.read("notify-on-entry", as: .flag)
    let notifyOnExit = table.read("notify-on-exit", as: .flag)
    guard let constraint = uuid.flatMap({ BeaconConstraint(uuid: $0, major: major, minor: minor) }) else { return nil }
    return BeaconRegion(
      identifier: identifier, owner: owner, constraint: constraint, exitDelay: exitDelay, learnsExitDelay: learns, nearness: nearness,
      minimumRSSI: minimumRSSI, entry: entry, dwell: dwell, assumed: assumed ?? .unknown, notifyOnEntry: notifyOnEntry ?? true,
      notifyOnExit: notifyOnExit ?? true)
  }

  private static func nearness(_ table: inout TableReader) -> BeaconRegion.Nearness? {
    let within = table.read("within", as: .number(0.1...100))
    let leaveBeyond = table.read("leave-beyond", as: .number(0.1...100))
    let hold = table.read("hold", as: .duration(.zero ... .seconds(60)))
    for key in ["leave-beyond", "hold"] where table.has(key) && !table.has("within") {
      table.report(key, "needs a within beside it: without a distance, being heard is enough")
    }
    guard let within else { return nil }
    if let leaveBeyond, leaveBeyond < within {
      table.report("leave-beyond", "is less than within; a region is left farther out than it is entered")
    }
    return BeaconRegion.Nearness(within: within, leaveBeyond: leaveBeyond, hold: hold ?? BeaconRegion.Nearness.defaultHold)
  }

  /// One that is given holds as it stands; one that is left out, or that the region is told to learn from, is the least.
  private static func exitDelay(_ table: inout TableReader) -> (Span, learns: Bool) {
    let isGiven = table.has("exit-delay")
    let exitDelay = table.read("exit-delay", as: .duration(.seconds(1)...(.seconds(3600))))
    let learns = table.read("learn-exit-delay", as: .flag)
    return (exitDelay ?? BeaconRegion.defaultExitDelay, learns ?? !isGiven)
  }

  /// How many sightings it takes to enter, nil when the first one does.
  private static func entry(_ table: inout TableReader) -> BeaconRegion.Entry? {
    let sightings = table.read("enter-sightings", as: .integer(1...20))
    let time = table.read("enter-time", as: .duration(.milliseconds(100)...(.seconds(600))))
    if table.has("enter-time") && !table.has("enter-sightings") {
      table.report("enter-time", "needs an \(table.spelling("enter-sightings")) beside it: without one, the first sighting enters")
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
