import DBus
import Records

extension RecordKey {
  /// The name of the property on the bus, which is PascalCase; keys are camelCase everywhere else.
  public var propertyName: String { name.prefix(1).uppercased() + name.dropFirst() }

  /// Returns a value on the bus; nil for a number that is not finite, which is unknown.
  public func dbusValue(_ value: Value) -> DBusValue? {
    let encoded = encode(value)
    if isExact, let number = encoded.number { return .double(number) }
    return encoded.dbusValue
  }
}

extension DBusProperty {
  /// Declares a property with the name and the type of a key.
  public init<Value>(_ key: RecordKey<Value>, change: Change = .value, read: @escaping () -> Value?) {
    self.init(key.propertyName, key.signature, change: change) { read().flatMap(key.dbusValue) }
  }
}

extension Record {
  /// Creates a record from properties, whose names become keys.
  public init(properties: DBusValue?) {
    self.init()
    for entry in properties?.entries ?? [] {
      guard let name = entry.key.string else { continue }
      let key = name.prefix(1).lowercased() + name.dropFirst()
      append(key, RecordValue(entry.value.unwrapped))
    }
  }
}
