import Beacons
import Events
import Instants
import Regions

extension BeaconRegion {
  /// The `[[region]]` table that reads as this region. It does not contain the owner.
  public var toml: String {
    var lines = ["[[region]]", "identifier = \(identifier.asTOML)", "uuid = \"\(constraint.uuid)\""]
    func add(_ key: String, _ value: String?) {
      if let value { lines.append("\(key) = \(value)") }
    }
    func text(_ span: Span) -> String { "\"\(span.text)\"" }
    add("major", constraint.major.map { "\($0)" })
    add("minor", constraint.minor.map { "\($0)" })
    add("exit-delay", text(exitDelay))
    add("learn-exit-delay", "\(learnsExitDelay)")
    add("within", (nearness?.within).map { "\($0)" })
    add("leave-beyond", (nearness?.leaveBeyond).map { "\($0)" })
    add("hold", (nearness?.hold).map(text))
    add("minimum-rssi", minimumRSSI.map { "\($0)" })
    add("enter-sightings", (entry?.sightings).map { "\($0)" })
    add("enter-time", (entry?.within).map(text))
    add("dwell", dwell.map(text))
    add("assume", "\"\(assumed.rawValue)\"")
    add("notify-on-entry", "\(notifyOnEntry)")
    add("notify-on-exit", "\(notifyOnExit)")
    return lines.joined(separator: "\n") + "\n"
  }
}
