import DBus
import Testing

@testable import MonitorService

/// The types of the values in a client's definition of a region.
@Suite struct RegionDefinitionTests {
  /// The keys of Docs/dbus/Session.md.
  private static let keys: [(type: String, keys: [String])] = [
    ("a string", ["identifier", "uuid", "exitDelay", "hold", "enterTime", "dwell", "assume", "place", "level", "venue"]),
    ("an integer", ["major", "minor", "enterSightings"]),
    ("a number", ["within", "leaveBeyond", "minimumRssi", "latitude", "longitude", "radius", "scanOnlyBelow"]),
    ("a boolean", ["learnExitDelay", "nearestOnly", "notifyOnEntry", "notifyOnExit", "scanOnlyNear"]),
  ]
  private static let values: [(value: DBusValue, types: Set<String>)] = [
    (.string("x"), ["a string"]), (.boolean(true), ["a boolean"]), (.double(1.5), ["a number"]),
    (.uint16(1), ["an integer", "a number"]), (.int64(-1), ["an integer", "a number"]), (.array(of: "s", []), []),
  ]

  private func error(_ key: String, _ value: DBusValue) -> String? {
    do throws(DBusError) {
      _ = try RegionDefinition.nodes(.options([(key, value)]))
      return nil
    } catch {
      return error.message
    }
  }

  @Test func `a value of another type than its key is refused, and the refusal names both types`() {
    for (type, keys) in Self.keys {
      for key in keys {
        for (value, types) in Self.values {
          let message = error(key, value)
          if types.contains(type) {
            #expect(message == nil, "\(key)")
          } else {
            #expect(message?.hasPrefix("\(key) must be \(type)") == true, "\(key): \(message ?? "accepted")")
          }
        }
      }
    }
  }

  @Test(arguments: ["state", "kind", "learnsExitDelay", "learnedExitDelay", "boundaryDistance", "mayor"])
  func `the type of a key that no definition has is left to the reader, which reports the key as unknown`(key: String) {
    for (value, _) in Self.values { #expect(error(key, value) == nil) }
  }
}
