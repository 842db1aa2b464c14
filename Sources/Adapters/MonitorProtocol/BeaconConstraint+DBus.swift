import Beacons
import DBus
import Records

extension BeaconConstraint {
  /// The constraint on the bus: `uuid` (s), and optionally `major` (q) and `minor` (q).
  public var record: Record {
    Record(["uuid": .text(uuid.description), "major": major.map { .short($0) }, "minor": minor.map { .short($0) }])
  }

  /// Reads the options of a method; throws `InvalidConstraint` for an unknown key or an invalid value.
  ///
  /// Integers of any type are accepted, because shells and dynamic languages rarely send a `q`.
  public init(options: DBusValue) throws(DBusError) {
    for entry in options.entries ?? [] {
      guard let key = entry.key.string, ["uuid", "major", "minor"].contains(key) else {
        throw .monitor(.invalidConstraint, "unknown key \"\(entry.key.string ?? "")\"; a constraint has uuid, major and minor")
      }
    }
    try OptionType.check(options, ["uuid": .string, "major": .integer, "minor": .integer])
    guard let text = options["uuid"]?.string else {
      throw .monitor(.invalidConstraint, "uuid is missing; specify a string of 8-4-4-4-12 hexadecimal digits")
    }
    let uuid: BeaconUUID
    do {
      uuid = try BeaconUUID(text)
    } catch {
      throw .monitor(.invalidConstraint, "uuid: \(error)")
    }
    let major = try Self.number("major", in: options)
    let minor = try Self.number("minor", in: options)
    guard let constraint = BeaconConstraint(uuid: uuid, major: major, minor: minor) else {
      throw .monitor(.invalidConstraint, "a minor requires a major")
    }
    self = constraint
  }

  private static func number(_ key: String, in options: DBusValue) throws(DBusError) -> UInt16? {
    guard let value = options[key] else { return nil }
    guard let number = value.integer(UInt16.self) else { throw .monitor(.invalidConstraint, "\(key) must be an integer from 0 to 65535") }
    return number
  }
}
