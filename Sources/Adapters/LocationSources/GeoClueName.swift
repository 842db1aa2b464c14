import LocationArbitration

/// The names of GeoClue2 on the system bus (org.freedesktop.GeoClue2 and its Agent, version 2.6).
enum GeoClueName {
  static let service = "org.freedesktop.GeoClue2"
  static let managerPath = "/org/freedesktop/GeoClue2/Manager"
  static let manager = "org.freedesktop.GeoClue2.Manager"
  static let client = "org.freedesktop.GeoClue2.Client"
  static let location = "org.freedesktop.GeoClue2.Location"
  static let agentPath = "/org/freedesktop/GeoClue2/Agent"
  static let agent = "org.freedesktop.GeoClue2.Agent"
}

/// The accuracy that GeoClue should provide, GClueAccuracyLevel.
enum GeoClueLevel: UInt32 {
  /// The accuracy of the IP address.
  case city = 4
  /// The first level that uses Wi-Fi and cells.
  case neighborhood = 5
  case street = 6
  /// The first level that uses satellites.
  case exact = 8

  init(_ accuracy: DesiredAccuracy) {
    switch accuracy.metres {
    case ..<100: self = .exact
    case ..<1000: self = .street
    case ..<10_000: self = .neighborhood
    default: self = .city
    }
  }
}
