/// A message of a device to the hub: its place in a numbered stream, and its content.
///
/// Docs/fleet/messages.md describes the octets.
public struct FleetMessage: Hashable, Sendable {
  /// The numbered streams of a device. Each has its own sequence.
  public enum Stream: UInt8, CaseIterable, Sendable {
    case events = 0
    case digests = 1
    case reports = 2
    case sharing = 3
  }

  public enum Body: Hashable, Sendable {
    /// An event as JSON, the same octets that every other target receives.
    case event(json: String)
    case digest([FleetSighting])
    case report(DeviceReport)
    case share(ShareMessage)
  }

  /// The largest message in octets. A longer one is refused before it is read.
  public static let maximumSize = 32_768
  /// The largest event in octets.
  public static let maximumEventSize = 16_384
  /// The largest number of sightings in a digest.
  public static let maximumSightings = 20

  /// The journal or the run of the notifier that numbered the message.
  public var journal: StreamJournal
  /// The number in the stream, from 1 on.
  public var sequence: Int64
  /// The lowest number that the device still has and will send. Every lower one that did not arrive is lost.
  public var floor: Int64
  /// Milliseconds since the Unix epoch, by the clock of the device: the end of the digest, or the time of sending.
  public var time: Int64
  public var body: Body

  public init(journal: StreamJournal, sequence: Int64, floor: Int64, time: Int64, body: Body) {
    (self.journal, self.sequence, self.floor, self.time, self.body) = (journal, sequence, floor, time, body)
  }

  public var stream: Stream {
    switch body {
    case .event: .events
    case .digest: .digests
    case .report: .reports
    case .share: .sharing
    }
  }
}

/// The 128-bit identity of a numbering.
public struct StreamJournal: Hashable, Sendable {
  public var high: UInt64
  public var low: UInt64

  public init(high: UInt64, low: UInt64) {
    (self.high, self.low) = (high, low)
  }
}
