import Geodesy
import Instants
import Records

extension Location {
  /// The fix as every program sees it, with its age. Accuracies are one standard deviation; what is unknown is not there.
  ///
  /// - Parameter now: on the clock of `received`.
  public func record(at now: Instant) -> Record {
    Record([
      "latitude": .degreesOnEarth(coordinate.latitude),
      "longitude": .degreesOnEarth(coordinate.longitude),
      "altitude": altitude.map { .metres($0) },
      "ellipsoidalAltitude": ellipsoidalAltitude.map { .metres($0) },
      "horizontalAccuracy": horizontalAccuracy.map { .metres($0) },
      "verticalAccuracy": verticalAccuracy.map { .metres($0) },
      "speed": speed.map { .quantity($0, decimals: 2) },
      "speedAccuracy": speedAccuracy.map { .quantity($0, decimals: 2) },
      "course": course.map { .quantity($0, decimals: 1) },
      "courseAccuracy": courseAccuracy.map { .quantity($0, decimals: 1) },
      "floor": floor.map { .integer(Int64($0)) },
      "time": time.map { .time($0) },
      "age": .quantity(age(at: now).seconds, decimals: 3),
      "source": .text(source.rawValue),
    ])
  }
}

extension RecordValue {
  /// A latitude or a longitude, to 1e-7°, which is 1 cm.
  public static func degreesOnEarth(_ value: Double) -> RecordValue { .quantity(value, decimals: 7) }
}
