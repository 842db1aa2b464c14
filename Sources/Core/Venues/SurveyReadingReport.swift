import Beacons
public import Records

/// The mean RSSI of a beacon at a place of a survey, as clients see it.
public struct SurveyReadingReport: RecordRepresentable, Hashable {
  /// Metres on the plan.
  public var x: Double?
  public var y: Double?
  /// Metres of the receiver above the floor.
  public var height: Double?
  public var uuid: BeaconUUID?
  public var major: UInt16?
  public var minor: UInt16?
  /// dBm.
  public var rssi: Double?

  public init() {}

  public static let fields: [RecordField<Self>] = [
    RecordField("x", \.x, decimals: 3),
    RecordField("y", \.y, decimals: 3),
    RecordField("height", \.height, decimals: 3),
    RecordField("uuid", \.uuid),
    RecordField("major", \.major),
    RecordField("minor", \.minor),
    RecordField("rssi", \.rssi, decimals: 1),
  ]
}

extension SurveyReadingReport {
  public init(_ reading: VenueSurvey.Reading) {
    (x, y, height) = (reading.point.x, reading.point.y, reading.height)
    (uuid, major, minor) = (reading.beacon.uuid, reading.beacon.major, reading.beacon.minor)
    rssi = reading.rssi
  }
}
