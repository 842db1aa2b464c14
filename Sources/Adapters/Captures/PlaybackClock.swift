import Instants

/// The clock of a capture that plays: it starts at the first record and runs `speed` times as fast as the loop's.
struct PlaybackClock: Hashable, Sendable {
  let start: Instant
  let speed: Double
  /// The loop's time at which the capture started.
  let anchor: Instant

  func captureTime(at now: Instant) -> Instant {
    start + (now - anchor) * speed
  }

  /// Returns the time on the loop's clock at which the capture's `time` comes; never earlier.
  func loopTime(of time: Instant) -> Instant {
    time == .never ? .never : anchor + (time - start) * (1 / speed) + Span(microseconds: 1)
  }
}
