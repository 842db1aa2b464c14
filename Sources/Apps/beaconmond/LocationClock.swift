import Captures
import EventLoop
import Instants

/// The clock of fixes, for location subscribers.
protocol LocationClock: AnyObject {
  var now: Instant { get }
  /// The speed relative to the loop's clock.
  var speed: Double { get }
  /// Converts a time of this clock to time since the Unix epoch.
  func wallClock(_ instant: Instant) -> Instant
}

/// The time since boot, which goes on while the machine sleeps.
final class LiveClock: LocationClock {
  private let loop: Loop
  let speed = 1.0

  init(_ loop: Loop) {
    self.loop = loop
  }

  var now: Instant { loop.sinceBoot }

  func wallClock(_ instant: Instant) -> Instant { WallClock.now - (loop.sinceBoot - instant) }
}

/// The clock of a recording that plays; between its steps and after its end, it runs on at the playback's speed.
final class PlayedClock: LocationClock {
  private let loop: Loop
  let speed: Double
  private var told = (time: Instant(microseconds: 0), at: Instant(microseconds: 0))
  private var isTelling = false

  init(_ loop: Loop, _ pace: CapturePlayback.Pace) {
    self.loop = loop
    switch pace {
    case .speed(let speed): self.speed = speed
    case .unpaced: speed = 1
    }
  }

  var now: Instant { isTelling ? told.time : told.time + (loop.now - told.at) * speed }

  func wallClock(_ instant: Instant) -> Instant { instant }

  /// Stands at exactly `time` while `body` runs, so that results do not depend on the machine's speed.
  func tell(_ time: Instant, _ body: () -> Void) {
    (told, isTelling) = ((time, loop.now), true)
    body()
    isTelling = false
  }
}
