import Geodesy
import Instants
import Records

extension Location {
  /// Returns the record of the fix for clients, with its age.
  /// Accuracies are one standard deviation; keys of unknown values are absent.
  ///
  /// - Parameter now: on the clock of `received`.
  public func record(at now: Instant) -> Record {
    Record([
      "latitude": .degreesOnEarth(coordinate.latitude),
      "longitude": .degreesOnEarth(coordinate.longitude),
      "altitude": altitude.map { .metres($0) },
      "ellipsoidalAltitude": ellipsoidalAltitude.map { .metres($0) },
      "horizontalAccuracy": horizontalAccuracy.map { .accuracy($0) },
      "verticalAccuracy": verticalAccuracy.map { .accuracy($0) },
      "speed": speed.map { .quantity($0, decimals: 2) },
      "speedAccuracy": speedAccuracy.map { .quantity($0, decimals: 2) },
      "course": course.map { .direction($0) },
      "courseAccuracy": courseAccuracy.map { .quantity($0, decimals: 1) },
      "floor": floor.map { .integer(Int64($0)) },
      "time": time.map { .time($0) },
      "age": .quantity(age(at: now).seconds, decimals: 3),
      "source": .text(source.name),
    ])
  }
}

extension RecordValue {
  /// Returns degrees clockwise from north, rounded to 0.1° and below 360.
  static func direction(_ value: Double) -> RecordValue { .quantity(value < 359.95 ? value : 0, decimals: 1) }
  /// Returns metres rounded to 0.01, but never 0, which would mean an unknown accuracy.
  fileprivate static func accuracy(_ value: Double) -> RecordValue { .metres(max(value, 0.01)) }
}
