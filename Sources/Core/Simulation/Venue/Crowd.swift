import Instants

/// Other devices in the air: phones, earphones and tags that are no iBeacons.
///
/// They fill the capture and whatever reads it. What they cost beacons on the air belongs into the beacons' loss: two thousand devices collide in ways that depend
/// on radios nobody has described.
public struct Crowd: Hashable, Sendable {
  public var devices: Int
  /// Between two advertisements of one device.
  public var interval: Span
  /// Two opposite corners of the floor on which they are.
  public var from: Point
  public var to: Point

  public static let defaultInterval = Span.milliseconds(1000)

  public init(devices: Int, interval: Span = defaultInterval, from: Point, to: Point) {
    self.devices = devices
    self.interval = interval
    self.from = from
    self.to = to
  }
}
