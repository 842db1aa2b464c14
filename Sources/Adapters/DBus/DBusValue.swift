/// Any value that D-Bus can carry, as one tree for reading and writing.
/// Containers carry the types of their elements, so that an empty one has a signature too.
public enum DBusValue: Hashable, Sendable {
  case byte(UInt8)
  case boolean(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  /// A string; a NUL, which D-Bus cannot carry, is written as U+FFFD.
  case string(String)
  case objectPath(String)
  case signature(String)
  /// An array of octets, `ay`, which is always read as this, and written much faster than an array of `byte`.
  case bytes([UInt8])
  /// An array; `of` is the signature of one element.
  case array(of: String, [DBusValue])
  /// A dictionary in the order of the message, with keys of a basic type; a repeated key is kept.
  case dictionary(key: String, value: String, [Entry])
  case structure([DBusValue])
  indirect case variant(DBusValue)
  /// A file descriptor, by number; nil in a received value.
  /// The message to send takes a duplicate, and the sender keeps the number, which must be open until then. A received descriptor belongs
  /// to the message and closes with it; `MethodCall.descriptor` takes it out.
  case unixFD(Int32?)

  public struct Entry: Hashable, Sendable {
    public var key: DBusValue
    public var value: DBusValue

    public init(_ key: DBusValue, _ value: DBusValue) {
      self.key = key
      self.value = value
    }
  }

  /// The type in the D-Bus specification's syntax, such as `a{sv}` for a dictionary of options.
  /// For a container it is the declared type of the elements, not that of the actual ones.
  public var signature: String {
    switch self {
    case .byte: "y"
    case .boolean: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .bytes: "ay"
    case .array(let element, _): "a" + element
    case .dictionary(let key, let value, _): "a{\(key)\(value)}"
    case .structure(let members): "(" + members.signature + ")"
    case .variant: "v"
    case .unixFD: "h"
    }
  }
}

extension [DBusValue] {
  /// The signatures of the values together. Most messages have one value, for which nothing is joined.
  var signature: String { count == 1 ? self[0].signature : map(\.signature).joined() }
}

// MARK: - Common types

extension DBusValue {
  /// Returns `a{sv}`, with each value wrapped in a variant.
  public static func options(_ pairs: KeyValuePairs<String, DBusValue>) -> DBusValue {
    options(pairs.map { ($0.key, $0.value) })
  }

  public static func options(_ pairs: [(String, DBusValue)]) -> DBusValue {
    .dictionary(key: "s", value: "v", pairs.map { Entry(.string($0.0), .variant($0.1)) })
  }

  /// Returns an array of strings, `as`.
  public static func strings(_ strings: some Sequence<String>) -> DBusValue {
    .array(of: "s", strings.map { .string($0) })
  }
}
