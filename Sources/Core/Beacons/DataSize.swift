/// A number of octets as users write it on a command line: `"10MB"`.
public struct DataSize: Hashable, Sendable {
  public let octets: UInt64

  public init(octets: UInt64) {
    self.octets = octets
  }

  private static let units: [(suffix: String, octets: UInt64)] = [
    ("GB", 1_000_000_000), ("GiB", 1 << 30), ("MB", 1_000_000), ("MiB", 1 << 20), ("kB", 1000), ("KiB", 1 << 10), ("B", 1),
  ]

  /// Parses a positive whole number and a unit, or returns nil.
  /// The units are B, kB, MB and GB, each a thousand of the one before, and KiB, MiB and GiB, each 1024 of the one before.
  public init?(text: String) {
    guard let unit = Self.units.first(where: { text.hasSuffix($0.suffix) }) else { return nil }
    let digits = text.dropLast(unit.suffix.count)
    guard digits.allSatisfy({ ("0"..."9").contains($0) }), let number = UInt64(digits), number > 0 else { return nil }
    let (octets, overflow) = number.multipliedReportingOverflow(by: unit.octets)
    guard !overflow, octets <= UInt64(Int64.max) else { return nil }
    self.init(octets: octets)
  }

  /// The shortest exact text that `init(text:)` parses.
  public var text: String {
    let unit = Self.units.first { octets % $0.octets == 0 } ?? ("B", 1)
    return octets == 0 ? "0B" : "\(octets / unit.octets)\(unit.suffix)"
  }
}
