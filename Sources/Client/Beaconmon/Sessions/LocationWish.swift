internal import Records

/// Where the device is, as the parts of a program want to be told of it together.
struct LocationWish: Sendable {
  var accuracy = LocationAccuracy.best
  /// Metres.
  var distanceFilter: Double?
  /// `startUpdatingLocation` was called.
  var isUpdating = false
  /// `startMonitoringSignificantLocationChanges` was called.
  var isMonitoringChanges = false
  /// How many sequences are iterated.
  var sequences = 0

  /// Whether what is told is anybody's business.
  var isOn: Bool { isUpdating || isMonitoringChanges || sequences > 0 }

  /// Core Location's: half a kilometre, at most every five minutes.
  private static let changes = (accuracy: LocationAccuracy.kilometer, filter: 500.0)
  /// The bus has distances to the centimetre.
  private static let leastFilter = 0.01

  /// As `Session.StartUpdatingLocation` takes it; nil: nobody wants to know. Who also monitors significant changes hears of them among the rest.
  var options: Record? {
    guard isOn else { return nil }
    guard isUpdating || sequences > 0 else { return Record(["significantChanges": .flag(true)]) }
    var (metres, filter) = (accuracy.metres, distanceFilter.flatMap { $0 > 0 && $0.isFinite ? max($0, Self.leastFilter) : nil })
    if isMonitoringChanges {
      metres = min(metres, Self.changes.accuracy.metres)
      filter = filter.map { min($0, Self.changes.filter) }
    }
    return Record(["desiredAccuracy": .metres(metres), "distanceFilter": filter.map { .metres($0) }])
  }
}
