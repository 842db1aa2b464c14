internal import CDBus

/// A signal to many receivers, each on its own object: its arguments are written once, and sending copies octets.
public final class PreparedSignal {
  let interface: String
  let member: String
  private let template: DBusMessage
  /// The size of the sent message in octets, without the receiver's name.
  public let size: Int

  /// Writes the arguments; throws if names or values are invalid.
  public init(interface: String, member: String, _ arguments: [DBusValue]) throws(DBusError) {
    self.interface = interface
    self.member = member
    template = try .signal(path: "/", interface: interface, member: member, arguments)
    var octets: UnsafeMutablePointer<CChar>?
    var count: Int32 = 0
    // Only a message with a serial can be written out.
    dbus_message_set_serial(template.handle, 1)
    guard dbus_message_marshal(template.handle, &octets, &count) != 0 else { throw .noMemory }
    dbus_free(octets)
    size = Int(count)
  }

  var signature: String { template.signature }

  func message(path: String, to destination: String) throws(DBusError) -> DBusMessage {
    guard BusSyntax.isBusName(destination) else { throw .invalidArguments("\"\(destination)\" is not a bus name") }
    let message = try template.copy()
    guard dbus_message_set_path(message.handle, path) != 0, dbus_message_set_destination(message.handle, destination) != 0 else {
      throw .noMemory
    }
    return message
  }
}

extension ExportedObject {
  /// Sends a prepared signal of this object to its one name.
  /// It throws while the connection is down, if the object has an audience of more than one name, and if it has no such signal.
  public func emit(_ signal: PreparedSignal) throws(DBusError) {
    guard let name = audience.name, interface(signal.interface)?.signals.contains(where: { $0.name == signal.member }) == true else {
      throw .invalidArguments("\(path) is for more than one, or no signal \(signal.member) in \(signal.interface)")
    }
    try connection?.send(try signal.message(path: path, to: name))
  }
}
