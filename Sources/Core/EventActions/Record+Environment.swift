import Records

extension Record {
  /// An event as environment variables of a command, in the order of its keys.
  ///
  /// The name of a value is `BEACONMON_` and its key in SCREAMING_SNAKE_CASE; a record inside puts its own key before: `lastSeen` in `reason`
  /// is `BEACONMON_REASON_LAST_SEEN`. What is unknown is not there, and neither are lists, which no variable can hold, and keys that no event has: other
  /// characters than ASCII letters and digits.
  public var environment: [(name: String, value: String)] {
    variables(prefix: "BEACONMON")
  }

  private func variables(prefix: String) -> [(name: String, value: String)] {
    fields.flatMap { key, value -> [(name: String, value: String)] in
      guard key.unicodeScalars.allSatisfy({ $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0)) }) else { return [] }
      let name = "\(prefix)_\(screamingSnakeCase(key))"
      if let record = value.record { return record.variables(prefix: name) }
      // A zero byte would end the value early.
      guard let text = value.plainText, !text.utf8.contains(0) else { return [] }
      return [(name, text)]
    }
  }
}

/// `lastSeen` becomes `LAST_SEEN`.
private func screamingSnakeCase(_ key: String) -> String {
  var result = ""
  for character in key {
    if character.isUppercase { result.append("_") }
    result += character.uppercased()
  }
  return result
}
