import ConfigurationTree
import Beacons
import Events
import Geodesy
import Instants
import Regions

/// Reads a region and its rules.
enum RegionReader {
  /// The keys that select the kinds of a region: beacons, a place in a venue, and a circle.
  static let kinds = [["uuid"], ["place"], ["latitude"]]

  /// Returns the region; nil if a problem with a required key was reported.
  static func region(_ table: inout TableReader, identifier: String, owner: RegionOwner = .config) -> Region? {
    let circleKey = circleKeys.first(where: table.has)
    let placeKey = placeKeys.first(where: table.has)
    if circleKey == nil, placeKey == nil { return beaconRegion(&table, identifier, owner).map(Region.beacon) }
    if let circleKey, table.has("uuid") || placeKey != nil {
      let other = table.has("uuid") ? "a uuid" : "a \(placeKey ?? "")"
      table.report(circleKey, "is a key of a circle, but this region has \(other); define two regions")
    } else if let placeKey, table.has("uuid") {
      table.report(placeKey, "is a key of a place in a venue, but this region has a uuid; define two regions")
    }
    if table.has("uuid") { _ = beaconRegion(&table, identifier, owner) }
    let place = placeKey == nil ? nil : placeRegion(&table, identifier, owner).map(Region.place)
    return circleKey == nil ? place : circularRegion(&table, identifier, owner).map(Region.circle)
  }

  /// The rules that a region of each kind has.
  private struct Rules {
    let dwell: Span?
    let assumed: RegionState
    let notifyOnEntry: Bool
    let notifyOnExit: Bool

    init(_ table: inout TableReader) {
      dwell = table.read("dwell", as: .duration(.seconds(1)...(.seconds(86_400))), allowsRollouts: true)
      let unknown = RegionState.unknown
      assumed = table.read("assume", as: .assumedState, default: .text(unknown.rawValue), allowsRollouts: true) ?? unknown
      notifyOnEntry = table.read("notify-on-entry", as: .flag, default: .flag(true), allowsRollouts: true) ?? true
      notifyOnExit = table.read("notify-on-exit", as: .flag, default: .flag(true), allowsRollouts: true) ?? true
    }
  }

  private static func beaconRegion(_ table: inout TableReader, _ identifier: String, _ owner: RegionOwner) -> BeaconRegion? {
    let uuid = table.require("uuid", as: .uuid, allowsRollouts: true)
    let major = table.read("major", as: .short, allowsRollouts: true)
    let minor = table.read("minor", as: .short, allowsRollouts: true)
    if table.has("minor") && !table.has("major") {
      table.report("minor", "requires major, because a minor is only unique within a major")
    }
    let (exitDelay, learns) = exitDelay(&table)
    let nearness = nearness(&table)
    let minimumRSSI = table.read("minimum-rssi", as: .number(-127...20), allowsRollouts: true)
    let entry = entry(&table)
    let rules = Rules(&table)
    guard let constraint = uuid.flatMap({ BeaconConstraint(uuid: $0, major: major, minor: minor) }) else { return nil }
    return BeaconRegion(
      identifier: identifier, owner: owner, constraint: constraint, exitDelay: exitDelay, learnsExitDelay: learns, nearness: nearness,
      minimumRSSI: minimumRSSI, entry: entry, dwell: rules.dwell, assumed: rules.assumed, notifyOnEntry: rules.notifyOnEntry,
      notifyOnExit: rules.notifyOnExit)
  }

  private static func nearness(_ table: inout TableReader) -> BeaconRegion.Nearness? {
    let within = table.read("within", as: .number(0.1...100), allowsRollouts: true)
    let leaveBeyond = table.read("leave-beyond", as: .number(0.1...100), allowsRollouts: true)
    let hold = table.read("hold", as: .duration(.zero ... .seconds(60)), allowsRollouts: true)
    let isNearestOnly = table.read("nearest-only", as: .flag, allowsRollouts: true)
    for key in ["leave-beyond", "hold", "nearest-only"] where table.has(key) && !table.has("within") {
      table.report(key, "requires within; without it, any sighting counts")
    }
    guard let within else { return nil }
    if let leaveBeyond, leaveBeyond < within {
      table.report("leave-beyond", "is less than within; it must be at least as large")
    }
    return BeaconRegion.Nearness(within: within, leaveBeyond: leaveBeyond, hold: hold, isNearestOnly: isNearestOnly ?? false)
  }

  /// Returns the exit delay. An omitted delay, or one with `learn-exit-delay`, is the minimum of the learned one.
  private static func exitDelay(_ table: inout TableReader) -> (Span, learns: Bool) {
    let isGiven = table.has("exit-delay")
    let exitDelay = table.read("exit-delay", as: .duration(.seconds(1)...(.seconds(3600))), allowsRollouts: true)
    let learns = table.read("learn-exit-delay", as: .flag, allowsRollouts: true)
    return (exitDelay ?? BeaconRegion.defaultExitDelay, learns ?? !isGiven)
  }

  /// Returns the sightings that an enter requires; nil if the first one is enough.
  private static func entry(_ table: inout TableReader) -> BeaconRegion.Entry? {
    let sightings = table.read("enter-sightings", as: .integer(1...20), default: .integer(1), allowsRollouts: true)
    let time = table.read("enter-time", as: .duration(.milliseconds(100)...(.seconds(600))), allowsRollouts: true)
    if table.has("enter-time") && !table.has("enter-sightings") {
      table.report("enter-time", "requires \(table.spelling("enter-sightings")); without it, the first sighting enters")
    }
    guard let sightings, sightings > 1 else { return nil }
    return BeaconRegion.Entry(sightings: sightings, within: time ?? BeaconRegion.Entry.defaultWithin)
  }
}

// MARK: Places in venues

extension RegionReader {
  /// The keys that only a place in a venue has.
  private static let placeKeys = ["place", "level", "venue"]

  private static func placeRegion(_ table: inout TableReader, _ identifier: String, _ owner: RegionOwner) -> PlaceRegion? {
    let place = table.read("place", as: .name(of: "place", example: "room-5"), allowsRollouts: true)
    let level = table.read("level", as: .name(of: "level", example: "ground"), allowsRollouts: true)
    let venue = table.read("venue", as: .name(of: "venue", example: "gallery"), allowsRollouts: true)
    let rules = Rules(&table)
    if place != nil, level != nil { table.report("level", "is for a region that is a whole level; a place knows its level, so remove one") }
    // A region with a venue alone is the whole venue.
    let isWhole = venue != nil && !table.has("place") && !table.has("level")
    guard let part = place.map(VenueArea.Part.place) ?? level.map(VenueArea.Part.level) ?? (isWhole ? .whole : nil) else { return nil }
    return PlaceRegion(
      identifier: identifier, owner: owner, area: VenueArea(part, venue: venue), dwell: rules.dwell, assumed: rules.assumed,
      notifyOnEntry: rules.notifyOnEntry, notifyOnExit: rules.notifyOnExit)
  }
}

// MARK: Circles

extension RegionReader {
  /// The keys that only a circle has.
  private static let circleKeys = ["latitude", "longitude", "radius", "scan-only-near", "scan-only-below"]

  private static func circularRegion(_ table: inout TableReader, _ identifier: String, _ owner: RegionOwner) -> CircularRegion? {
    let latitude = table.require("latitude", as: .latitude, allowsRollouts: true)
    let longitude = table.require("longitude", as: .number(-180...180), allowsRollouts: true)
    let radius = table.require("radius", as: .number(1...Circle.mostRadius), allowsRollouts: true)
    let rules = Rules(&table)
    let gate = gate(&table, owner)
    guard let latitude, let longitude, let radius, let center = Coordinate(latitude: latitude, longitude: longitude),
      let circle = Circle(center: center, radius: radius)
    else { return nil }
    return CircularRegion(
      identifier: identifier, owner: owner, circle: circle, dwell: rules.dwell, assumed: rules.assumed,
      notifyOnEntry: rules.notifyOnEntry, notifyOnExit: rules.notifyOnExit, gate: gate)
  }

  /// Returns the gate that permits scanning only near the circle; nil if the circle does not affect scanning.
  private static func gate(_ table: inout TableReader, _ owner: RegionOwner) -> CircularRegion.Gate? {
    let isGate = table.read("scan-only-near", as: .flag, default: .flag(false), allowsRollouts: true) ?? false
    let speed = table.read("scan-only-below", as: .number(0.5...100), allowsRollouts: true)
    if speed != nil, !isGate {
      table.report(
        "scan-only-below", "requires \(table.spelling("scan-only-near")) = true; without it, the circle does not affect scanning")
    }
    if isGate, owner != .config {
      table.report(
        "scan-only-near", "is only for circles of beaconmon.toml, because it pauses the scan for all users; remove it"
      )
    }
    return isGate ? CircularRegion.Gate(mostSpeed: speed) : nil
  }
}

extension ValueDecoder where Value == RegionState {
  /// The state that the client assumes before the first observation.
  static var assumedState: ValueDecoder {
    ValueDecoder(.choice(["inside", "outside", "unknown"])) { node throws(DecodingIssue) in
      let text = try ValueDecoder<String>.text(example: "outside").decode(node)
      guard let state = RegionState(rawValue: text) else {
        throw DecodingIssue("\(text.quoted) is not a state; write \"inside\", \"outside\" or \"unknown\"")
      }
      return state
    }
  }
}
