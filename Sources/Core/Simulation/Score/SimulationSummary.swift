import Instants
import Records

/// The result of a simulation.
public struct SimulationSummary: Sendable {
  /// The name of the scenario.
  public var scenario: String
  public var seed: UInt64
  /// The duration of the scenario.
  public var duration: Span
  /// The numbers of sent and of received advertisements.
  public var (sent, heard) = (0, 0)
  /// The number of fixes; nil without a satellite receiver.
  public var fixes: Int?
  /// The number of updates of a simulated location client; nil without one.
  public var updates: Int?
  /// The score of the engine; nil if none was requested.
  public var score: ScenarioScore?

  public init(scenario: String, seed: UInt64, duration: Span) {
    (self.scenario, self.seed, self.duration) = (scenario, seed, duration)
  }

  /// The values of `beaconmon simulate --json`.
  public var record: Record {
    var record = Record([
      "scenario": .text(scenario), "seed": .count(seed), "seconds": .quantity(duration.seconds, decimals: 3),
      "sent": .count(UInt64(sent)), "heard": .count(UInt64(heard)), "fixes": fixes.map { .count(UInt64($0)) },
      "updates": updates.map { .count(UInt64($0)) },
    ])
    score?.append(to: &record)
    return record
  }
}
