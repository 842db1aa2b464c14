/// One thing that is wrong in a configuration, and where.
public struct ConfigurationProblem: Hashable, Sendable {
  /// As it was given.
  public let file: String
  /// From 1; nil when the whole file is to blame.
  public let line: Int?
  /// From 1; nil when the line is known but not the place in it.
  public let column: Int?
  /// What is wrong there and what to do, with the way to the key before it: `region "entrance": uuid: …`.
  public let message: String
}

extension ConfigurationProblem: CustomStringConvertible {
  /// One line: `beaconmon.toml:12: region "entrance": uuid: …`.
  public var description: String {
    let place = [line, column].compactMap { $0.map { ":\($0)" } }.joined()
    return "\(file)\(place): \(message)".escapingControlCharacters
  }
}

extension String {
  /// What a file says may hold line ends and terminal commands; a message must not.
  var escapingControlCharacters: String {
    unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
    }.joined()
  }
}
