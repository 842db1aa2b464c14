import Locations
import Positioning
import Records

/// A location source whose readings go through a `FixValidator`.
///
/// The intake validates and counts the readings and knows the health of the source.
protocol ReceiverSource: LocationSource {
  var intake: FixValidator { get }
  /// The counts of the lines that the source reads; nil for a source that reads none.
  var lineCounts: LineStatistics? { get }
}

extension ReceiverSource {
  var lineCounts: LineStatistics? { nil }
  public var health: LocationHealth { intake.health }
  public var heading: HeadingReport? { intake.heading }

  public var counts: LocationCounts {
    var counts = intake.counts
    counts.lines = lineCounts
    return counts
  }

  public var onLocation: (Location) -> Void {
    get { intake.onLocation }
    set { intake.onLocation = newValue }
  }

  public var onHeading: (HeadingReading) -> Void {
    get { intake.onHeading }
    set { intake.onHeading = newValue }
  }

  public var onHealthChange: (LocationHealth) -> Void {
    get { intake.onHealthChange }
    set { intake.onHealthChange = newValue }
  }
}
