import Records

/// The options of `Session.StartUpdatingLocation`.
public struct LocationUpdateOptions: Hashable, Sendable {
  public enum Updates: Hashable, Sendable {
    /// Fixes of an accuracy, one sigma in metres; zero requests the best available one.
    ///
    /// With `distanceFilter`, a fix is reported if it is at least as many metres from the last one, or at least twice as accurate.
    case fixes(desiredAccuracy: Double, distanceFilter: Double?)
    /// Moves of half a kilometre, at most one every five minutes.
    case significantChanges
  }

  public var updates: Updates
  /// The language of the names of places; nil for that of the daemon.
  public var locale: String?

  public init(_ updates: Updates, locale: String? = nil) {
    (self.updates, self.locale) = (updates, locale)
  }

  var record: Record {
    var record = Record()
    switch updates {
    case .significantChanges: record.append("significantChanges", .flag(true))
    case .fixes(let accuracy, let filter):
      record.append("desiredAccuracy", .metres(accuracy))
      record.append("distanceFilter", filter.map { .metres($0) })
    }
    record.append("locale", locale.map { .text($0) })
    return record
  }
}

/// The location that a program's user states, as `Session.SetManualLocation` takes it.
public struct ManualLocation: Hashable, Sendable {
  /// Degrees on WGS84.
  public var latitude: Double
  public var longitude: Double
  /// The accuracy, one sigma in metres.
  public var horizontalAccuracy: Double?
  /// The altitude in metres above the sea.
  public var altitude: Double?
  /// The ordinal of the floor.
  public var floor: Int64?

  public init(latitude: Double, longitude: Double, horizontalAccuracy: Double? = nil, altitude: Double? = nil, floor: Int64? = nil) {
    (self.latitude, self.longitude, self.horizontalAccuracy) = (latitude, longitude, horizontalAccuracy)
    (self.altitude, self.floor) = (altitude, floor)
  }

  var record: Record {
    Record([
      "latitude": .degreesOnEarth(latitude), "longitude": .degreesOnEarth(longitude),
      "horizontalAccuracy": horizontalAccuracy.map { .metres($0) }, "altitude": altitude.map { .metres($0) },
      "floor": floor.map { .integer($0) },
    ])
  }
}
