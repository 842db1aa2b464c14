import Instants

/// The latest headings of a compass.
/// Receivers send the true and the magnetic heading in separate sentences.
public struct Compass: Sendable {
  private struct Received {
    let degrees: Double
    let time: Instant
  }

  private var trueHeading: Received?
  private var magneticHeading: Received?
  private var variation: Received?

  public init() {}

  public mutating func take(_ reading: HeadingReading, at now: Instant) {
    func received(_ degrees: Double?) -> Received? { degrees.map { Received(degrees: $0, time: now) } }
    trueHeading = received(reading.trueHeading) ?? trueHeading
    magneticHeading = received(reading.magneticHeading) ?? magneticHeading
    variation = received(reading.variation) ?? variation
  }

  /// Returns the headings for clients, with the age of the latest.
  /// Returns nil if the compass has been silent for `patience`.
  public func report(at now: Instant, patience: Span) -> HeadingReport? {
    func current(_ heading: Received?) -> Received? { heading.flatMap { now - $0.time <= patience ? $0 : nil } }
    let (trueHeading, magneticHeading) = (current(trueHeading), current(magneticHeading))
    guard let latest = [trueHeading, magneticHeading].compactMap({ $0?.time }).max() else { return nil }
    var report = HeadingReport()
    report.trueHeading = trueHeading.map { Location.direction($0.degrees) }
    report.magneticHeading = magneticHeading.map { Location.direction($0.degrees) }
    (report.variation, report.age) = (current(variation)?.degrees, max(0, (now - latest).seconds))
    return report
  }
}
