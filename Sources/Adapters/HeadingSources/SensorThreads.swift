import Instants

/// The thread that reads sensors, and one before it that may still wait for a driver.
///
/// A thread that hangs in a read cannot be ended, and another one for the same driver would hang as well.
struct SensorThreads {
  /// The exchange with the thread that reads now; nil while there is none.
  private(set) var current: SensorExchange?
  /// The exchange with the last thread that was stopped, or with an earlier one that is still in a read.
  private(set) var stopped: SensorExchange?

  /// Call when a thread was started, after the one before was stopped.
  mutating func begin(_ exchange: SensorExchange) { current = exchange }

  /// Stops the thread that reads now.
  mutating func stop() {
    guard let current else { return }
    current.stop()
    // A thread that is in a read stays known, because its driver may hang.
    if stopped?.isReading != true { stopped = current }
    self.current = nil
  }

  /// Whether the driver of a thread that was stopped does not answer.
  func isHanging(at now: Instant) -> Bool { stopped?.isHanging(at: now) == true }
}
