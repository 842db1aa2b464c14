internal import CDBus

/// One incoming or outgoing message; header fields that a message of its kind does not have are nil.
public final class DBusMessage {
  public enum Kind: Int32, Sendable {
    case call = 1
    case reply, error, signal
  }

  let handle: OpaquePointer
  public let kind: Kind
  public private(set) lazy var arguments = MessageReader.values(of: handle)
  public private(set) lazy var sender = Self.text(dbus_message_get_sender(handle))
  public private(set) lazy var destination = Self.text(dbus_message_get_destination(handle))
  public private(set) lazy var path = Self.text(dbus_message_get_path(handle))
  public private(set) lazy var interface = Self.text(dbus_message_get_interface(handle))
  public private(set) lazy var member = Self.text(dbus_message_get_member(handle))
  /// The signature of all arguments together; empty without arguments.
  public private(set) lazy var signature = Self.text(dbus_message_get_signature(handle)) ?? ""

  /// Adds its own reference; nil for a kind that libdbus does not know either.
  init?(borrowing handle: OpaquePointer) {
    guard let kind = Kind(rawValue: dbus_message_get_type(handle)) else { return nil }
    self.kind = kind
    self.handle = dbus_message_ref(handle)
  }

  private static let mostErrorOctets = 4096

  private init(owning handle: OpaquePointer?, _ kind: Kind) throws(DBusError) {
    guard let handle else { throw .noMemory }
    self.handle = handle
    self.kind = kind
  }

  deinit {
    dbus_message_unref(handle)
  }

  /// The error of an error message; nil for any other message.
  public var error: DBusError? {
    guard kind == .error, let name = Self.text(dbus_message_get_error_name(handle)) else { return nil }
    return DBusError(name: name, message: arguments.first?.string ?? "")
  }

  public var expectsReply: Bool { kind == .call && dbus_message_get_no_reply(handle) == 0 }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    pointer.map { String(cString: $0) }
  }
}

// MARK: - Making messages

extension DBusMessage {
  static func call(
    destination: String, path: String, interface: String, member: String, _ arguments: [DBusValue] = []
  ) throws(DBusError) -> DBusMessage {
    guard BusSyntax.isBusName(destination) else { throw .invalidArguments("\"\(destination)\" is not a bus name") }
    try check(path, interface, member)
    let message = try DBusMessage(owning: dbus_message_new_method_call(destination, path, interface, member), .call)
    try MessageWriter.append(arguments, to: message.handle)
    return message
  }

  static func signal(
    path: String, interface: String, member: String, _ arguments: [DBusValue] = [], to destination: String? = nil
  ) throws(DBusError) -> DBusMessage {
    try check(path, interface, member)
    let message = try DBusMessage(owning: dbus_message_new_signal(path, interface, member), .signal)
    if let destination {
      guard BusSyntax.isBusName(destination) else { throw .invalidArguments("\"\(destination)\" is not a bus name") }
      guard dbus_message_set_destination(message.handle, destination) != 0 else { throw .noMemory }
    }
    try MessageWriter.append(arguments, to: message.handle)
    return message
  }

  func reply(_ arguments: [DBusValue]) throws(DBusError) -> DBusMessage {
    let message = try DBusMessage(owning: dbus_message_new_method_return(handle), .reply)
    try MessageWriter.append(arguments, to: message.handle)
    return message
  }

  func errorReply(_ error: DBusError) throws(DBusError) -> DBusMessage {
    let name = BusSyntax.isErrorName(error.name) ? error.name : DBusError.failed("").name
    let message = try DBusMessage(owning: dbus_message_new_error(handle, name, nil), .error)
    // A peer that sends megabytes of invalid data need not get them back.
    let text = error.message.utf8.count > Self.mostErrorOctets ? "\(error.message.prefix(Self.mostErrorOctets / 4))..." : error.message
    try MessageWriter.append([.string(text)], to: message.handle)
    return message
  }

  /// Returns a copy of the message that is not sent yet.
  func copy() throws(DBusError) -> DBusMessage {
    try DBusMessage(owning: dbus_message_copy(handle), kind)
  }

  private static func check(_ path: String, _ interface: String, _ member: String) throws(DBusError) {
    guard BusSyntax.isPath(path) else { throw .invalidArguments("\"\(path)\" is not an object path") }
    guard BusSyntax.isInterface(interface) else { throw .invalidArguments("\"\(interface)\" is not an interface name") }
    guard BusSyntax.isMember(member) else { throw .invalidArguments("\"\(member)\" is not a member name") }
  }
}
