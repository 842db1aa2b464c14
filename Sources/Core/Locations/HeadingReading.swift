/// The heading of a compass as a receiver reports it: degrees clockwise from north, 0..<360.
/// A heading is not a course: the device may move in another direction, or not at all.
public struct HeadingReading: Hashable, Sendable {
  /// The heading from true north.
  public let trueHeading: Double?
  /// The heading from magnetic north.
  public let magneticHeading: Double?
  /// The magnetic variation that the compass assumes: true minus magnetic heading in degrees, positive to the east.
  public let variation: Double?

  /// Returns nil unless at least one heading is given and every value is in range.
  /// If only the magnetic heading and the variation are given, the true heading is computed from them.
  public init?(trueHeading: Double? = nil, magneticHeading: Double? = nil, variation: Double? = nil) {
    guard [trueHeading, magneticHeading].allSatisfy({ $0.map((0...360).contains) ?? true }), variation.map((-180...180).contains) ?? true,
      trueHeading != nil || magneticHeading != nil
    else { return nil }
    let derived = magneticHeading.flatMap { magnetic in variation.map { magnetic + $0 } }
    self.trueHeading = (trueHeading ?? derived).map(Self.turned)
    self.magneticHeading = magneticHeading.map(Self.turned)
    self.variation = variation
  }

  private static func turned(_ degrees: Double) -> Double {
    let positive = degrees < 0 ? degrees + 360 : degrees
    return positive >= 360 ? positive - 360 : positive
  }
}
