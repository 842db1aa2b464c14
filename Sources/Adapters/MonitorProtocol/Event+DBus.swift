import DBus
import Events
import Records

/// An event on the bus, `a{sv}` with the same keys as in JSON.
extension Event {
  /// Creates an event; nil if `value` is not an `a{sv}` with a sequence. Unknown keys are ignored.
  public init?(_ value: DBusValue) {
    guard let record = Record(value) else { return nil }
    self.init(record)
  }

  public var dbusValue: DBusValue { record.dbusValue }
}
