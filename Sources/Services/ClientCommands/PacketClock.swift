import Instants
import Scheduling

/// The clock by which a walk with packets is timed: that of this machine, or that of a capture that the daemon plays.
public struct PacketClock {
  /// Packets that are older than this when they arrive come from a capture.
  static let delay = Span.seconds(5)

  private let scheduler: any Scheduler
  /// The time of the last packet; nil before the first one.
  private var last: Instant?
  private var isLive = false

  public init(_ scheduler: any Scheduler) { self.scheduler = scheduler }

  /// Takes the time of a packet that has just arrived.
  public mutating func take(_ time: Instant) {
    let wall = scheduler.wallClock
    (last, isLive) = (time, (wall - Self.delay...wall + Self.delay).contains(time))
  }

  /// The present time; nil before the first packet. Live packets that cease do not stop it.
  public var now: Instant? { isLive ? scheduler.wallClock : last }
}
