public import Instants
public import Scoring

/// The answers of a person who walks past the stations of a venue.
///
/// The dialogue is a value: lines with their times go in, the times of the stations come out.
public struct StationDialogue {
  /// The effect of an answer.
  public enum Reply: Hashable, Sendable {
    /// The next prompt follows.
    case next
    case refused([String])
    case explained([String])
    /// All stations were passed, at these times. `review` follows if the signals suffice.
    case arrived([Instant])
    case writes
    case ends
  }

  public let walk: StationWalk
  private var times: [Instant] = []
  /// The name of the file that would be written; nil before the result is shown.
  private var target: String?

  public init(_ walk: StationWalk) { self.walk = walk }

  /// Asks about the result, which is shown now.
  ///
  /// - Parameter target: the name of the file that would be written.
  public mutating func review(target: String) { self.target = target }

  /// The next step.
  public var prompt: String {
    if let target { return "Write \(target)? y writes it and keeps the previous one as \(target).old, n writes nothing." }
    let stations = walk.stations
    guard let index = times.indices.last else {
      return "Stand at \(stations[0].name) with the receiver, and press Enter to begin."
    }
    let way = walk.length(after: index).map { "\(($0 * 10).rounded() / 10) m straight ahead" } ?? "on another level"
    return
      "Walk to \(stations[index + 1].name), \(way), at a steady speed, and press Enter when you are there (\(index + 1) of \(stations.count - 1))."
  }

  /// Takes a line of the person.
  ///
  /// - Parameter time: the time of the answer by the clock of the packets; nil if no packet was received yet.
  public mutating func answer(_ line: String, at time: Instant?) -> Reply {
    let word = line.trimmed.lowercased()
    guard target == nil else { return decide(word) }
    switch word {
    case "": break
    case "?", "help":
      return .explained([
        "Enter confirms a station, \"again\" begins again at \(walk.stations[0].name), and \"quit\" ends without a change."
      ])
    case "again":
      times = []
      return .next
    case "quit": return .ends
    default: return .refused(["press Enter at \(walk.stations[times.count].name); ? explains the answers"])
    }
    guard let time else { return .refused(["no packet was received yet; wait a moment, or see \"beaconmon doctor\""]) }
    if let last = times.last, !walk.canReach(times.count, in: time - last) {
      let name = walk.stations[times.count].name
      return .refused([
        "\((max(0, (time - last).seconds) * 10).rounded() / 10) s is too short for a walk to \(name); press Enter when you are there"
      ])
    }
    times.append(time)
    return times.count == walk.stations.count ? .arrived(times) : .next
  }

  private func decide(_ word: String) -> Reply {
    switch word {
    case "y", "yes": .writes
    case "n", "no", "quit": .ends
    default: .refused(["type y or n"])
    }
  }
}
