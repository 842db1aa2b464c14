internal import CDBus
import EventLoop

/// Converts a message's arguments to values.
/// libdbus validates the whole message before it delivers it, with its UTF-8, its lengths and a nesting of at most 64, so no input of a
/// peer can break the reader.
enum MessageReader {
  static func values(of message: OpaquePointer) -> [DBusValue] {
    var iterator = DBusMessageIter()
    guard dbus_message_iter_init(message, &iterator) != 0 else { return [] }
    return sequence(&iterator)
  }

  /// Returns whether the arguments, with their contents, are at most `most` values; stops counting there.
  static func holds(_ message: OpaquePointer, atMost most: Int) -> Bool {
    var iterator = DBusMessageIter()
    var left = most
    guard dbus_message_iter_init(message, &iterator) != 0 else { return true }
    return count(&iterator, &left)
  }

  private static func count(_ iterator: inout DBusMessageIter, _ left: inout Int) -> Bool {
    while let type = TypeCode(rawValue: dbus_message_iter_get_arg_type(&iterator)) {
      left -= 1
      if left < 0 { return false }
      // An array of octets is read as one value.
      let isContainer = [.array, .structure, .variant, .dictionaryEntry].contains(type)
      if isContainer, TypeCode(rawValue: type == .array ? dbus_message_iter_get_element_type(&iterator) : 0) != .byte {
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &inner)
        guard count(&inner, &left) else { return false }
      }
      dbus_message_iter_next(&iterator)
    }
    return true
  }

  /// Returns a close-on-exec duplicate of the descriptor in the argument at `index`.
  /// It returns nil if the argument is not a descriptor, or if this process may not open more.
  static func descriptor(_ index: Int, of message: OpaquePointer) -> FileDescriptor? {
    var iterator = DBusMessageIter()
    guard dbus_message_iter_init(message, &iterator) != 0 else { return nil }
    for _ in 0..<index { dbus_message_iter_next(&iterator) }
    guard TypeCode(rawValue: dbus_message_iter_get_arg_type(&iterator)) == .unixFD else { return nil }
    let number = basic(&iterator, Int32(-1))
    return number < 0 ? nil : FileDescriptor(owning: number)
  }

  private static func sequence(_ iterator: inout DBusMessageIter) -> [DBusValue] {
    var values: [DBusValue] = []
    while let value = value(&iterator) {
      values.append(value)
      dbus_message_iter_next(&iterator)
    }
    return values
  }

  /// Returns the next value; nil at the end of the arguments or of the container.
  private static func value(_ iterator: inout DBusMessageIter) -> DBusValue? {
    switch TypeCode(rawValue: dbus_message_iter_get_arg_type(&iterator)) {
    case .byte: .byte(basic(&iterator, UInt8(0)))
    case .boolean: .boolean(basic(&iterator, dbus_bool_t(0)) != 0)
    case .int16: .int16(basic(&iterator, Int16(0)))
    case .uint16: .uint16(basic(&iterator, UInt16(0)))
    case .int32: .int32(basic(&iterator, Int32(0)))
    case .uint32: .uint32(basic(&iterator, UInt32(0)))
    case .int64: .int64(basic(&iterator, Int64(0)))
    case .uint64: .uint64(basic(&iterator, UInt64(0)))
    case .double: .double(basic(&iterator, Double(0)))
    case .string: .string(text(&iterator))
    case .objectPath: .objectPath(text(&iterator))
    case .signature: .signature(text(&iterator))
    case .array: array(&iterator)
    case .structure: .structure(contents(&iterator))
    // A variant holds exactly one value; the fallback is never taken.
    case .variant: contents(&iterator).first.map { .variant($0) } ?? .unixFD(nil)
    case .unixFD: .unixFD(nil)
    case .dictionaryEntry, nil: nil
    }
  }

  private static func basic<Value: BitwiseCopyable>(_ iterator: inout DBusMessageIter, _ zero: Value) -> Value {
    var value = zero
    dbus_message_iter_get_basic(&iterator, &value)
    return value
  }

  private static func text(_ iterator: inout DBusMessageIter) -> String {
    let pointer = basic(&iterator, UnsafePointer<CChar>?.none)
    return pointer.map { String(cString: $0) } ?? ""
  }

  private static func contents(_ iterator: inout DBusMessageIter) -> [DBusValue] {
    var inner = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inner)
    return sequence(&inner)
  }

  private static func array(_ iterator: inout DBusMessageIter) -> DBusValue {
    var inner = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inner)
    switch TypeCode(rawValue: dbus_message_iter_get_element_type(&iterator)) {
    case .byte:
      var octets: UnsafePointer<UInt8>?
      var count: Int32 = 0
      dbus_message_iter_get_fixed_array(&inner, &octets, &count)
      return .bytes(Array(UnsafeBufferPointer(start: octets, count: Int(count))))
    case .dictionaryEntry:
      // a{kv}: the key is one letter.
      let types = signature(&iterator).dropFirst(2).dropLast()
      var entries: [DBusValue.Entry] = []
      while TypeCode(rawValue: dbus_message_iter_get_arg_type(&inner)) == .dictionaryEntry {
        let pair = contents(&inner)
        if pair.count == 2 { entries.append(DBusValue.Entry(pair[0], pair[1])) }
        dbus_message_iter_next(&inner)
      }
      return .dictionary(key: String(types.prefix(1)), value: String(types.dropFirst()), entries)
    default:
      return .array(of: String(signature(&iterator).dropFirst()), sequence(&inner))
    }
  }

  private static func signature(_ iterator: inout DBusMessageIter) -> String {
    guard let text = dbus_message_iter_get_signature(&iterator) else { return "" }
    defer { dbus_free(text) }
    return String(cString: text)
  }
}

/// The letters of the specification's type system; libdbus' own constants are macros that Swift does not import.
enum TypeCode: Int32 {
  case byte = 0x79, boolean = 0x62, int16 = 0x6E, uint16 = 0x71, int32 = 0x69, uint32 = 0x75, int64 = 0x78, uint64 = 0x74
  case double = 0x64, string = 0x73, objectPath = 0x6F, signature = 0x67, array = 0x61, structure = 0x72, variant = 0x76
  case unixFD = 0x68, dictionaryEntry = 0x65
}
