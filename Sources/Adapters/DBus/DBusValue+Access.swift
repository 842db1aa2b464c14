/// Accessors for a value from another process; each returns nil for a value of another kind, and looks through variants.
extension DBusValue {
  /// The value without the variants around it.
  public var unwrapped: DBusValue {
    var value = self
    while case .variant(let inner) = value { value = inner }
    return value
  }

  /// The text of a string, an object path or a signature.
  public var string: String? {
    switch unwrapped {
    case .string(let text), .objectPath(let text), .signature(let text): text
    default: nil
    }
  }

  public var objectPath: String? {
    if case .objectPath(let path) = unwrapped { path } else { nil }
  }

  public var boolean: Bool? {
    if case .boolean(let value) = unwrapped { value } else { nil }
  }

  public var double: Double? {
    if case .double(let value) = unwrapped { value } else { nil }
  }

  /// Returns the value of any of the seven integer types, or nil if the number does not fit.
  public func integer<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
    switch unwrapped {
    case .byte(let value): Number(exactly: value)
    case .int16(let value): Number(exactly: value)
    case .uint16(let value): Number(exactly: value)
    case .int32(let value): Number(exactly: value)
    case .uint32(let value): Number(exactly: value)
    case .int64(let value): Number(exactly: value)
    case .uint64(let value): Number(exactly: value)
    default: nil
    }
  }

  public var bytes: [UInt8]? {
    if case .bytes(let bytes) = unwrapped { bytes } else { nil }
  }

  /// The elements of an array or a structure.
  public var elements: [DBusValue]? {
    switch unwrapped {
    case .array(_, let elements), .structure(let elements): elements
    default: nil
    }
  }

  /// The texts of an array of strings; nil if one of its elements has none.
  public var strings: [String]? {
    guard let elements else { return nil }
    let texts = elements.compactMap(\.string)
    return texts.count == elements.count ? texts : nil
  }

  public var entries: [Entry]? {
    if case .dictionary(_, _, let entries) = unwrapped { entries } else { nil }
  }

  /// The value under a text key of a dictionary, without the variant around it; the first, if the key is repeated.
  public subscript(key: String) -> DBusValue? {
    entries?.first { $0.key.string == key }?.value.unwrapped
  }
}
