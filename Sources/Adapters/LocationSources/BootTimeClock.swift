import EventLoop
import Instants
import Locations
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

extension Receipt {
  /// Returns the current time of the clocks of this machine.
  static func now(_ loop: Loop) -> Receipt {
    let isSynchronised = EventLoop.WallClock.isSynchronised ?? false
    return Receipt(instant: loop.sinceBoot, wallClock: .init(time: EventLoop.WallClock.now, isSynchronised: isSynchronised))
  }
}
