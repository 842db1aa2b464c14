import Instants

/// How late things came, as a list that grows and the few of its values that people ask for.
public struct Latencies: Hashable, Sendable {
  private var spans: [Span] = []

  public init() {}

  /// One that comes before it counts is not late.
  mutating func add(_ span: Span) {
    spans.append(Swift.max(.zero, span))
  }

  public static func += (all: inout Latencies, other: Latencies) {
    all.spans += other.spans
  }

  public var count: Int { spans.count }

  /// The smallest latency that at least this share of all do not exceed: nearest rank, no interpolation. Nil when there is none.
  public func percentile(_ share: Double) -> Span? {
    guard !spans.isEmpty else { return nil }
    let rank = Int((share * Double(spans.count)).rounded(.up))
    return spans.sorted()[Swift.min(spans.count, Swift.max(1, rank)) - 1]
  }

  public var largest: Span? { spans.max() }
}
