import Diagnostics

/// One problem of a configuration and its place.
public struct ConfigurationProblem: Hashable, Sendable {
  /// The name of the file, as given when it was read.
  public let file: String
  /// The line, from 1; nil for a problem of the whole file.
  public let line: Int?
  /// The column, from 1; nil if only the line is known.
  public let column: Int?
  /// The fault and its remedy, after the path to the key: `region "entrance": uuid: …`.
  public let message: String
}

extension ConfigurationProblem: CustomStringConvertible {
  /// The problem in one line: `beaconmon.toml:12: region "entrance": uuid: …`.
  public var description: String { "\(place): \(message)".escapingControlCharacters }

  /// The problem as a warning, for a valid setting that will not work: `beaconmon.toml:12: warning: journal: path: …`.
  public var warningLine: String { "\(place): warning: \(message)".escapingControlCharacters }

  private var place: String {
    guard let line else { return file }
    return column.map { "\(file):\(line):\($0)" } ?? "\(file):\(line)"
  }
}

extension String {
  /// The text with line ends, control characters, terminal commands and invisible characters escaped, as a message needs it.
  var escapingControlCharacters: String {
    guard mayHoldUnprintables else { return self }
    return unicodeScalars.map { scalar in
      scalar.isUnprintable || scalar.isInvisible ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
    }.joined()
  }

  /// Whether the text may contain unprintable characters: a fast check that can be wrong in one direction only.
  ///
  /// C0 and DEL are one octet. C1 begins with C2, line separators and bidirectional controls with D8 or E2, and invisible characters with
  /// CD, E1, E2, E3, EF, F0 or F3 as well. Some printable characters begin with them too; these only take the slow path.
  private var mayHoldUnprintables: Bool {
    var text = self
    return text.withUTF8 { octets in
      octets.contains { $0 < 0x20 || $0 == 0x7F || [0xC2, 0xCD, 0xD8, 0xE1, 0xE2, 0xE3, 0xEF, 0xF0, 0xF3].contains($0) }
    }
  }
}
