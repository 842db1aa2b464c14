import CLinux

extension Loop {
  /// Calls `body` as long as the descriptor is ready for `interest` (level-triggered), has hung up or has an error.
  ///
  /// A descriptor has at most one source. The source does not own the descriptor: cancel it before the descriptor is closed. Regular
  /// files are always ready and epoll refuses them with EPERM.
  public func io(_ descriptor: Int32, _ interest: IOEvents, _ body: @escaping (IOEvents) -> Void) throws(SystemCallError) -> IOSource {
    let source = IOSource(loop: self, descriptor: descriptor, body: body)
    try source.setInterest(interest)
    return source
  }
}

/// A descriptor that the loop watches.
public final class IOSource: LoopSource {
  private let loop: Loop
  private let descriptor: Int32
  private let id: UInt64
  private var body: ((IOEvents) -> Void)?
  public private(set) var interest: IOEvents = []

  fileprivate init(loop: Loop, descriptor: Int32, body: @escaping (IOEvents) -> Void) {
    self.loop = loop
    self.descriptor = descriptor
    self.body = body
    id = loop.makeID()
    loop.register(self, as: id)
  }

  deinit {
    cancel()
  }

  /// Changes the interest; does nothing after `cancel`.
  /// Without any interest the descriptor leaves epoll, and not even a hang-up is reported.
  public func setInterest(_ new: IOEvents) throws(SystemCallError) {
    guard body != nil, new != interest else { return }
    let operation = interest.isEmpty ? EPOLL_CTL_ADD : new.isEmpty ? EPOLL_CTL_DEL : EPOLL_CTL_MOD
    try loop.control(operation, descriptor, new, id)
    interest = new
  }

  public func cancel() {
    guard body != nil else { return }
    do {
      try setInterest([])
    } catch {
      // The descriptor was closed first, and that took it out of epoll.
      interest = []
    }
    loop.unregister(id)
    body = nil
  }

  func fire(_ events: IOEvents) {
    body?(events)
  }
}

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
