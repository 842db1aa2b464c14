import Events
import Records

extension Event {
  /// The event as environment variables of a command, in the order of its keys.
  ///
  /// The name of a variable is `BEACONMON_` and the key in SCREAMING_SNAKE_CASE, after the key of the object that holds it. For example,
  /// `lastSeen` in `reason` is `BEACONMON_REASON_LAST_SEEN`. A value that is unknown, or that a variable cannot hold, has no variable.
  public var environment: [(name: String, value: String)] { record.variables(prefix: "BEACONMON") }
}

extension Record {
  fileprivate func variables(prefix: String) -> [(name: String, value: String)] {
    fields.flatMap { key, value -> [(name: String, value: String)] in
      let name = "\(prefix)_\(screamingSnakeCase(key))"
      if let record = value.record { return record.variables(prefix: name) }
      // A zero byte would truncate the value.
      guard let text = value.plainText, !text.utf8.contains(0) else { return [] }
      return [(name, text)]
    }
  }
}

/// Returns `LAST_SEEN` for `lastSeen`.
private func screamingSnakeCase(_ key: String) -> String {
  var result = ""
  for character in key {
    if character.isUppercase { result.append("_") }
    result += character.uppercased()
  }
  return result
}
