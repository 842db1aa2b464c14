/// The text of a motion in a recording, such as `walking cadence=1.85 turn=-3`.
extension DeviceMotion {
  private static let names: [(activity: Activity, name: String)] = [
    (.unknown, "unknown"), (.still, "still"), (.walking, "walking"), (.moving, "moving"),
  ]
  /// The maximum numbers of steps and of degrees of a second in a text.
  private static let (mostCadence, mostTurn) = (20.0, 100_000.0)

  /// The motion with hundredths of steps and whole degrees, as its text has them.
  ///
  /// The engine takes this one, so that a replay takes the same.
  public var rounded: DeviceMotion {
    let cadence = cadence.flatMap { (0...Self.mostCadence).contains($0) ? ($0 * 100).rounded() / 100 : nil }
    return DeviceMotion(activity, cadence: cadence, turn: turn.flatMap { abs($0) <= Self.mostTurn ? $0.rounded() : nil })
  }

  public var text: String {
    let motion = rounded
    var words = [Self.names.first { $0.activity == activity }?.name ?? "unknown"]
    if let cadence = motion.cadence { words.append("cadence=\(cadence)") }
    if let turn = motion.turn { words.append("turn=\(Int(turn))") }
    return words.joined(separator: " ")
  }

  /// Returns the motion of a text; nil for one that is not a motion. Unknown values of later versions are ignored.
  public init?(text: some StringProtocol) {
    let words = text.split(separator: " ")
    guard let name = words.first, let activity = Self.names.first(where: { name == $0.name })?.activity else { return nil }
    self.init(activity)
    for word in words.dropFirst() {
      let parts = word.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let number = Double(parts[1]) else { return nil }
      switch parts[0] {
      case "cadence" where (0...Self.mostCadence).contains(number): cadence = number
      case "turn" where abs(number) <= Self.mostTurn: turn = number
      case "cadence", "turn": return nil
      default: break
      }
    }
  }
}
