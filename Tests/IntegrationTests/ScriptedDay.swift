import TestSupport

/// The visits to beacons over a day, by seed: the events must agree with them in spite of every crash.
///
/// Visits and absences last at least half an hour, far longer than a crash and the sightings lost with it.
struct ScriptedDay {
  /// The length of the day in seconds. All times here count from second zero of the capture.
  static let length = 86_400.0
  static let shortest = 1800.0

  /// The visits of each beacon, by its minor, in order.
  let visits: [UInt16: [Range<Double>]]

  init(beacons: ClosedRange<UInt16>, using random: inout SeededGenerator) {
    var visits: [UInt16: [Range<Double>]] = [:]
    for minor in beacons {
      var second = Double.random(in: 60...Self.shortest, using: &random)
      while second + 2 * Self.shortest < Self.length {
        let end = second + .random(in: Self.shortest...2 * Self.shortest, using: &random)
        visits[minor, default: []].append(second..<min(end, Self.length - Self.shortest))
        second = end + .random(in: Self.shortest...2 * Self.shortest, using: &random)
      }
    }
    self.visits = visits
  }

  func beacons(at second: Double) -> [UInt16] {
    visits.filter { $0.value.contains { $0.contains(second) } }.keys.sorted()
  }

  /// Returns the faults of a beacon's enters and exits; none if each visit has one, after it and before the next.
  ///
  /// - Parameter loss: The seconds of sightings that a crash may lose. An exit may be earlier by as much.
  func faults(of minor: UInt16, in told: [(event: String, second: Double)], loss: Double) -> [String] {
    let truth = (visits[minor] ?? []).flatMap { [("enter", $0.lowerBound), ("exit", $0.upperBound - loss)] }
    guard told.map(\.event) == truth.map(\.0) else {
      return ["beacon \(minor): \(told.map { "\($0.event) \(Int($0.second))" }) instead of \(truth.map { "\($0.0) \(Int($0.1))" })"]
    }
    let next = truth.dropFirst().map(\.1) + [.infinity]
    return zip(told, zip(truth, next)).filter { !($0.second >= $1.0.1 && $0.second < $1.1) }
      .map { "beacon \(minor): \($0.event) at \(Int($0.second)) instead of \(Int($1.0.1))" }
  }
}
