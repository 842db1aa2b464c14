import Instants

/// The limits beyond which a state of a fleet is a problem.
public struct AlertLimits: Hashable, Sendable {
  /// The silence of a device. A device reports every five minutes at the latest.
  public var silence = Span.seconds(900)
  /// The silence of a beacon with a name.
  public var missing = Span.seconds(86_400)
  /// The time for which a problem must be over before its alert ends.
  ///
  /// Problems other than silence must also last for this time before their alert.
  public var steady = Span.seconds(120)
  /// The free octets of a device's disk.
  public var freeSpace: UInt64 = 200_000_000
  /// The free octets of a disk of the hub.
  public var hubFreeSpace: UInt64 = 2_000_000_000
  /// The messages that wait in all queues.
  public var backlog = 10_000

  public init() {}
}
