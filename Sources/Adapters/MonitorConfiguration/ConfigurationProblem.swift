import Diagnostics

/// One thing that is wrong in a configuration, and where.
public struct ConfigurationProblem: Hashable, Sendable {
  /// As it was given.
  public let file: String
  /// From 1; nil when the whole file is to blame.
  public let line: Int?
  /// From 1; nil when the line is known but not the place in it.
  public let column: Int?
  /// The fault and its remedy, after the path to the key: `region "entrance": uuid: …`.
  public let message: String
}

extension ConfigurationProblem: CustomStringConvertible {
  /// One line: `beaconmon.toml:12: region "entrance": uuid: …`.
  public var description: String { "\(place): \(message)".escapingControlCharacters }

  /// As `description`, for what is valid and yet will not work: `beaconmon.toml:12: warning: journal: path: …`.
  public var warningLine: String { "\(place): warning: \(message)".escapingControlCharacters }

  private var place: String {
    guard let line else { return file }
    return column.map { "\(file):\(line):\($0)" } ?? "\(file):\(line)"
  }
}

extension String {
  /// The text with line ends, control characters and terminal commands escaped, as a message needs it.
  var escapingControlCharacters: String {
    guard mayHoldUnprintables else { return self }
    return unicodeScalars.map { scalar in
      scalar.isUnprintable ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
    }.joined()
  }

  /// Whether the text may contain unprintable characters: a fast check that can be wrong in one direction only.
  ///
  /// C0 and DEL are one octet. C1 begins with C2, and line separators and bidirectional controls with D8 or E2. Some printable characters
  /// begin with them too; these only take the slow path.
  private var mayHoldUnprintables: Bool {
    var text = self
    return text.withUTF8 { octets in
      octets.contains { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xD8 || $0 == 0xE2 }
    }
  }
}
