import Locations

/// What gpsd tells a client: gpsd_json(5).
public enum GPSDReport: Hashable, Sendable {
  /// The first thing that it says; of one that is not understood, also the last.
  case version(GPSDVersion)
  /// All the devices that it has.
  case devices([GPSDDevice])
  /// One of them came, was opened or closed, or went.
  case device(GPSDDevice)
  /// What a receiver says, and which it is.
  case epoch(SourceReport, device: String?)
  /// What a compass says, and which device it belongs to.
  case heading(HeadingReading, device: String?)
  /// It did not understand what it was asked.
  case error(String)
}

public struct GPSDVersion: Hashable, Sendable {
  public let major: Int
  public let minor: Int
  public let release: String?

  /// The major version of the protocol for which the decoder was written.
  public static let understoodMajor = 3
  public var isUnderstood: Bool { major == Self.understoodMajor }
}

public struct GPSDDevice: Hashable, Sendable {
  public let path: String
  /// It is open.
  public let isActive: Bool
}
