import Instants

/// A list of latencies and its percentiles.
public struct Latencies: Hashable, Sendable {
  private var spans: [Span] = []

  public init() {}

  /// Adds a latency; a negative one counts as zero.
  mutating func add(_ span: Span) {
    spans.append(Swift.max(.zero, span))
  }

  public static func += (all: inout Latencies, other: Latencies) {
    all.spans += other.spans
  }

  public var count: Int { spans.count }

  /// Returns the smallest latency that at least this share of all do not exceed, or nil without latencies.
  /// The percentile uses the nearest rank, without interpolation.
  public func percentile(_ share: Double) -> Span? {
    guard !spans.isEmpty else { return nil }
    let rank = Int((share * Double(spans.count)).rounded(.up))
    return spans.sorted()[Swift.min(spans.count, Swift.max(1, rank)) - 1]
  }

  public var largest: Span? { spans.max() }
}
