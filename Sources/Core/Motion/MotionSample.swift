public import Headings
public import Instants

/// A sample of a sensor of motion, with its time on any one clock.
public struct MotionSample: Hashable, Sendable {
  public enum Value: Hashable, Sendable {
    /// m/s², gravity included; a device that rests face up has +9.8 for z.
    case acceleration(SpaceVector)
    /// Radians a second about the axes of the device, counter-clockwise as seen from the end of the axis.
    case rotation(SpaceVector)
  }

  public let value: Value
  public let time: Instant

  public init(_ value: Value, at time: Instant) {
    (self.value, self.time) = (value, time)
  }
}

extension MotionEstimator {
  public mutating func take(_ sample: MotionSample) {
    switch sample.value {
    case .acceleration(let acceleration): take(acceleration: acceleration, at: sample.time)
    case .rotation(let rotation): take(rotation: rotation, at: sample.time)
    }
  }
}
