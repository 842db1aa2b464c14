import Instants

/// The options of a client's heading updates.
public struct HeadingRequest: Hashable, Sendable {
  /// The degrees by which a heading must differ from the last delivered one, 0...180; 0 delivers every sample.
  public var filter: Double
  /// The edge whose heading the client receives; nil for that of the configuration.
  public var orientation: DeviceOrientation?
  /// Whether the client receives the course instead while the device travels in a vehicle.
  public var followsTravel: Bool
  /// The longest time between two headings of a device that rests, whatever the filter; nil for no limit.
  public var interval: Span?

  public static let filters = 0.0...180.0
  public static let mountAngles = -360.0...360.0
  /// The shortest interval leaves the source the time for a new sample.
  public static let intervals = Span.milliseconds(100)...Span.seconds(86_400)

  public init(filter: Double = 1, orientation: DeviceOrientation? = nil, followsTravel: Bool = false, interval: Span? = nil) {
    (self.filter, self.orientation, self.followsTravel, self.interval) = (filter, orientation, followsTravel, interval)
  }
}

extension DeviceOrientation {
  /// The orientations with a name, as clients and the configuration write them.
  public static let named: [(name: String, orientation: DeviceOrientation)] = [
    ("portrait", .portrait), ("portraitUpsideDown", .portraitUpsideDown), ("landscapeLeft", .landscapeLeft),
    ("landscapeRight", .landscapeRight),
  ]

  /// Returns nil for an unknown name.
  public init?(named name: String) {
    guard let known = Self.named.first(where: { $0.name == name }) else { return nil }
    self = known.orientation
  }
}
