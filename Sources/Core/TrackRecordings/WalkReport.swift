import Instants
import Locations

/// A report of the receiver on a walk, and its time on the receiver's clock.
public struct WalkReport: Hashable, Sendable {
  public var report: SourceReport
  /// The time since the Unix epoch; the last reported time if the receiver has neither a fix nor a time.
  public var time: Instant

  public init(_ report: SourceReport, at time: Instant) {
    self.report = report
    self.time = time
  }
}

extension Location.Source {
  /// The receiver of a recorded walk.
  public static let capture = Location.Source("capture")
}
