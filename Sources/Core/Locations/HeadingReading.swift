/// Where a compass points, as a receiver passes it on: degrees clockwise from north, 0..<360. It is no course: the device may move elsewhere, or stand.
public struct HeadingReading: Hashable, Sendable {
  /// From true north.
  public let trueHeading: Double?
  /// From magnetic north.
  public let magneticHeading: Double?
  /// What the compass takes true north to be from magnetic north, degrees, positive to the east.
  public let variation: Double?

  /// Where only the magnetic heading and the variation are known, the true heading follows from them. Nil unless there is a heading, and each lies on the circle.
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
