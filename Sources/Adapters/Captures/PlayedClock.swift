import EventLoop
import Instants
import Positioning

/// The clock of a recording that plays; between its steps and after its end, it runs on at the playback's speed.
public final class PlayedClock: LocationClock {
  public let speed: Double
  private let loop: Loop
  private var told = (time: Instant(microseconds: 0), at: Instant(microseconds: 0))
  private var isTelling = false

  public init(_ loop: Loop, _ pace: CapturePlayback.Pace) {
    self.loop = loop
    switch pace {
    case .speed(let speed): self.speed = speed
    case .unpaced: speed = 1
    }
  }

  public var now: Instant { isTelling ? told.time : told.time + (loop.now - told.at) * speed }

  public func wallClock(_ instant: Instant) -> Instant { instant }

  /// Stands at exactly `time` while `body` runs, so that results do not depend on the machine's speed.
  public func tell(_ time: Instant, _ body: () -> Void) {
    (told, isTelling) = ((time, loop.now), true)
    body()
    isTelling = false
  }
}
