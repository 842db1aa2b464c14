import EventLoop
import Instants
import Positioning

/// The clock of live fixes: the time since boot, which continues while the machine sleeps.
public final class BootTimeClock: LocationClock {
  public let speed = 1.0
  private let loop: Loop

  public init(_ loop: Loop) {
    self.loop = loop
  }

  public var now: Instant { loop.sinceBoot }

  public func wallClock(_ instant: Instant) -> Instant { WallClock.now - (loop.sinceBoot - instant) }
}
