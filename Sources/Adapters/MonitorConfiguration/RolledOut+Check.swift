import FleetMessages

extension RolledOut {
  /// Throws the problems that every device finds in a rollout: its syntax, keys that it must not set, and invalid venues.
  ///
  /// Whether the values fit depends on the other files of a device.
  ///
  /// - Parameter name: The name of the drop-in in errors.
  public static func check(_ rollout: SignedRollout, name: String) throws(ConfigurationError) {
    let rolledOut = try RolledOut(rollout)
    _ = try rolledOut.nodes(.ofConfiguration(), number: 0, files: [name])
    _ = try rolledOut.venueDocuments()
  }
}
