import Instants

/// The latest headings of a compass.
/// Receivers send the true and the magnetic heading in separate sentences.
public struct Compass: Sendable {
  private struct Told {
    let degrees: Double
    let received: Instant
  }

  private var trueHeading: Told?
  private var magneticHeading: Told?
  private var variation: Told?

  public init() {}

  public mutating func take(_ reading: HeadingReading, at now: Instant) {
    func told(_ degrees: Double?) -> Told? { degrees.map { Told(degrees: $0, received: now) } }
    trueHeading = told(reading.trueHeading) ?? trueHeading
    magneticHeading = told(reading.magneticHeading) ?? magneticHeading
    variation = told(reading.variation) ?? variation
  }

  /// Returns the headings for clients, with the age of the latest.
  /// Returns nil if the compass has been silent for `patience`.
  public func report(at now: Instant, patience: Span) -> HeadingReport? {
    func current(_ told: Told?) -> Told? { told.flatMap { now - $0.received <= patience ? $0 : nil } }
    let (trueHeading, magneticHeading) = (current(trueHeading), current(magneticHeading))
    guard let latest = [trueHeading, magneticHeading].compactMap({ $0?.received }).max() else { return nil }
    var report = HeadingReport()
    report.trueHeading = trueHeading.map { Location.direction($0.degrees) }
    report.magneticHeading = magneticHeading.map { Location.direction($0.degrees) }
    (report.variation, report.age) = (current(variation)?.degrees, max(0, (now - latest).seconds))
    return report
  }
}
