/// The settings of the programs of a hub on one machine, which a file has as variables of the environment.
public struct ProgramSettings: Hashable, Sendable {
  /// The names of the settings, which are those of the variables.
  public enum Key: String, CaseIterable, Sendable {
    case database = "BEACONMON_HUB_DATABASE"
    case broker = "BEACONMON_HUB_BROKER"
    case brokerPassword = "BEACONMON_HUB_BROKER_PASSWORD"
    case certificates = "BEACONMON_HUB_CERTIFICATES"
    case webListen = "BEACONMON_HUB_WEB_LISTEN"
    case webURL = "BEACONMON_HUB_WEB_URL"
    case webCertificate = "BEACONMON_HUB_WEB_CERTIFICATE"
    case webKey = "BEACONMON_HUB_WEB_KEY"
    case webProxy = "BEACONMON_HUB_WEB_PROXY"
    case webProxyUserHeader = "BEACONMON_HUB_WEB_PROXY_USER_HEADER"
  }

  private var values: [Key: String] = [:]

  /// Settings without a value.
  public init() {}

  /// Reads lines such as `NAME="VALUE"`. Lines that begin with `#`, and empty lines, are ignored.
  ///
  /// A value may be in double or single quotes, and has no escapes: it is what lies between the quotes.
  /// An empty value is that of a setting that is not set.
  /// Throws the first error with its line.
  ///
  /// - Parameter name: the name of the text in errors
  public init(text: String, name: String) throws(ProgramSettingsError) {
    var lines: [Key: Int] = [:]
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let line = line.trimmed
      guard let first = line.first, first != "#" else { continue }
      func error(_ text: String) -> ProgramSettingsError { ProgramSettingsError("\(name):\(index + 1): \(text)") }
      guard let equals = line.firstIndex(of: "=") else { throw error("a setting is NAME=\"VALUE\", and this line has no \"=\"") }
      let word = line[..<equals].trimmed
      guard let key = Key(rawValue: String(word)) else {
        throw error("unknown setting \"\(word)\"; the settings are \(Key.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      if let earlier = lines[key] { throw error("\(key.rawValue) is set in line \(earlier) already; remove one of the two lines") }
      guard let value = Self.unquoted(line[line.index(after: equals)...].trimmed) else {
        throw error("the value of \(key.rawValue) has one quotation mark only; write \(key.rawValue)=\"VALUE\"")
      }
      lines[key] = index + 1
      values[key] = value.isEmpty ? nil : value
    }
  }

  public subscript(key: Key) -> String? { values[key] }

  /// Returns the text without the quotes around it; nil if it has one quote only.
  private static func unquoted(_ text: Substring) -> String? {
    guard let quote = text.first, quote == "\"" || quote == "'" else { return text.last == "\"" ? nil : String(text) }
    guard text.count > 1, text.last == quote else { return nil }
    return String(text.dropFirst().dropLast())
  }
}

/// An error in a file of settings, with its place.
public struct ProgramSettingsError: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}

/// The error of a setting that is required and not set.
public struct MissingSetting: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  /// - Parameters:
  ///   - name: The setting in words.
  ///   - option: The option in place of the setting; nil if there is none.
  ///   - file: The path of the file of settings.
  ///   - isReadable: Whether the user may read the file, or there is none.
  public init(_ name: String, _ key: ProgramSettings.Key, option: String?, file: String, isReadable: Bool) {
    description =
      isReadable
      ? "\(name) is missing; set \(key.rawValue) in \(file) or in the environment" + (option.map { ", or use \($0)" } ?? "")
      : "\(name) is missing: \(file), which may set \(key.rawValue), is readable for root and the group beaconmon-hub only; use sudo"
        + (option.map { ", or \($0)" } ?? "")
  }
}

extension Substring {
  /// The text without white space at its ends.
  fileprivate var trimmed: Substring {
    let start = drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return start[start.startIndex..<start.startIndex] }
    return start[...last]
  }
}
