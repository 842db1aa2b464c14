/// The keys of values whose meaning is not clear from their type.
public enum RecordKeys {
  public static let times: Set<String> = ["time", "lastSeen", "lastReport", "since", "dayEnd", "began", "ended", "fixTime"]
  /// The keys of unsigned numbers of 16 bits.
  public static let shorts: Set<String> = ["major", "minor"]
  /// The number of decimals of each quantity.
  /// RSSI in dBm has one (0.1), distances in metres two (0.01), seconds three (0.001) and rates per second one (0.1). Speeds in m/s have
  /// two (0.01), courses one (0.1°) and coordinates seven (1e-7°).
  public static let decimals = [
    "rssi": 1, "distance": 2, "accuracy": 2, "within": 2, "leaveBeyond": 2, "rate": 1,
    "reportsPerSecond": 1, "rssiOffset": 1, "latitude": 7, "longitude": 7, "altitude": 2, "ellipsoidalAltitude": 2, "horizontalAccuracy": 2,
    "verticalAccuracy": 2, "speed": 2, "speedAccuracy": 2, "course": 1, "courseAccuracy": 1,
    "trueHeading": 1, "magneticHeading": 1, "variation": 1, "age": 3,
    "radius": 2,
  ]
}
