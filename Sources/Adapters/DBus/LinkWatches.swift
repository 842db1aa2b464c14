internal import CDBus
import EventLoop
import Glibc

/// The read and the write watch of a connection's one socket, as one source of the loop.
final class LinkWatches {
  private let loop: Loop
  private let onActivity: () -> Void
  private var watches: [OpaquePointer] = []
  private var source: IOSource?
  private(set) var descriptor: Int32 = -1
  /// Whether one turn reads all available data, up to `mostReads` of libdbus' 2 KiB.
  var readsOn = false
  /// Whether more data may be available than the turn allowed to read.
  private(set) var isCut = false
  /// Whether reading is suspended.
  var isHeld = false {
    didSet { _ = update() }
  }
  private static let mostReads = 32

  /// Creates the watches; `onActivity` is called after libdbus has read or written.
  init(loop: Loop, onActivity: @escaping () -> Void) {
    self.loop = loop
    self.onActivity = onActivity
  }

  /// The events for which libdbus needs a call.
  var interest: IOEvents {
    var interest: IOEvents = []
    for watch in watches where dbus_watch_get_enabled(watch) != 0 {
      let flags = dbus_watch_get_flags(watch)
      if flags & DBUS_WATCH_READABLE.rawValue != 0 { interest.insert(.readable) }
      if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { interest.insert(.writable) }
    }
    return interest
  }

  /// Adds a watch; returns false if the loop cannot take it, which libdbus treats as being out of memory.
  func add(_ watch: OpaquePointer) -> Bool {
    watches.append(watch)
    return update()
  }

  func remove(_ watch: OpaquePointer) {
    watches.removeAll { $0 == watch }
    _ = update()
  }

  /// Follows a change after libdbus has enabled or disabled one of its watches.
  func update() -> Bool {
    guard let first = watches.first else {
      source?.cancel()
      source = nil
      return true
    }
    do {
      if let source {
        try source.setInterest(isHeld ? interest.subtracting(.readable) : interest)
      } else {
        descriptor = dbus_watch_get_unix_fd(first)
        source = try loop.io(descriptor, interest) { [unowned self] in handle($0) }
      }
      return true
    } catch {
      return false
    }
  }

  func handle(_ events: IOEvents) {
    var flags: UInt32 = 0
    if events.contains(.readable) { flags |= DBUS_WATCH_READABLE.rawValue }
    if events.contains(.writable) { flags |= DBUS_WATCH_WRITABLE.rawValue }
    if events.contains(.error) { flags |= DBUS_WATCH_ERROR.rawValue }
    if events.contains(.hangUp) { flags |= DBUS_WATCH_HANGUP.rawValue }
    let always = DBUS_WATCH_ERROR.rawValue | DBUS_WATCH_HANGUP.rawValue
    // Handling one watch may remove or disable the other.
    for watch in watches where watches.contains(watch) && dbus_watch_get_enabled(watch) != 0 {
      let mine = flags & (dbus_watch_get_flags(watch) | always)
      if mine != 0 { dbus_watch_handle(watch, mine) }
      if readsOn, mine & DBUS_WATCH_READABLE.rawValue != 0 { readOn(watch) }
    }
    onActivity()
  }

  private func readOn(_ watch: OpaquePointer) {
    isCut = false
    for _ in 0..<Self.mostReads {
      var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard watches.contains(watch), poll(&state, 1, 0) > 0, state.revents == Int16(POLLIN) else { return }
      dbus_watch_handle(watch, DBUS_WATCH_READABLE.rawValue)
    }
    isCut = true
  }
}
