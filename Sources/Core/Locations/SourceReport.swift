import Instants

/// What a receiver has to say about one epoch.
public enum SourceReport: Hashable, Sendable {
  case reading(LocationReading)
  /// It is there and has no fix; what time it has, if any, since the Unix epoch.
  case searching(Satellites, time: Instant? = nil)
  /// It has a compass.
  case heading(HeadingReading)

  /// How many satellites it uses and sees, as far as it tells.
  public struct Satellites: Hashable, Sendable {
    public var used: Int?
    public var seen: Int?

    public init(used: Int? = nil, seen: Int? = nil) {
      self.used = used
      self.seen = seen
    }
  }
}
