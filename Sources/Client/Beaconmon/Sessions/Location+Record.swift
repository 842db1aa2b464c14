internal import Events
import FoundationEssentials
internal import Instants
internal import Locations
internal import MonitorClient

extension Location {
  /// Creates a location from a location of the service; nil if it has no coordinate.
  init?(_ report: LocationReport) {
    guard let latitude = report.latitude, let longitude = report.longitude else { return nil }
    // An age beyond the range of any clock is invalid.
    let age = report.age.flatMap { (0...1e9).contains($0) ? $0 : nil }
    self.init(
      LocationCoordinate2D(latitude: latitude, longitude: longitude), report.altitude, report.ellipsoidalAltitude,
      report.horizontalAccuracy, report.verticalAccuracy, report.speed, report.speedAccuracy, report.course, report.courseAccuracy,
      report.floor.flatMap { Int(exactly: $0) }, report.time.map { Date($0) } ?? Date() - (age ?? 0),
      report.source.flatMap(Source.init(rawValue:)), age.map { ContinuousClock.now - .seconds($0) }, Placemark(report))
  }

  /// Creates a location from the fix of an event; nil if the event has no fix or no time.
  init?(of event: Event) {
    guard let fix = event.location, let time = event.reason.fixTime ?? event.time else { return nil }
    self.init(fix, time)
  }

  /// Creates a location from the fix of a state; nil if the state has no fix or no time.
  init?(of report: RegionReport) {
    guard let fix = report.location, let time = report.fixTime else { return nil }
    self.init(fix, time)
  }

  private init(_ fix: Event.Location, _ time: Instant) {
    self.init(
      LocationCoordinate2D(latitude: fix.latitude, longitude: fix.longitude), nil, nil, fix.horizontalAccuracy, nil, fix.speed, nil, nil,
      nil, nil, Date(time), nil, nil)
  }

  /// The location as one that the user states.
  var stated: ManualLocation {
    ManualLocation(
      latitude: coordinate.latitude, longitude: coordinate.longitude, horizontalAccuracy: horizontalAccuracy, altitude: altitude,
      floor: floor.map { Int64($0) })
  }
}
