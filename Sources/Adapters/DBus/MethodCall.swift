import EventLoop

/// A call from another process, until it is answered. One that is released without an answer fails, so its caller does not wait in vain.
public final class MethodCall {
  private let message: DBusMessage
  private let link: BusLink
  private let outputSignature: String
  private var isAnswered = false

  init(_ message: DBusMessage, link: BusLink, outputSignature: String) {
    self.message = message
    self.link = link
    self.outputSignature = outputSignature
  }

  deinit {
    fail(.failed("\(name) was given up without an answer; this is a fault of the service"))
  }

  /// The caller's unique name, as the bus says.
  public var sender: String { message.sender ?? "" }
  public var path: String { message.path ?? "" }
  public var arguments: [DBusValue] { message.arguments }

  /// The file descriptor that the argument at `index` is, from here on the handler's own.
  public func descriptor(_ index: Int) throws(DBusError) -> FileDescriptor {
    guard let descriptor = MessageReader.descriptor(index, of: message.handle) else {
      throw .limitsExceeded("\(name) cannot take the file descriptor: too many are open; close some and call again")
    }
    return descriptor
  }

  /// Only the first answer is sent, and none when the caller wants none or the bus that brought the call is gone.
  public func reply(_ values: [DBusValue] = []) {
    let signature = values.map(\.signature).joined()
    guard signature == outputSignature else {
      return fail(.failed("\(name) answers (\(signature)) where (\(outputSignature)) is declared; this is a fault of the service"))
    }
    answer { () throws(DBusError) in try message.reply(values) }
  }

  public func fail(_ error: DBusError) {
    answer { () throws(DBusError) in try message.errorReply(error) }
  }

  private var name: String { "\(message.interface.map { "\($0)." } ?? "")\(message.member ?? "")" }

  private func answer(_ make: () throws(DBusError) -> DBusMessage) {
    guard !isAnswered else { return }
    isAnswered = true
    guard message.expectsReply, !link.isClosed else { return }
    do {
      try link.send(try make())
    } catch {
      isAnswered = error.isStandard("Disconnected")
      if !isAnswered { sendLast(error) }
    }
  }

  /// The values could not be sent: the caller hears why.
  private func sendLast(_ error: DBusError) {
    isAnswered = true
    do {
      try link.send(try message.errorReply(error))
    } catch {
      // Nothing is left to answer with.
    }
  }
}
