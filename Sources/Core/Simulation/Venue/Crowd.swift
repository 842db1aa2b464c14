import Instants
import Venues

/// Other devices in range: phones, earphones and tags that are not iBeacons.
///
/// They add to the capture and to the load of its readers. Their effect on the beacons' reception belongs in the beacons' loss:
/// collisions between two thousand devices depend on undocumented properties of radios.
public struct Crowd: Hashable, Sendable {
  public var devices: Int
  /// The interval between two advertisements of one device.
  public var interval: Span
  /// One of two opposite corners of the floor area with the devices.
  public var from: PlanPoint
  public var to: PlanPoint

  public static let defaultInterval = Span.milliseconds(1000)

  public init(devices: Int, interval: Span = defaultInterval, from: PlanPoint, to: PlanPoint) {
    self.devices = devices
    self.interval = interval
    self.from = from
    self.to = to
  }
}
