extension String {
  /// The text as a basic string of TOML.
  var asTOML: String {
    let characters = unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case _ where scalar.properties.generalCategory == .control:
        "\\U" + String(repeating: "0", count: 8 - String(scalar.value, radix: 16).count) + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }
    return "\"\(characters.joined())\""
  }
}
