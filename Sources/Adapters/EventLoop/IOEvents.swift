import CLinux

/// What a descriptor is watched for, and what happened to it. The bits are epoll's.
public struct IOEvents: OptionSet, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  public static let readable = IOEvents(rawValue: EPOLLIN.rawValue)
  public static let writable = IOEvents(rawValue: EPOLLOUT.rawValue)
  /// Reported without being asked for.
  public static let hangUp = IOEvents(rawValue: EPOLLHUP.rawValue)
  /// Reported without being asked for.
  public static let error = IOEvents(rawValue: EPOLLERR.rawValue)
}
