import Instants
import Locations

/// What the receiver on a walk said, and when by its own clock.
public struct WalkReport: Hashable, Sendable {
  public var report: SourceReport
  /// Since the Unix epoch. Of a receiver that has neither a fix nor a time, the last one that it told.
  public var time: Instant

  public init(_ report: SourceReport, at time: Instant) {
    self.report = report
    self.time = time
  }
}
