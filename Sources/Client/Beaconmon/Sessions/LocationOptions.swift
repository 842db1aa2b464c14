internal import MonitorClient

/// The combined location request of all parts of a program.
struct LocationOptions: Sendable {
  var accuracy = LocationAccuracy.best
  /// The distance filter in metres; nil for none.
  var distanceFilter: Double?
  /// The language of the names of places; nil for that of the service.
  var language: String?
  /// True after `startUpdatingLocation`.
  var isUpdating = false
  /// True after `startMonitoringSignificantLocationChanges`.
  var isMonitoringChanges = false
  /// The number of iterated sequences.
  var sequences = 0

  /// True if any part of the program requests locations.
  var isOn: Bool { isUpdating || isMonitoringChanges || sequences > 0 }

  /// Core Location's significant change: half a kilometre, at most every five minutes.
  private static let changes = (accuracy: LocationAccuracy.kilometer, filter: 500.0)
  /// The smallest distance filter in metres: the bus has distances to the centimetre.
  private static let leastFilter = 0.01

  /// The options for `Session.StartUpdatingLocation`; nil if no part of the program requests locations.
  ///
  /// If the program also monitors significant changes, the other updates include them.
  var updates: LocationUpdateOptions? {
    guard isOn else { return nil }
    guard isUpdating || sequences > 0 else { return LocationUpdateOptions(.significantChanges, locale: language) }
    var (metres, filter) = (accuracy.metres, distanceFilter.flatMap { $0 > 0 && $0.isFinite ? max($0, Self.leastFilter) : nil })
    if isMonitoringChanges {
      metres = min(metres, Self.changes.accuracy.metres)
      filter = filter.map { min($0, Self.changes.filter) }
    }
    return LocationUpdateOptions(.fixes(desiredAccuracy: metres, distanceFilter: filter), locale: language)
  }
}
