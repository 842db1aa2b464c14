import Beacons
import Events
import Geodesy
import Instants
import Numerals
import Regions

extension Region {
  /// The `[[region]]` table that reads as this region. It does not contain the owner.
  public var toml: String {
    switch self {
    case .beacon(let region): region.toml
    case .circle(let region): region.toml
    case .place(let region): region.toml
    }
  }
}

extension BeaconRegion {
  /// The `[[region]]` table that reads as this region, without default values. It does not contain the owner.
  public var toml: String {
    var lines = ["[[region]]", "identifier = \(identifier.asTOML)", "uuid = \"\(constraint.uuid)\""]
    func add(_ key: String, _ value: String?) {
      if let value { lines.append("\(key) = \(value)") }
    }
    func text(_ span: Span) -> String { "\"\(span.text)\"" }
    add("major", constraint.major.map { "\($0)" })
    add("minor", constraint.minor.map { "\($0)" })
    // A written delay is not learned, unless the other key is true.
    if exitDelay != Self.defaultExitDelay || !learnsExitDelay { add("exit-delay", text(exitDelay)) }
    if exitDelay != Self.defaultExitDelay, learnsExitDelay { add("learn-exit-delay", "true") }
    add("within", (nearness?.within).map { "\($0)" })
    if let nearness, nearness.leaveBeyond != Nearness(within: nearness.within).leaveBeyond {
      add("leave-beyond", "\(nearness.leaveBeyond)")
    }
    add("hold", (nearness?.hold).map(text))
    if nearness?.isNearestOnly == true { add("nearest-only", "true") }
    add("minimum-rssi", minimumRSSI.map { "\($0)" })
    add("enter-sightings", (entry?.sightings).map { "\($0)" })
    add("enter-time", (entry?.within).map(text))
    add("dwell", dwell.map(text))
    if assumed != .unknown { add("assume", "\"\(assumed.rawValue)\"") }
    if !notifyOnEntry { add("notify-on-entry", "false") }
    if !notifyOnExit { add("notify-on-exit", "false") }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension CircularRegion {
  /// The `[[region]]` table that reads as this region, without default values. It does not contain the owner.
  public var toml: String {
    var lines = [
      "[[region]]", "identifier = \(identifier.asTOML)", "latitude = \(circle.center.latitude)", "longitude = \(circle.center.longitude)",
      "radius = \(circle.radius)",
    ]
    if let dwell { lines.append("dwell = \"\(dwell.text)\"") }
    if assumed != .unknown { lines.append("assume = \"\(assumed.rawValue)\"") }
    if !notifyOnEntry { lines.append("notify-on-entry = false") }
    if !notifyOnExit { lines.append("notify-on-exit = false") }
    if let gate {
      lines.append("scan-only-near = true")
      if let speed = gate.mostSpeed { lines.append("scan-only-below = \(speed)") }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension PlaceRegion {
  /// The `[[region]]` table that reads as this region, without default values. It does not contain the owner.
  public var toml: String {
    var lines = ["[[region]]", "identifier = \(identifier.asTOML)"]
    if let venue = area.venue { lines.append("venue = \(venue.asTOML)") }
    if let place = area.place { lines.append("place = \(place.asTOML)") }
    if let level = area.level { lines.append("level = \(level.asTOML)") }
    if let dwell { lines.append("dwell = \"\(dwell.text)\"") }
    if assumed != .unknown { lines.append("assume = \"\(assumed.rawValue)\"") }
    if !notifyOnEntry { lines.append("notify-on-entry = false") }
    if !notifyOnExit { lines.append("notify-on-exit = false") }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension String {
  /// The text as a basic string of TOML.
  var asTOML: String {
    let characters = unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\n": "\\n"
      case "\t": "\\t"
      case _ where scalar.properties.generalCategory == .control:
        "\\U" + Hexadecimal.digits(UInt64(scalar.value), count: 8)
      default: String(scalar)
      }
    }
    return "\"\(characters.joined())\""
  }
}
