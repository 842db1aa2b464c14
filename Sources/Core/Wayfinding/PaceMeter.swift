import Instants

/// Measures the speed of a visitor on foot from the progress along a route.
///
/// Positions indoors have no speed of their own. A measurement covers some metres without a stop, stairs or a lift.
struct PaceMeter: Sendable {
  private typealias Mark = (progress: Double, time: Instant)

  /// The beginning of the measurement; nil while the visitor does not walk.
  private var start: Mark?
  /// The marks of the last seconds.
  private var recent: [Mark] = []

  /// The minimum distance in metres and the minimum time of a measurement, at which the error of a position is a tenth.
  private static let (length, time) = (20.0, Span.seconds(13))
  /// The time, and the metres that a walking visitor covers in it.
  private static let (stopTime, stopLength) = (Span.seconds(4), 1.5)

  /// Takes the progress in metres, and returns the speed in m/s when a measurement is complete.
  ///
  /// - Parameter isOnFoot: whether the visitor walks on a floor, not on stairs or in a lift.
  mutating func add(_ progress: Double, at time: Instant, isOnFoot: Bool) -> Double? {
    guard isOnFoot, recent.last.map({ time > $0.time && time - $0.time <= Self.stopTime }) ?? true else {
      reset()
      return nil
    }
    recent.append((progress, time))
    if let old = recent.last(where: { time - $0.time >= Self.stopTime }) {
      guard progress - old.progress >= Self.stopLength else {
        reset()
        return nil
      }
      recent.removeAll { $0.time < old.time }
    }
    guard let start else {
      start = (progress, time)
      return nil
    }
    let metres = progress - start.progress
    guard metres >= Self.length, time - start.time >= Self.time else { return nil }
    self.start = (progress, time)
    return metres / (time - start.time).seconds
  }

  private mutating func reset() { (start, recent) = (nil, []) }
}
