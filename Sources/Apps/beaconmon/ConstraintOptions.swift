import ArgumentParser
import Beacons

/// The options that select beacons.
struct ConstraintOptions: ParsableArguments {
  @Argument(help: "The UUID of the beacons, 8-4-4-4-12 hexadecimal digits.", transform: BeaconUUID.parse)
  var uuid: BeaconUUID

  @Option(help: ArgumentHelp("Only beacons of this major, 0 to 65535.", valueName: "N"), transform: UInt16.parse)
  var major: UInt16?

  @Option(help: ArgumentHelp("Only beacons of this minor, 0 to 65535; requires --major.", valueName: "N"), transform: UInt16.parse)
  var minor: UInt16?

  func validate() throws {
    if minor != nil && major == nil { throw ValidationError("--minor requires --major, because a minor is only unique within a major") }
  }

  /// The constraint; `validate` has ensured that there is one.
  var constraint: BeaconConstraint {
    BeaconConstraint(uuid: uuid, major: major, minor: minor) ?? BeaconConstraint(uuid: uuid)
  }

}

extension BeaconUUID {
  /// Parses an argument.
  static func parse(_ text: String) throws -> BeaconUUID {
    do {
      return try BeaconUUID(text)
    } catch {
      throw ValidationError("\(error)")
    }
  }
}
