import Instants

/// A receiver's report for one epoch.
public enum SourceReport: Hashable, Sendable {
  case reading(LocationReading)
  /// The receiver has no fix; `time` is its time since the Unix epoch, or nil if it has none.
  case searching(Satellites, time: Instant? = nil)
  /// A heading of the receiver's compass.
  case heading(HeadingReading)

  /// The numbers of satellites in use and in view, if the receiver reports them.
  public struct Satellites: Hashable, Sendable {
    public var used: Int?
    public var seen: Int?

    public init(used: Int? = nil, seen: Int? = nil) {
      self.used = used
      self.seen = seen
    }
  }
}
