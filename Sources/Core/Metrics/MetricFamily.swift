import Instants

/// Measured values under one name, as Prometheus reads them.
public struct MetricFamily: Hashable, Sendable {
  public enum Kind: String, Sendable {
    /// A number that only grows, and begins again with the process. The name ends in `_total`.
    case counter
    case gauge
  }

  /// A value with its labels.
  public struct Sample: Hashable, Sendable {
    public struct Label: Hashable, Sendable {
      public let name: String
      public let value: String
    }

    public let labels: [Label]
    public let value: Double
  }

  public let name: String
  public let kind: Kind
  public let help: String
  public private(set) var samples: [Sample] = []

  public init(_ name: String, _ kind: Kind, _ help: String) {
    self.name = name
    self.kind = kind
    self.help = help
  }

  /// Adds a sample, unless the value is nil.
  public mutating func add(_ value: Double?, _ labels: KeyValuePairs<String, String> = [:]) {
    guard let value else { return }
    add(value, labels: labels.map { Sample.Label(name: $0.key, value: $0.value) })
  }

  mutating func add(_ value: Double, labels: [Sample.Label]) {
    samples.append(Sample(labels: labels, value: value))
  }
}

/// The metrics of a program at one instant, in the order in which they are added.
public struct MetricSet: Sendable {
  public private(set) var families: [MetricFamily] = []

  public init() {}

  /// Adds a family, unless it has no samples.
  public mutating func add(_ family: MetricFamily) {
    if !family.samples.isEmpty { families.append(family) }
  }

  /// Adds a family with the samples that `body` adds.
  public mutating func add(_ name: String, _ kind: MetricFamily.Kind, _ help: String, _ body: (inout MetricFamily) -> Void) {
    var family = MetricFamily(name, kind, help)
    body(&family)
    add(family)
  }

  /// Adds a family with one value without labels, unless it is nil.
  public mutating func add(_ name: String, _ kind: MetricFamily.Kind, _ help: String, _ value: Double?) {
    add(name, kind, help) { $0.add(value) }
  }

  public mutating func add(_ name: String, _ kind: MetricFamily.Kind, _ help: String, _ value: UInt64?) {
    add(name, kind, help, value.map { Double($0) })
  }

  public mutating func add(_ name: String, _ kind: MetricFamily.Kind, _ help: String, _ value: Bool?) {
    add(name, kind, help, value.map { $0 ? 1.0 : 0.0 })
  }

  /// Adds a time since the Unix epoch in seconds.
  public mutating func add(_ name: String, _ kind: MetricFamily.Kind, _ help: String, _ time: Instant?) {
    add(name, kind, help, time?.unixSeconds)
  }
}

extension Instant {
  /// The seconds since the Unix epoch, for an instant on that clock.
  var unixSeconds: Double { Double(microseconds) / 1e6 }
}
