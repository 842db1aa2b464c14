internal import CDBus
import EventLoop
import Glibc
import Instants

/// One libdbus connection, from opening its socket to its end; a reconnection is a new link.
///
/// It never blocks, and it closes from the loop's queue only: libdbus must not be closed from inside one of its own callbacks.
final class BusLink {
  /// Messages handled per turn of the loop, so that a flood leaves the other sources their turn.
  private static let messagesPerTurn = 64

  private let loop: Loop
  private let handle: OpaquePointer
  private(set) var isClosed = false
  private var pendingReplies: [UInt64: PendingReply] = [:]
  private var lastPendingReply: UInt64 = 0
  private lazy var watches = LinkWatches(loop: loop) { [unowned self] in
    dispatchLater()
    if !isClosed { onActivity() }
  }
  private lazy var timeouts = LinkTimeouts(loop: loop) { [unowned self] in dispatchLater() }
  private var pacing = ReadPacing()
  private var received = 0
  private lazy var readTimer = loop.timer { [unowned self] in watches.isHeld = false }
  private lazy var dispatcher = loop.deferred { [unowned self] in dispatch() }

  /// Receives every message that is not the reply to a call of this link.
  /// It returns whether the message was handled: libdbus answers calls that were not.
  var onMessage: (DBusMessage) -> Bool = { _ in false }
  /// Runs when the bus is gone; not called after `close`.
  var onLost: () -> Void = {}
  /// Runs after messages were sent or received.
  var onActivity: () -> Void = {}
  /// The action after an answer with a container of many elements.
  var onLargeAnswer: () -> Void = {}

  /// Opens the link; `address` is one entry that accepts connections (`BusSocket`).
  init(loop: Loop, address: String) throws(DBusError) {
    self.loop = loop
    let (opened, error) = withCError { error in address.withCString { dbus_connection_open_private($0, error) } }
    guard let opened else { throw error ?? .noMemory }
    handle = opened
    dbus_connection_set_exit_on_disconnect(opened, 0)
    installCallbacks()
    dispatcher.trigger()
  }

  /// Whether one wake-up takes many messages in dense traffic, each at most 20 ms late.
  var gathersMessages: Bool {
    get { watches.readsOn }
    set { watches.readsOn = newValue }
  }

  /// The octets that wait to be sent.
  var outgoingSize: Int { isClosed ? 0 : dbus_connection_get_outgoing_size(handle) }

  func adopt(uniqueName: String) {
    dbus_bus_set_unique_name(handle, uniqueName)
  }

  func send(_ message: DBusMessage) throws(DBusError) {
    guard !isClosed, dbus_connection_get_is_connected(handle) != 0 else { throw .disconnected("not connected to the bus") }
    guard dbus_connection_send(handle, message.handle, nil) != 0 else { throw .noMemory }
  }

  /// Sends a call; `completion` is called exactly once and never from inside this call.
  /// It gets the reply, the error reply, or an error if no reply came within `timeout` or before the link ended.
  func call(_ message: DBusMessage, timeout: Span, completion: @escaping (Result<DBusMessage, DBusError>) -> Void) {
    var pending: OpaquePointer?
    let milliseconds = Int32(clamping: max(1, timeout.microseconds / 1000))
    guard !isClosed, dbus_connection_send_with_reply(handle, message.handle, &pending, milliseconds) != 0, let pending else {
      loop.enqueue { completion(.failure(.disconnected("not connected to the bus"))) }
      return
    }
    lastPendingReply += 1
    let id = lastPendingReply
    let reply = PendingReply(pending) { [weak self] in
      self?.pendingReplies[id] = nil
      completion($0)
    }
    pendingReplies[id] = reply
    reply.watch()
  }

  /// Sends the queue until `deadline`; the only function that waits, for a program that is about to end.
  func flush(until deadline: Instant) {
    while !isClosed, dbus_connection_has_messages_to_send(handle) != 0 {
      let left = deadline - loop.now
      guard left > .zero else { return }
      let interest = watches.interest
      var descriptor = pollfd(fd: watches.descriptor, events: 0, revents: 0)
      if interest.contains(.readable) { descriptor.events |= Int16(POLLIN) }
      if interest.contains(.writable) { descriptor.events |= Int16(POLLOUT) }
      guard poll(&descriptor, 1, Int32(clamping: left.microseconds / 1000 + 1)) > 0 else { continue }
      // poll's bits are epoll's.
      watches.handle(IOEvents(rawValue: UInt32(UInt16(bitPattern: descriptor.revents))))
      if dbus_connection_get_is_connected(handle) == 0 { return }
    }
  }

  /// Closes the link; from here on only the completions of calls are called, with failures.
  func close(_ reason: DBusError) {
    guard !isClosed else { return }
    isClosed = true
    dispatcher.cancel()
    readTimer.disarm()
    let unanswered = pendingReplies.sorted { $0.key < $1.key }.map(\.value)
    pendingReplies = [:]
    loop.enqueue { [self] in
      for reply in unanswered { reply.abandon() }
      dbus_connection_close(handle)
      dbus_connection_unref(handle)
      for reply in unanswered { reply.settle(.failure(reason)) }
    }
  }

  private func dispatchLater() {
    if !isClosed, dbus_connection_get_dispatch_status(handle) == DBUS_DISPATCH_DATA_REMAINS { dispatcher.trigger() }
  }

  private func dispatch() {
    for _ in 0..<Self.messagesPerTurn {
      guard !isClosed, dbus_connection_dispatch(handle) == DBUS_DISPATCH_DATA_REMAINS else { return pace() }
    }
    if !isClosed { dispatcher.trigger() }
  }

  private func pace() {
    guard gathersMessages, !isClosed else { return }
    let next = pacing.next(afterReading: received, isCut: watches.isCut, at: loop.now)
    received = 0
    guard case .at(let time) = next else { return }
    watches.isHeld = true
    readTimer.arm(at: time)
  }

  private func receive(_ message: OpaquePointer) -> Bool {
    guard !isClosed else { return false }
    received += 1
    if dbus_message_is_signal(message, "org.freedesktop.DBus.Local", "Disconnected") != 0 {
      onLost()
      return true
    }
    return DBusMessage(borrowing: message).map(onMessage) ?? false
  }
}

// MARK: - libdbus' callbacks

extension BusLink {
  /// The callbacks hold the link unretained: `close` retains it until the last of them has come.
  private func installCallbacks() {
    let me = Unmanaged.passUnretained(self).toOpaque()
    let dispatchStatus: DBusDispatchStatusFunction = { _, status, me in
      if status == DBUS_DISPATCH_DATA_REMAINS { BusLink.from(me)?.dispatcher.trigger() }
    }
    dbus_connection_set_dispatch_status_function(handle, dispatchStatus, me, nil)
    let addWatch: DBusAddWatchFunction = { watch, me in
      guard let watch, let link = BusLink.from(me), link.watches.add(watch) else { return 0 }
      return 1
    }
    let removeWatch: DBusRemoveWatchFunction = { watch, me in
      if let watch { BusLink.from(me)?.watches.remove(watch) }
    }
    let toggleWatch: DBusWatchToggledFunction = { _, me in _ = BusLink.from(me)?.watches.update() }
    _ = dbus_connection_set_watch_functions(handle, addWatch, removeWatch, toggleWatch, me, nil)
    let updateTimeout: DBusTimeoutToggledFunction = { timeout, me in
      if let timeout { BusLink.from(me)?.timeouts.update(timeout) }
    }
    let addTimeout: DBusAddTimeoutFunction = { timeout, me in
      if let timeout { BusLink.from(me)?.timeouts.update(timeout) }
      return 1
    }
    let removeTimeout: DBusRemoveTimeoutFunction = { timeout, me in
      if let timeout { BusLink.from(me)?.timeouts.remove(timeout) }
    }
    _ = dbus_connection_set_timeout_functions(handle, addTimeout, removeTimeout, updateTimeout, me, nil)
    let filter: DBusHandleMessageFunction = { _, message, me in
      guard let message, let link = BusLink.from(me), link.receive(message) else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
      return DBUS_HANDLER_RESULT_HANDLED
    }
    _ = dbus_connection_add_filter(handle, filter, me, nil)
  }

  private static func from(_ pointer: UnsafeMutableRawPointer?) -> BusLink? {
    pointer.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }
}

/// libdbus' timeouts, one per outstanding call, as timers of the loop.
final class LinkTimeouts {
  private let loop: Loop
  private let onTimeout: () -> Void
  private var timers: [OpaquePointer: Timer] = [:]

  /// Creates the timers; `onTimeout` is called after a timeout, which may have queued a message.
  init(loop: Loop, onTimeout: @escaping () -> Void) {
    self.loop = loop
    self.onTimeout = onTimeout
  }

  /// Adds a timeout, or follows one that was enabled, disabled or changed.
  func update(_ timeout: OpaquePointer) {
    guard dbus_timeout_get_enabled(timeout) != 0 else { return remove(timeout) }
    let interval = Span.milliseconds(Int64(dbus_timeout_get_interval(timeout)))
    let timer = loop.timer { [unowned self] in
      // libdbus' timeouts repeat until they are removed.
      timers[timeout]?.arm(after: interval)
      dbus_timeout_handle(timeout)
      onTimeout()
    }
    timers[timeout] = timer
    timer.arm(after: interval)
  }

  func remove(_ timeout: OpaquePointer) {
    timers[timeout] = nil
  }
}
