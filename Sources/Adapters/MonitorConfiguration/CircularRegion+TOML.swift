import Events
import Geodesy
import Instants
import Regions

extension CircularRegion {
  /// A `[[region]]` that is read as this one again, without what is as by default. Its owner is not in it.
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
