public import FleetMessages

/// The user of a device at the broker, whose name is the common name of the device's certificate.
///
/// Each enrolment of a name that is not enrolled has a number of its own, so that the certificates of earlier enrolments have no user.
public struct DeviceLogin: Hashable, Sendable {
  public let device: FleetAddress
  /// Milliseconds since the Unix epoch at the enrolment; nil for a device that was enrolled before there were numbers.
  public let enrolment: Int64?

  public init(_ device: FleetAddress, enrolment: Int64?) { (self.device, self.enrolment) = (device, enrolment) }

  /// Parses the name of a user; nil for any other text.
  public init?(name: String) {
    let parts = name.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 2, let device = FleetAddress(site: parts[0], device: parts[1]) else { return nil }
    let enrolment = parts.count == 3 ? Int64(parts[2], radix: Self.radix) : nil
    self.init(device, enrolment: enrolment)
    guard self.name == name else { return nil }
  }

  /// The name, such as `berlin.door.mrk81q2c`.
  public var name: String { device.commonName + (enrolment.map { ".\(String($0, radix: Self.radix))" } ?? "") }

  /// The reason why no certificate can have the name; nil if one can. X.509 limits a common name to 64 characters.
  public var certificateFault: String? {
    let (count, most) = (name.utf8.count, 64)
    return count <= most ? nil : "\(name) has \(count) characters, and the name in a certificate at most \(most); use shorter names"
  }

  private static let radix = 36
}
