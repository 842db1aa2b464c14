internal import CDBus
import EventLoop

/// Finds the first of a list of addresses that accepts connections.
///
/// libdbus connects with a blocking socket, which waits for ever when the bus is frozen and its backlog full. So each address is tried
/// first with a separate non-blocking connection, and libdbus only gets one that answered. Unix sockets only: looking up a host or
/// starting a helper would block.
enum BusSocket {
  /// Returns one entry of the list, in libdbus' syntax.
  static func firstReachable(in list: String) throws(DBusError) -> String {
    var reasons: [String] = []
    // An escaped semicolon is %3b, so the separators are the plain ones.
    for entry in list.split(separator: ";").map(String.init) {
      let path = try socketPath(of: entry)
      do throws(SystemCallError) {
        _ = try LocalSocket.connect(to: path)
        return entry
      } catch {
        reasons.append("\(entry): \(SystemCallError.text(of: error.code))")
      }
    }
    guard !reasons.isEmpty else { throw .badAddress("the bus address is empty") }
    throw .noServer("cannot connect to the bus at \(reasons.joined(separator: "; "))")
  }

  /// The octets of sun_path; an abstract socket's begin with NUL.
  static func socketPath(of entry: String) throws(DBusError) -> [UInt8] {
    var entries: UnsafeMutablePointer<OpaquePointer?>?
    var count: Int32 = 0
    let (isValid, error) = withCError { error in entry.withCString { dbus_parse_address($0, &entries, &count, error) } }
    guard isValid != 0, let entries, count == 1, let parsed = entries[0] else {
      throw .badAddress("\"\(entry)\" is not a bus address: \(error?.message ?? "it has no transport"); write unix:path=…")
    }
    defer { dbus_address_entries_free(entries) }
    let method = dbus_address_entry_get_method(parsed).map { String(cString: $0) } ?? ""
    guard method == "unix" else {
      throw .badAddress("\"\(entry)\": \(method) is not supported; write unix:path=…")
    }
    if let path = dbus_address_entry_get_value(parsed, "path") { return Array(String(cString: path).utf8) }
    if let name = dbus_address_entry_get_value(parsed, "abstract") { return [0] + String(cString: name).utf8 }
    throw .badAddress("\"\(entry)\" has no socket; write unix:path=… or unix:abstract=…")
  }
}
