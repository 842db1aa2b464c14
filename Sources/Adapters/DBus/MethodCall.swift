import EventLoop

/// A call from another process, until it is answered.
/// A call that is released without an answer fails, so that its caller does not wait in vain.
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
    if !isAnswered { fail(.failed("\(name) was not answered; this is a bug in the service")) }
  }

  /// The caller's unique name, as the bus reports it.
  public var sender: String { message.sender ?? "" }
  public var path: String { message.path ?? "" }
  public var arguments: [DBusValue] { message.arguments }

  /// Returns the file descriptor in the argument at `index`; the handler owns it from here on.
  public func descriptor(_ index: Int) throws(DBusError) -> FileDescriptor {
    guard let descriptor = MessageReader.descriptor(index, of: message.handle) else {
      throw .limitsExceeded("\(name) cannot receive the file descriptor, because too many are open; close some and call again")
    }
    return descriptor
  }

  /// Answers the call; answers after the first are ignored.
  /// Nothing is sent if the caller wants no answer, or if the bus of the call is gone.
  public func reply(_ values: [DBusValue] = []) {
    let signature = values.signature
    guard signature == outputSignature else {
      return fail(.failed("\(name) returned (\(signature)) instead of (\(outputSignature)); this is a bug in the service"))
    }
    answer { () throws(DBusError) in try message.reply(values) }
    if values.contains(where: Self.isLarge) { link.onLargeAnswer() }
  }

  public func fail(_ error: DBusError) {
    answer { () throws(DBusError) in try message.errorReply(error) }
  }

  private static func isLarge(_ value: DBusValue) -> Bool {
    switch value {
    case .array(_, let elements): elements.count >= 64
    case .dictionary(_, _, let entries): entries.count >= 64
    default: false
    }
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

  /// Answers with an error after the values could not be sent.
  private func sendLast(_ error: DBusError) {
    isAnswered = true
    do {
      try link.send(try message.errorReply(error))
    } catch {
      // The error could not be sent either.
    }
  }
}
