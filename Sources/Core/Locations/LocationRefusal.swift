/// Why a reading is no location. The whole reading goes: who is wrong about one thing is not believed about the others.
public enum LocationRefusal: UInt8, Error, Hashable, Sendable, CaseIterable {
  /// Coordinates of a source that says it has no fix.
  case noFix
  /// Not a number in -90…90.
  case latitude
  /// Not a number in -180…180.
  case longitude
  /// Below the sea bed, above the atmosphere, or not a number.
  case altitude
  /// Negative, or not a number.
  case accuracy
  /// A negative or cosmic speed, a course outside 0…360, or not a number.
  case motion
  /// From before this program was: a receiver that has lost count of the weeks, or none of today's fixes.
  case beforeRelease
  /// From later than the synchronised clock of this machine says.
  case ahead
}

extension LocationRefusal {
  /// For a sentence: `refused for a latitude outside -90 to 90`.
  public var words: String {
    switch self {
    case .noFix: "coordinates without a fix"
    case .latitude: "a latitude outside -90 to 90"
    case .longitude: "a longitude outside -180 to 180"
    case .altitude: "an impossible altitude"
    case .accuracy: "an impossible accuracy"
    case .motion: "an impossible speed or course"
    case .beforeRelease: "a time before this program was made"
    case .ahead: "a time in the future"
    }
  }
}
