import DBus

/// The type of an option's value in an `a{sv}`.
///
/// A number may have any integer type, because shells and dynamic languages rarely send the right one.
public enum OptionType: Sendable {
  case string
  case flag
  case integer
  case number
  case stringOrNumber

  private static let integers: Set<String> = ["y", "n", "q", "i", "u", "x", "t"]

  /// Creates the type of an option that sets a value with this signature; nil for a list or a table.
  public init?(signature: String) {
    switch signature {
    case "s": self = .string
    case "b": self = .flag
    case "d": self = .number
    case _ where Self.integers.contains(signature): self = .integer
    default: return nil
    }
  }

  private func allows(_ signature: String) -> Bool {
    switch self {
    case .string: signature == "s"
    case .flag: signature == "b"
    case .integer: Self.integers.contains(signature)
    case .number: signature == "d" || Self.integers.contains(signature)
    case .stringOrNumber: OptionType.string.allows(signature) || OptionType.number.allows(signature)
    }
  }

  private var name: String {
    switch self {
    case .string: "a string (s)"
    case .flag: "a boolean (b)"
    case .integer: "an integer"
    case .number: "a number (d, or an integer)"
    case .stringOrNumber: "a string (s) or a number (d, or an integer)"
    }
  }
}

extension OptionType {
  /// Throws `InvalidOptions` for a key that the method does not take, and `InvalidArgs` as `check(_:_:)` does.
  public static func check(
    _ options: DBusValue, _ types: [String: OptionType], keys: [String], of method: String
  ) throws(DBusError) {
    for entry in options.entries ?? [] {
      guard let key = entry.key.string, keys.contains(key) else {
        throw .monitor(
          .invalidOptions,
          "unknown option \"\(entry.key.string ?? "")\"; \(method) has \(keys.isEmpty ? "none" : keys.joined(separator: ", "))")
      }
    }
    try check(options, types)
  }

  /// Throws `InvalidArgs`, with the key and both types, for the first value of another type.
  ///
  /// Keys that are not in `types` are ignored.
  public static func check(_ options: DBusValue, _ types: [String: OptionType]) throws(DBusError) {
    for entry in options.entries ?? [] {
      guard let key = entry.key.string, let type = types[key], case let signature = entry.value.unwrapped.signature,
        !type.allows(signature)
      else { continue }
      throw .invalidArguments(
        "\(key) must be \(type.name), but is of type \(signature.count > 32 ? "\(signature.prefix(32))…" : signature)")
    }
  }
}
