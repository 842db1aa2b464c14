internal import CDBus
import Glibc

/// Writes values into a message.
/// Everything is checked before libdbus sees it, because libdbus ends the process if a text or a type is invalid.
enum MessageWriter {
  /// Appends values; if this throws, the message is incomplete and must be dropped.
  static func append(_ values: [DBusValue], to message: OpaquePointer) throws(DBusError) {
    for value in values { try check(value, depth: 0) }
    let signature = values.signature
    guard isOneLetter(signature) || BusSyntax.isSignature(signature) else {
      throw .invalidArguments("\"\(signature)\" is too long or nested too deep for a message")
    }
    var iterator = DBusMessageIter()
    dbus_message_iter_init_append(message, &iterator)
    for value in values { try write(value, &iterator) }
  }

  // MARK: - Checks

  private static func check(_ value: DBusValue, depth: Int) throws(DBusError) {
    // Arrays and structures may nest 32 deep each, variants count towards a total of 64 (D-Bus specification, "Valid signatures").
    guard depth <= 32 else { throw .invalidArguments("a value is nested deeper than 32 containers") }
    switch value {
    case .objectPath(let path):
      guard BusSyntax.isPath(path) else { throw .invalidArguments("\"\(path)\" is not an object path") }
    case .signature(let signature):
      guard BusSyntax.isSignature(signature) else { throw .invalidArguments("\"\(signature)\" is not a signature") }
    case .array(let type, let elements):
      guard BusSyntax.isSingleType(type) else { throw .invalidArguments("\"\(type)\" is not a type for the elements of an array") }
      for element in elements {
        try check(element, is: type)
        try check(element, depth: depth + 1)
      }
    case .dictionary(let key, let content, let entries):
      guard BusSyntax.isSingleType(value.signature) else { throw .invalidArguments("\"\(value.signature)\" is not a dictionary type") }
      for entry in entries {
        try check(entry.key, is: key)
        try check(entry.value, is: content)
        try check(entry.key, depth: depth + 1)
        try check(entry.value, depth: depth + 1)
      }
    case .structure(let members):
      guard !members.isEmpty else { throw .invalidArguments("a structure must have at least one member") }
      for member in members { try check(member, depth: depth + 1) }
    case .variant(let inner):
      guard isOneLetter(inner.signature) || BusSyntax.isSingleType(inner.signature) else {
        throw .invalidArguments("\"\(inner.signature)\" is not a type for a variant")
      }
      try check(inner, depth: depth + 1)
    case .unixFD(nil):
      throw .invalidArguments("a received file descriptor cannot be forwarded; take it out of its message first")
    case .unixFD(let number?):
      guard fcntl(number, F_GETFD) >= 0 else { throw .invalidArguments("\(number) is not an open file descriptor") }
    case .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .bytes:
      break
    }
  }

  /// Returns whether a value's signature is one letter, as those of all basic types.
  ///
  /// Such a signature is valid: the only other one, of an array without a type, fails the check of the array.
  private static func isOneLetter(_ signature: String) -> Bool { signature.utf8.count == 1 }

  private static func check(_ value: DBusValue, is type: String) throws(DBusError) {
    guard value.signature == type else {
      throw .invalidArguments("a container of \(type) has a value of type \(value.signature)")
    }
  }

  // MARK: - Writing

  private static func write(_ value: DBusValue, _ iterator: inout DBusMessageIter) throws(DBusError) {
    switch value {
    case .byte(let number): try basic(.byte, number, &iterator)
    case .boolean(let flag): try basic(.boolean, dbus_bool_t(flag ? 1 : 0), &iterator)
    case .int16(let number): try basic(.int16, number, &iterator)
    case .uint16(let number): try basic(.uint16, number, &iterator)
    case .int32(let number): try basic(.int32, number, &iterator)
    case .uint32(let number): try basic(.uint32, number, &iterator)
    case .int64(let number): try basic(.int64, number, &iterator)
    case .uint64(let number): try basic(.uint64, number, &iterator)
    case .double(let number): try basic(.double, number, &iterator)
    case .string(let text): try self.text(.string, text, &iterator)
    case .objectPath(let path): try text(.objectPath, path, &iterator)
    case .signature(let signature): try text(.signature, signature, &iterator)
    case .bytes(let octets): try bytes(octets, &iterator)
    case .array(let type, let elements):
      try container(.array, type, &iterator) { inner throws(DBusError) in
        for element in elements { try write(element, &inner) }
      }
    case .dictionary(let key, let content, let entries):
      try container(.array, "{\(key)\(content)}", &iterator) { inner throws(DBusError) in
        for entry in entries {
          try container(.dictionaryEntry, nil, &inner) { pair throws(DBusError) in
            try write(entry.key, &pair)
            try write(entry.value, &pair)
          }
        }
      }
    case .structure(let members):
      try container(.structure, nil, &iterator) { inner throws(DBusError) in
        for member in members { try write(member, &inner) }
      }
    case .variant(let content):
      try container(.variant, content.signature, &iterator) { inner throws(DBusError) in try write(content, &inner) }
    case .unixFD(let number): try basic(.unixFD, number ?? -1, &iterator)
    }
  }

  private static func basic<Value: BitwiseCopyable>(
    _ type: TypeCode, _ value: Value, _ iterator: inout DBusMessageIter
  ) throws(DBusError) {
    var value = value
    guard dbus_message_iter_append_basic(&iterator, type.rawValue, &value) != 0 else { throw .noMemory }
  }

  private static func text(_ type: TypeCode, _ text: String, _ iterator: inout DBusMessageIter) throws(DBusError) {
    var whole = text
    if text.utf8.contains(0) {
      whole.unicodeScalars = String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 })
    }
    let result = whole.withCString { pointer in
      var pointer: UnsafePointer<CChar>? = pointer
      return dbus_message_iter_append_basic(&iterator, type.rawValue, &pointer)
    }
    guard result != 0 else { throw .noMemory }
  }

  private static func bytes(_ octets: [UInt8], _ iterator: inout DBusMessageIter) throws(DBusError) {
    try container(.array, "y", &iterator) { inner throws(DBusError) in
      guard !octets.isEmpty else { return }
      let result = octets.withUnsafeBufferPointer { buffer in
        var start = buffer.baseAddress
        return dbus_message_iter_append_fixed_array(&inner, TypeCode.byte.rawValue, &start, Int32(clamping: buffer.count))
      }
      guard result != 0 else { throw .noMemory }
    }
  }

  private static func container(
    _ type: TypeCode, _ signature: String?, _ iterator: inout DBusMessageIter,
    _ body: (inout DBusMessageIter) throws(DBusError) -> Void
  ) throws(DBusError) {
    var inner = DBusMessageIter()
    guard dbus_message_iter_open_container(&iterator, type.rawValue, signature, &inner) != 0 else { throw .noMemory }
    try body(&inner)
    guard dbus_message_iter_close_container(&iterator, &inner) != 0 else { throw .noMemory }
  }
}
