import Events
import Instants

/// The events that several configurations give on one recording, side by side.
public struct EventComparison: Sendable {
  /// The events of one configuration, in their order.
  public struct Run: Sendable {
    public let name: String
    public let events: [Event]

    public init(name: String, events: [Event]) {
      (self.name, self.events) = (name, events)
    }
  }

  /// An event of at least one run.
  public struct Row: Hashable, Sendable {
    public let kind: Event.Kind
    public let region: String
    /// The earliest of the times.
    public fileprivate(set) var time: Instant
    /// The time in each run; nil where the run has no such event.
    public fileprivate(set) var times: [Instant?]
  }

  public let runs: [Run]
  /// The events of all runs in the order of their times.
  public let rows: [Row]

  /// The longest time between two events that count as the same one.
  public static let tolerance = Span.seconds(60)
  /// The longest absence that counts as a flap.
  public static let flapping = Span.seconds(60)

  /// Matches each event with the nearest one of the previous runs that has the same region and kind, within `tolerance`.
  public init(_ runs: [Run]) {
    self.runs = runs
    var rows: [Row] = []
    /// The rows of a region and kind.
    var known: [Key: [Int]] = [:]
    for (number, run) in runs.enumerated() {
      for event in run.events {
        guard let kind = event.kind, let region = event.region, let time = event.time else { continue }
        let key = Key(kind: kind, region: region)
        let free = known[key, default: []].filter { rows[$0].times[number] == nil && Self.distance(rows[$0].time, time) <= Self.tolerance }
        if let row = free.min(by: { Self.distance(rows[$0].time, time) < Self.distance(rows[$1].time, time) }) {
          rows[row].times[number] = time
          rows[row].time = min(rows[row].time, time)
        } else {
          known[key, default: []].append(rows.count)
          var times = [Instant?](repeating: nil, count: runs.count)
          times[number] = time
          rows.append(Row(kind: kind, region: region, time: time, times: times))
        }
      }
    }
    self.rows = rows.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
  }

  private struct Key: Hashable {
    let kind: Event.Kind
    let region: String
  }

  private static func distance(_ first: Instant, _ second: Instant) -> Span { first < second ? second - first : first - second }
}

extension EventComparison {
  /// The events of all runs in the order of their times, those without a time last.
  ///
  /// Events of one time are in the order of the runs.
  public var events: [(run: String, event: Event)] {
    runs.flatMap { run in run.events.map { (run: run.name, event: $0) } }.enumerated()
      .sorted { ($0.element.event.time ?? .never, $0.offset) < ($1.element.event.time ?? .never, $1.offset) }
      .map(\.element)
  }

  /// Returns the median delay of a run's events after those of the first run; nil without common events.
  public func delay(ofRun run: Int) -> Span? {
    let delays = rows.compactMap { row -> Span? in
      guard let first = row.times[0], let time = row.times[run] else { return nil }
      return time - first
    }.sorted()
    return delays.isEmpty ? nil : delays[delays.count / 2]
  }
}

extension EventComparison.Run {
  /// Returns the number of events of a kind.
  public func count(_ kind: Event.Kind) -> Int { events.count { $0.kind == kind } }

  /// The number of exits after which the same region is entered within `EventComparison.flapping`.
  public var flaps: Int {
    var exits: [String: Instant] = [:]
    var flaps = 0
    for event in events {
      guard let region = event.region, let time = event.time else { continue }
      switch event.kind {
      case .exit: exits[region] = time
      case .enter: if let exit = exits.removeValue(forKey: region), time - exit <= EventComparison.flapping { flaps += 1 }
      case .dwell, .cross, .state, .depart, .hurry, .arrive, .miss, .beaconMissing, .beaconWeak, .beaconMoved, .beaconDuplicate,
        .beaconRecovered, .alert, .alertEnded, .damaged, nil:
        break
      }
    }
    return flaps
  }
}
