/// What is called how on the bus.
public enum MonitorNames {
  public static let bus = "org.beaconmon.Monitor1"
  public static let root = "/org/beaconmon/Monitor1"
  static let manager = "org.beaconmon.Monitor1.Manager"
  static let region = "org.beaconmon.Monitor1.Region"
  static let session = "org.beaconmon.Monitor1.Session"
  static let errorPrefix = "org.beaconmon.Monitor1.Error."

  /// Where a region of the config lives. Octets of the identifier outside `[A-Za-z0-9]` become `_` and two hexadecimal digits, so different
  /// identifiers have different paths and each path is valid.
  public static func path(ofRegion identifier: String) -> String {
    var name = ""
    for octet in identifier.utf8 {
      let scalar = Unicode.Scalar(octet)
      if scalar.properties.isAlphabetic && scalar.isASCII || ("0"..."9").contains(scalar) {
        name.unicodeScalars.append(scalar)
      } else {
        name += "_" + (octet < 16 ? "0" : "") + String(octet, radix: 16)
      }
    }
    return "\(root)/region/\(name)"
  }

  static func path(ofSession number: UInt64) -> String { "\(root)/session/\(number)" }
}
