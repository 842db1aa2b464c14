import Beacons
import Instants

/// The learned values of an expected beacon, which outlive the process.
public struct LearnedBeacon: Hashable, Sendable {
  public var beacon: BeaconIdentity
  /// The numbers of the beacon, in the order of `ExpectedBeacon.numbers`.
  public var numbers: [Double]
  /// The numbers of its levels, by the name of the adapter.
  public var levels: [String: [Double]]

  public init(beacon: BeaconIdentity, numbers: [Double], levels: [String: [Double]] = [:]) {
    (self.beacon, self.numbers, self.levels) = (beacon, numbers, levels)
  }
}

extension BeaconHealthMonitor {
  /// Returns what is learned.
  ///
  /// - Parameters:
  ///   - name: returns the name of an adapter that stays the same.
  ///   - wallClock: converts a time to time since the Unix epoch.
  public func learned(name: (UInt16) -> String?, wallClock: (Instant) -> Instant) -> [LearnedBeacon] {
    entries.filter { $0.learned > .zero }.map { entry in
      var levels = waiting[entry.beacon] ?? [:]
      for (number, history) in entry.levels {
        if let name = name(number) { levels[name] = history.numbers }
      }
      return LearnedBeacon(beacon: entry.beacon, numbers: entry.numbers(wallClock), levels: levels)
    }
  }

  /// Continues with what was learned before.
  ///
  /// A beacon that was learned for longer meanwhile keeps its present values. Impossible values are ignored.
  ///
  /// - Parameter local: converts a time since the Unix epoch to one of the source's clock.
  public mutating func restore(_ learned: [LearnedBeacon], local: (Instant) -> Instant) {
    for stored in learned {
      guard let position = position(of: stored.beacon), entries[position].restore(stored.numbers, local) else { continue }
      waiting[stored.beacon] = stored.levels.filter { LevelHistory($0.value) != nil }
    }
    nextDeadline = clock
  }

  /// Continues with the levels of the adapters that are known by now.
  public mutating func resolve(name: (UInt16) -> String?, most: Int) {
    guard !waiting.isEmpty else { return }
    let numbers = Dictionary((0..<UInt16(most)).compactMap { number in name(number).map { ($0, number) } }) { first, _ in first }
    for (beacon, levels) in waiting {
      guard let position = position(of: beacon) else {
        waiting[beacon] = nil
        continue
      }
      for (name, values) in levels {
        guard let number = numbers[name], let history = LevelHistory(values) else { continue }
        if entries[position].levels[number]?.hours ?? 0 < history.hours { entries[position].levels[number] = history }
        waiting[beacon]?[name] = nil
      }
      if waiting[beacon]?.isEmpty ?? true { waiting[beacon] = nil }
    }
  }

  /// Forgets everything that was learned, and the present problems.
  public mutating func reset() {
    let beacons = entries.map(\.beacon)
    (entries, waiting) = ([], [:])
    expect(beacons)
  }

  /// The present state of each beacon.
  public var states: [ExpectedBeaconState] {
    entries.map { entry in
      let history = entry.strongest
      return ExpectedBeaconState(
        beacon: entry.beacon, isLearned: entry.isLearned, evidence: entry.evidence(.sighting),
        usualLevel: history?.isLearned ?? false ? history?.usual : nil,
        problems: BeaconProblem.allCases.compactMap { problem in
          guard settings.problems.contains(problem), let since = entry.problems[problem] else { return nil }
          return ExpectedBeaconState.Problem(problem: problem, since: since, cause: entry.causes[problem] ?? .silence)
        })
    }
  }
}

/// The present state of an expected beacon.
public struct ExpectedBeaconState: Hashable, Sendable {
  public struct Problem: Hashable, Sendable {
    public let problem: BeaconProblem
    public let since: Instant
    public let cause: BeaconFinding.Cause
  }

  public let beacon: BeaconIdentity
  /// Whether the beacon was heard for long enough, so that its silence counts.
  public let isLearned: Bool
  /// The latest measurements.
  public let evidence: BeaconFinding.Evidence
  public let usualLevel: Double?
  public let problems: [Problem]
}

extension ExpectedBeacon {
  private static let commonCount = 7

  /// The learned numbers in the order in which they are stored.
  ///
  /// Seconds of learning, longest gaps of today and yesterday, interval, several addresses, voltage, temperature; then the time since the
  /// Unix epoch and the number of the cause for each problem. An unknown number is NaN.
  func numbers(_ wallClock: (Instant) -> Instant) -> [Double] {
    [
      learned.seconds, longest.today.seconds, longest.yesterday.seconds, interval?.seconds ?? .nan,
      transmitters.hasSeveralAddresses ? 1 : 0, battery.voltage ?? .nan, battery.temperature ?? .nan,
    ]
      + BeaconProblem.allCases.flatMap { problem -> [Double] in
        guard let since = problems[problem] else { return [.nan, .nan] }
        let cause = BeaconFinding.Cause.allCases.firstIndex(of: causes[problem] ?? .silence) ?? 0
        return [wallClock(since).sinceEpoch.seconds, Double(cause)]
      }
  }

  /// Takes stored numbers, and returns whether they are possible.
  mutating func restore(_ numbers: [Double], _ local: (Instant) -> Instant) -> Bool {
    guard numbers.count == Self.commonCount + 2 * BeaconProblem.allCases.count else { return false }
    func number(_ index: Int, in range: ClosedRange<Double>) -> Double? { range.contains(numbers[index]) ? numbers[index] : nil }
    let longestGap = 0...86_400.0
    guard let learned = number(0, in: 0...1e10), let today = number(1, in: longestGap), let yesterday = number(2, in: longestGap) else {
      return false
    }
    guard .seconds(learned) > self.learned else { return true }
    self.learned = .seconds(learned)
    longest = (max(longest.today, .seconds(today)), max(longest.yesterday, .seconds(yesterday)))
    interval = interval ?? number(3, in: 0.02...20).map { .seconds($0) }
    if numbers[4] == 1 { transmitters = TransmitterWatch(hasSeveralAddresses: true) }
    battery = BatteryWatch(
      voltage: battery.voltage ?? number(5, in: 0...100), temperature: battery.temperature ?? number(6, in: -128...128))
    for (index, problem) in BeaconProblem.allCases.enumerated() where problems[problem] == nil {
      let place = Self.commonCount + 2 * index
      guard let since = number(place, in: 0...253_402_300_799), let cause = number(place + 1, in: 0...100),
        let kind = BeaconFinding.Cause.allCases.dropFirst(Int(cause)).first
      else { continue }
      problems[problem] = local(Instant(microseconds: Int64(since * 1e6)))
      causes[problem] = kind
    }
    return true
  }
}

extension Instant {
  fileprivate var sinceEpoch: Span { Span(microseconds: microseconds) }
}
