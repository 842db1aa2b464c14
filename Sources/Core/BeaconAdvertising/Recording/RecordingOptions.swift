import Instants

/// What a recording keeps, and when it ends by itself.
public struct RecordingOptions: Hashable, Sendable {
  /// Everything that is heard, with the addresses as they are: also of people who only pass by. Otherwise iBeacons only, with pseudonyms.
  public var keepsEverything: Bool
  /// Of the whole capture; never exceeded.
  public var limitSize: DataSize
  public var duration: Span

  /// A recording that was forgotten must not fill a disk.
  public static let defaultLimitSize = DataSize(octets: 100_000_000)
  public static let defaultDuration = Span.seconds(3600)
  public static let longestDuration = Span.seconds(30 * 86_400)
  /// A header and the first and the last note must fit.
  public static let smallestLimitSize = DataSize(octets: 1000)

  public init(
    keepsEverything: Bool = false, limitSize: DataSize = defaultLimitSize, duration: Span = defaultDuration
  ) {
    self.keepsEverything = keepsEverything
    self.limitSize = limitSize
    self.duration = duration
  }
}
