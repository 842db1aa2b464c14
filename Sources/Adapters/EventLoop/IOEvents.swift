import CLinux

/// The events to watch at a descriptor, and those that happened; the bits are epoll's.
public struct IOEvents: OptionSet, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  public static let readable = IOEvents(rawValue: EPOLLIN.rawValue)
  public static let writable = IOEvents(rawValue: EPOLLOUT.rawValue)
  /// A hang-up; always reported.
  public static let hangUp = IOEvents(rawValue: EPOLLHUP.rawValue)
  /// An error; always reported.
  public static let error = IOEvents(rawValue: EPOLLERR.rawValue)
}
