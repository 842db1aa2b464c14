import DBus
import Events
import Records

/// An event is `a{sv}` on the bus, with the keys that it has in JSON.
extension Event {
  /// Nil when `value` is no `a{sv}` with a sequence. Keys that are no fields of an event are ignored.
  public init?(_ value: DBusValue) {
    guard let record = Record(value) else { return nil }
    self.init(record)
  }

  public var dbusValue: DBusValue { record.dbusValue }
}
