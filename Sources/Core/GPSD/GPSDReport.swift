import Locations

/// A message from gpsd to a client: gpsd_json(5).
public enum GPSDReport: Hashable, Sendable {
  /// The version, which is gpsd's first message; after an unsupported version, also the last.
  case version(GPSDVersion)
  /// All devices of gpsd.
  case devices([GPSDDevice])
  /// A device that was added, opened, closed or removed.
  case device(GPSDDevice)
  /// The report of a receiver, and its device.
  case epoch(SourceReport, device: String?)
  /// The heading of a compass, and its device.
  case heading(HeadingReading, device: String?)
  /// The error message of gpsd for a request that it did not understand.
  case error(String)
}

public struct GPSDVersion: Hashable, Sendable {
  public let major: Int
  public let minor: Int
  public let release: String?

  /// The supported major version of the protocol.
  public static let understoodMajor = 3
  public var isUnderstood: Bool { major == Self.understoodMajor }
}

public struct GPSDDevice: Hashable, Sendable {
  public let path: String
  /// Whether the device is open.
  public let isActive: Bool
}
