import Instants

/// Chooses between heading and course for a client that wants one direction.
///
/// At walking speed, the direction is the heading. In a vehicle, which disturbs a compass and in which the device can lie in any way, the
/// direction is the course.
public struct TravelDirection: Hashable, Sendable {
  public enum Choice: Hashable, Sendable {
    case heading
    case course
  }

  /// Metres per second: faster than a runner for this long is a vehicle, and slower than a cyclist is not.
  private static let vehicle = 5.0
  private static let walker = 2.5
  private static let patience = Span.seconds(5)

  public private(set) var choice = Choice.heading
  private var changing: Instant?

  public init() {}

  /// Takes the speed of a fix in metres per second; nil if it is unknown, which changes nothing.
  public mutating func take(speed: Double?, at time: Instant) {
    guard let speed, speed.isFinite else { return }
    let differs = choice == .heading ? speed > Self.vehicle : speed < Self.walker
    guard differs else {
      changing = nil
      return
    }
    let since = changing.map { min($0, time) } ?? time
    changing = since
    guard time - since >= Self.patience else { return }
    choice = choice == .heading ? .course : .heading
    changing = nil
  }
}
