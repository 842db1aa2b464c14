internal import CDBus

/// A call that waits for its reply.
///
/// While it waits, it and libdbus' object retain each other; completing or abandoning it releases both.
final class PendingReply {
  private var handle: OpaquePointer?
  private var completion: ((Result<DBusMessage, DBusError>) -> Void)?

  /// Takes ownership of the caller's reference.
  init(_ handle: OpaquePointer, completion: @escaping (Result<DBusMessage, DBusError>) -> Void) {
    self.handle = handle
    self.completion = completion
  }

  /// Waits for libdbus to complete the call.
  func watch() {
    let notify: DBusPendingCallNotifyFunction = { pending, me in
      guard let pending, let me else { return }
      Unmanaged<PendingReply>.fromOpaque(me).takeUnretainedValue().complete(pending)
    }
    let release: DBusFreeFunction = { me in
      if let me { Unmanaged<PendingReply>.fromOpaque(me).release() }
    }
    guard let handle else { return }
    let me = Unmanaged.passRetained(self)
    if dbus_pending_call_set_notify(handle, notify, me.toOpaque(), release) == 0 { me.release() }
  }

  /// Fails the call, which libdbus will not complete any more.
  func abandon() {
    if let handle { dbus_pending_call_cancel(handle) }
    letGo()
  }

  /// Takes an outcome and ignores all but the first.
  func settle(_ result: Result<DBusMessage, DBusError>) {
    guard let completion else { return }
    self.completion = nil
    completion(result)
  }

  private func complete(_ pending: OpaquePointer) {
    letGo()
    guard let reply = dbus_pending_call_steal_reply(pending) else { return }
    defer { dbus_message_unref(reply) }
    guard let message = DBusMessage(borrowing: reply) else {
      return settle(.failure(.inconsistentMessage("the type of the reply is unknown")))
    }
    settle(message.error.map { .failure($0) } ?? .success(message))
  }

  private func letGo() {
    guard let handle else { return }
    self.handle = nil
    dbus_pending_call_unref(handle)
  }
}
