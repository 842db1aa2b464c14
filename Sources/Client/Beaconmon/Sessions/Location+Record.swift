internal import Events
import FoundationEssentials
internal import Instants
internal import Records

extension Location {
  /// Creates a location from the record of `Session.LocationUpdated`; nil if the record has no coordinate.
  init?(_ record: Record) {
    // An age beyond the range of any clock is invalid.
    let age = record["age"]?.quantity.flatMap { (0...1e9).contains($0) ? $0 : nil }
    self.init(
      record, record["time"]?.time.map { Date($0) } ?? Date() - (age ?? 0), age.map { ContinuousClock.now - .seconds($0) })
  }

  /// Creates a location from the fix of an event; nil if the event has no fix or no time.
  init?(of event: Event) {
    guard let fix = event.location, let time = event.reason.fixTime ?? event.time else { return nil }
    self.init(
      LocationCoordinate2D(latitude: fix.latitude, longitude: fix.longitude), nil, nil, fix.horizontalAccuracy, nil, fix.speed, nil, nil,
      nil, nil, Date(time), nil, nil)
  }

  /// Creates a location from the fix of a state; nil if the state has no fix or no time.
  init?(of details: Record) {
    guard let fix = details["location"]?.record, let time = (details["fixTime"] ?? details["time"])?.time else { return nil }
    self.init(fix, Date(time), nil)
  }

  private init?(_ record: Record, _ timestamp: Date, _ measured: ContinuousClock.Instant?) {
    guard let latitude = record["latitude"]?.quantity, let longitude = record["longitude"]?.quantity else { return nil }
    func quantity(_ key: String) -> Double? { record[key]?.quantity }
    self.init(
      LocationCoordinate2D(latitude: latitude, longitude: longitude), quantity("altitude"), quantity("ellipsoidalAltitude"),
      quantity("horizontalAccuracy"), quantity("verticalAccuracy"), quantity("speed"), quantity("speedAccuracy"), quantity("course"),
      quantity("courseAccuracy"), record["floor"]?.number.flatMap { Int(exactly: $0) }, timestamp,
      record["source"]?.text.flatMap(Source.init(rawValue:)), measured)
  }

  /// The location as the argument of `Session.SetManualLocation`.
  var manualRecord: Record {
    Record([
      "latitude": .degreesOnEarth(coordinate.latitude), "longitude": .degreesOnEarth(coordinate.longitude),
      "horizontalAccuracy": horizontalAccuracy.map { .metres($0) }, "altitude": altitude.map { .metres($0) },
      "floor": floor.map { .integer(Int64($0)) },
    ])
  }
}
