/// The motion of the device as its sensors show it.
public struct DeviceMotion: Hashable, Sendable {
  public enum Activity: Hashable, Sendable {
    /// No sensor shows the motion, or not for long enough.
    case unknown
    /// The device lies or hangs still.
    case still
    /// The device is carried by a walker.
    case walking
    /// The device moves, but not by steps: it is handled, or in a vehicle.
    case moving
  }

  public var activity: Activity
  /// The steps of each second; nil unless the device is carried by a walker.
  public var cadence: Double?
  /// The degrees by which the device turned in the last second, clockwise as seen from above.
  /// Nil without a gyroscope or a heading.
  public var turn: Double?

  public init(_ activity: Activity, cadence: Double? = nil, turn: Double? = nil) {
    (self.activity, self.cadence, self.turn) = (activity, cadence, turn)
  }

  public static let unknown = DeviceMotion(.unknown)
}
