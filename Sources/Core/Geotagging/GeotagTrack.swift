import Geodesy
import Instants
import Locations

/// The positions and headings of a device over time, from which a photo gets its place.
public struct GeotagTrack: Sendable {
  /// A position at a time.
  public struct Fix: Hashable, Sendable {
    public var time: Instant
    public var coordinate: Coordinate
    /// Metres above mean sea level.
    public var altitude: Double?
    /// One sigma in metres.
    public var accuracy: Double?
    /// The floor in words; nil outdoors or if it is unknown.
    public var floor: String?

    public init(time: Instant, coordinate: Coordinate, altitude: Double? = nil, accuracy: Double? = nil, floor: String? = nil) {
      (self.time, self.coordinate) = (time, coordinate)
      (self.altitude, self.accuracy, self.floor) = (altitude, accuracy, floor)
    }
  }

  /// The direction in which the device points, which is not the course of its travel.
  public struct Direction: Hashable, Sendable {
    /// The north from which a direction is measured.
    public enum Reference: String, Sendable {
      case trueNorth = "T"
      case magneticNorth = "M"
    }

    /// Degrees clockwise from north, 0..<360.
    public var degrees: Double
    public var reference: Reference

    public init(degrees: Double, reference: Reference) {
      (self.degrees, self.reference) = (degrees, reference)
    }
  }

  /// The longest time between a photo and the heading on each side of it: a device turns faster than it travels.
  static let headingGap = Span.seconds(5)

  private var fixes: [Fix] = []
  private var headings: [(time: Instant, reading: HeadingReading)] = []
  private var isSorted = true

  public init() {}

  public var fixCount: Int { fixes.count }
  /// The times of the first and the last fix; nil without one.
  public var period: ClosedRange<Instant>? {
    guard let first = fixes.map(\.time).min(), let last = fixes.map(\.time).max() else { return nil }
    return first...last
  }

  public mutating func add(_ fix: Fix) {
    fixes.append(fix)
    isSorted = false
  }

  public mutating func add(_ heading: HeadingReading, at time: Instant) {
    headings.append((time, heading))
    isSorted = false
  }

  /// Sorts the added fixes, which may come from several files.
  public mutating func sort() {
    guard !isSorted else { return }
    fixes.sort { $0.time < $1.time }
    headings.sort { $0.time < $1.time }
    isSorted = true
  }

  /// Returns the place at a time; call `sort` before.
  ///
  /// It lies on the geodesic between the fix before and the fix after if both are within `gap`, and at the nearer fix if only that one is.
  /// - Throws: if no fix is within `gap`.
  public func place(at time: Instant, gap: Span) throws(GeotagRefusal) -> GeotagPlace {
    let next = fixes.partitioningIndex { $0.time >= time }
    let after = next < fixes.count ? fixes[next] : nil
    let before = next > 0 ? fixes[next - 1] : nil
    guard let nearest = [before, after].compactMap({ $0.map { abs($0.time - time) } }).min() else { throw .noFixes }
    guard nearest <= gap else { throw .tooFar(nearest) }
    var place: GeotagPlace
    switch (before, after) {
    case (_, let fix?) where fix.time == time: place = GeotagPlace(of: fix, at: time)
    case (let before?, let after?) where time - before.time <= gap && after.time - time <= gap:
      place = GeotagPlace(between: before, and: after, at: time)
    case (let before?, _) where time - before.time <= gap: place = GeotagPlace(of: before, at: time)
    case (_, let after?): place = GeotagPlace(of: after, at: time)
    default: throw .noFixes
    }
    place.direction = direction(at: time)
    return place
  }

  private func abs(_ span: Span) -> Span { span < .zero ? .zero - span : span }

  /// Returns the direction at a time, true if possible; nil without a heading at most five seconds away.
  private func direction(at time: Instant) -> Direction? {
    direction(at: time, .trueNorth, \.trueHeading) ?? direction(at: time, .magneticNorth, \.magneticHeading)
  }

  private func direction(
    at time: Instant, _ reference: Direction.Reference, _ value: @escaping (HeadingReading) -> Double?
  ) -> Direction? {
    let next = headings.partitioningIndex { $0.time >= time }
    // A receiver sends true and magnetic headings in separate sentences.
    let after = headings[next...].lazy.prefix { $0.time - time <= Self.headingGap }.compactMap { entry in
      value(entry.reading).map { (time: entry.time, degrees: $0) }
    }.first
    let before = headings[..<next].reversed().lazy.prefix { time - $0.time <= Self.headingGap }.compactMap { entry in
      value(entry.reading).map { (time: entry.time, degrees: $0) }
    }.first
    let degrees: Double
    switch (before, after) {
    case (let before?, let after?):
      let share = (time - before.time).seconds / (after.time - before.time).seconds
      // The shorter way round, across north if necessary.
      degrees = before.degrees + share * (after.degrees - before.degrees).remainder(dividingBy: 360)
    case (let only?, nil), (nil, let only?): degrees = only.degrees
    case (nil, nil): return nil
    }
    let turned = degrees.truncatingRemainder(dividingBy: 360)
    return Direction(degrees: turned < 0 ? turned + 360 : turned, reference: reference)
  }
}

/// The place of a photo.
public struct GeotagPlace: Hashable, Sendable {
  /// The time of the photo, since the Unix epoch.
  public let time: Instant
  public let coordinate: Coordinate
  /// Metres above mean sea level.
  public let altitude: Double?
  /// One sigma in metres; nil between two fixes that are far apart, because the way between them is unknown.
  public let accuracy: Double?
  /// The floor in words; nil between two floors.
  public let floor: String?
  public var direction: GeotagTrack.Direction?
  /// The times from the photo to the fixes that were used, each positive: one, or that before and that after.
  public let distances: [Span]

  init(of fix: GeotagTrack.Fix, at time: Instant) {
    self.time = time
    (coordinate, altitude, floor) = (fix.coordinate, fix.altitude, fix.floor)
    let distance = fix.time < time ? time - fix.time : fix.time - time
    distances = [distance]
    accuracy = distance <= Self.knownWay ? fix.accuracy : nil
  }

  init(between before: GeotagTrack.Fix, and after: GeotagTrack.Fix, at time: Instant) {
    self.time = time
    distances = [time - before.time, after.time - time]
    let way = after.time - before.time
    let share = (time - before.time).seconds / way.seconds
    let geodesic = Geodesic(from: before.coordinate, to: after.coordinate)
    coordinate = before.coordinate.destination(azimuth: geodesic.initialAzimuth, distance: share * geodesic.distance).coordinate
    altitude = before.altitude.flatMap { low in after.altitude.map { low + share * ($0 - low) } }
    floor = before.floor == after.floor ? before.floor : nil
    accuracy = way <= Self.knownWay ? before.accuracy.flatMap { one in after.accuracy.map { max(one, $0) } } : nil
  }

  /// The longest time in which a device hardly leaves the line between two fixes.
  private static let knownWay = Span.seconds(10)
}

/// The reason why a photo gets no place.
public enum GeotagRefusal: Error, Hashable, Sendable {
  /// No fix at all.
  case noFixes
  /// The nearest fix is this far from the photo.
  case tooFar(Span)
}

extension Array {
  /// Returns the index of the first element for which the predicate is true.
  /// The predicate must be false for all elements before that one, and true for all after it.
  fileprivate func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
