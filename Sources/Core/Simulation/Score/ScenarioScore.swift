import Instants
import Records
import Scoring

/// The score of an engine in a scenario, region by region.
public struct ScenarioScore: Sendable {
  /// The scores in the order of the scenario's regions.
  public let regions: [(identifier: String, score: RegionScore)]
  /// The comparison of positions and distances with the truth; nil without a venue.
  public let walk: WalkScore?

  public var total: RegionScore {
    regions.reduce(into: RegionScore()) { $0 += $1.score }
  }

  /// Appends the values of `beaconmon simulate --score --json`: `regions`, `total`, and `walk` in a venue.
  func append(to record: inout Record) {
    record.append(
      "regions",
      .list(
        regions.map { identifier, score in
          var region = Record(["region": .text(identifier)])
          score.append(to: &region)
          return region
        }))
    var all = Record()
    total.append(to: &all)
    record.append("total", .record(all))
    record.append("walk", walk.map { .record($0.record) })
  }
}

extension RegionScore {
  fileprivate func append(to record: inout Record) {
    record.append("precision", precision.map { .quantity($0, decimals: 4) })
    record.append("recall", recall.map { .quantity($0, decimals: 4) })
    record.append("falseExits", .count(UInt64(falseExits)))
    record.append("strayEvents", .count(UInt64(strayEvents)))
    record.append("missed", .count(UInt64(missed)))
    record.append("enterLatency", enterLatency.record.map { .record($0) })
    record.append("exitLatency", exitLatency.record.map { .record($0) })
  }
}

extension Latencies {
  /// The record in seconds; nil without latencies.
  fileprivate var record: Record? {
    guard let median = percentile(0.5), let tail = percentile(0.99), let largest else { return nil }
    func seconds(_ span: Span) -> RecordValue { .quantity(span.seconds, decimals: 3) }
    return Record(["p50": seconds(median), "p99": seconds(tail), "max": seconds(largest)])
  }
}
