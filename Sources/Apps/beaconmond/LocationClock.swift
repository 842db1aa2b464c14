import Captures
import EventLoop
import Instants

/// What time it is for those who ask where the device is: that of the fixes.
protocol LocationClock: AnyObject {
  var now: Instant { get }
  /// So many times faster than the loop's.
  var speed: Double { get }
  /// From its time to time since the Unix epoch.
  func wallClock(_ instant: Instant) -> Instant
}

/// That of the boot, which goes on while the machine sleeps.
final class LiveClock: LocationClock {
  private let loop: Loop
  let speed = 1.0

  init(_ loop: Loop) {
    self.loop = loop
  }

  var now: Instant { loop.sinceBoot }

  func wallClock(_ instant: Instant) -> Instant { WallClock.now - (loop.sinceBoot - instant) }
}

/// That of a recording which plays. Between what it tells, and after its end, it runs on as fast as it played.
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

  /// It is this time exactly while `body` runs: what comes of a recording does not depend on how fast the machine is.
  func tell(_ time: Instant, _ body: () -> Void) {
    (told, isTelling) = ((time, loop.now), true)
    body()
    isTelling = false
  }
}
