/// The keys whose values need more than their type to be understood.
public enum RecordKeys {
  public static let times: Set<String> = ["time", "lastSeen", "lastReport", "since", "dayEnd", "began", "ended", "fixTime"]
  /// 16 bits without sign.
  public static let shorts: Set<String> = ["major", "minor"]
  /// RSSI in dBm to 0.1, distances in metres to 0.01, seconds to 0.001, rates per second to 0.1, speeds in m/s to 0.01,
  /// courses to 0.1°, places on the earth to 1e-7°.
  public static let decimals = [
    "rssi": 1, "distance": 2, "accuracy": 2, "within": 2, "leaveBeyond": 2, "rate": 1,
    "reportsPerSecond": 1, "rssiOffset": 1, "latitude": 7, "longitude": 7, "altitude": 2, "ellipsoidalAltitude": 2, "horizontalAccuracy": 2,
    "verticalAccuracy": 2, "speed": 2, "speedAccuracy": 2, "course": 1, "courseAccuracy": 1,
    "trueHeading": 1, "magneticHeading": 1, "variation": 1, "age": 3,
    "radius": 2,
  ]
}
