/// The reason why a reading is not a location.
/// The whole reading is refused: one wrong value makes the others unreliable.
public enum LocationRefusal: UInt8, Error, Hashable, Sendable, CaseIterable {
  /// Coordinates of a source that reports no fix.
  case noFix
  /// A latitude that is not a number in -90…90.
  case latitude
  /// A longitude that is not a number in -180…180.
  case longitude
  /// An altitude below the sea bed, above the atmosphere, or not a number.
  case altitude
  /// An accuracy that is negative or not a number.
  case accuracy
  /// A negative or impossibly high speed, a course outside 0…360, or not a number.
  case motion
  /// A time before this program's release: the receiver has lost count of the weeks, or the fix is old.
  case beforeRelease
  /// A time later than the synchronised clock of this machine.
  case ahead
}

extension LocationRefusal {
  /// A phrase for a sentence: `refused for a latitude outside -90 to 90`.
  public var words: String {
    switch self {
    case .noFix: "coordinates without a fix"
    case .latitude: "a latitude outside -90 to 90"
    case .longitude: "a longitude outside -180 to 180"
    case .altitude: "an impossible altitude"
    case .accuracy: "an impossible accuracy"
    case .motion: "an impossible speed or course"
    case .beforeRelease: "a time before the release of this program"
    case .ahead: "a time in the future"
    }
  }
}
