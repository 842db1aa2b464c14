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
