/// Decides which headings a client receives: those that differ from the last delivered one by at least a number of degrees.
public struct HeadingFilter: Hashable, Sendable {
  /// Degrees; 0 delivers every heading.
  public let degrees: Double
  private var last: Double?

  /// Returns nil unless `degrees` lies in 0...180.
  public init?(degrees: Double) {
    guard (0...180).contains(degrees) else { return nil }
    self.degrees = degrees
  }

  /// Returns whether the client receives this heading in degrees.
  /// The first is always delivered, and turns across north count as turns.
  public mutating func accepts(_ heading: Double) -> Bool {
    guard heading.isFinite else { return false }
    if let last, abs(Double.turn(from: last, to: heading)) < degrees { return false }
    last = heading
    return true
  }

  /// Delivers the next heading in any case, such as the first after interference.
  public mutating func reset() {
    last = nil
  }
}
