/// The identity of a beacon, which does not include its address, because addresses rotate.
public struct BeaconIdentity: Hashable, Comparable, Sendable {
  public var uuid: BeaconUUID
  public var major: UInt16
  public var minor: UInt16

  @inlinable
  public init(uuid: BeaconUUID, major: UInt16, minor: UInt16) {
    self.uuid = uuid
    self.major = major
    self.minor = minor
  }

  @inlinable
  public static func < (a: BeaconIdentity, b: BeaconIdentity) -> Bool {
    if a.uuid != b.uuid { return a.uuid < b.uuid }
    return a.major != b.major ? a.major < b.major : a.minor < b.minor
  }
}

extension BeaconIdentity {
  /// Parses an identity as `description` writes it; nil for any other text.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, let major = UInt16(parts[1]), let minor = UInt16(parts[2]) else { return nil }
    do throws(BeaconUUIDError) {
      self.init(uuid: try BeaconUUID(String(parts[0])), major: major, minor: minor)
    } catch {
      return nil
    }
  }
}

extension BeaconIdentity: CustomStringConvertible {
  /// The identity as `8ec76ea3-6668-48da-9866-75be8bc86f4d/1/5`: UUID, major, minor.
  public var description: String { "\(uuid)/\(major)/\(minor)" }
}
