import Events
import Geodesy
import Instants
import Regions

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
