import Instants

/// The selection and the limits of a recording.
public struct RecordingOptions: Hashable, Sendable {
  /// Whether to record everything with the original addresses, including those of passers-by.
  /// If false, the recording holds only beacons, with pseudonyms.
  public var keepsEverything: Bool
  /// The limit for the size of the whole capture, which is never exceeded.
  public var limitSize: DataSize
  public var duration: Span

  /// The default limit, so that a forgotten recording does not fill a disk.
  public static let defaultLimitSize = DataSize(octets: 100_000_000)
  public static let defaultDuration = Span.seconds(3600)
  public static let longestDuration = Span.seconds(30 * 86_400)
  /// The smallest limit: a header and the first and the last note must fit.
  public static let smallestLimitSize = DataSize(octets: 1000)

  public init(
    keepsEverything: Bool = false, limitSize: DataSize = defaultLimitSize, duration: Span = defaultDuration
  ) {
    self.keepsEverything = keepsEverything
    self.limitSize = limitSize
    self.duration = duration
  }
}

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
