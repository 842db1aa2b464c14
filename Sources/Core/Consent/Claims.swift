/// The reason for a request in the client's own words: 1 to 200 characters on one line.
/// People read it, but it is only a claim.
public struct Purpose: Hashable, Sendable, CustomStringConvertible {
  public static let longest = 200
  public let description: String

  /// Creates a purpose; `nil` if the text is empty, too long, or has characters that a terminal does not just show.
  public init?(_ text: String) {
    guard (1...Self.longest).contains(text.count), text.utf8.count <= Self.longest * 4, text.contains(where: { !$0.isWhitespace }),
      text.unicodeScalars.allSatisfy({ !Self.hidden.contains($0.properties.generalCategory) })
    else { return nil }
    description = text
  }

  /// Line ends, terminal commands and characters that change the direction of a text, among others.
  private static let hidden: Set<Unicode.GeneralCategory> = [
    .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned,
  ]
}

/// The name of an application, as in its desktop file and its bus name: `org.example.Guide`. It is only a claim.
///
/// The syntax is that of the Desktop Entry Specification, "D-Bus Activation". It requires two elements or more of letters, digits, `-` and
/// `_`, none of which begins with a digit.
public struct AppID: Hashable, Sendable, CustomStringConvertible {
  public static let longest = 255
  public let description: String

  public init?(_ text: String) {
    let elements = text.split(separator: ".", omittingEmptySubsequences: false)
    guard text.utf8.count <= Self.longest, elements.count >= 2, elements.allSatisfy(Self.isElement) else { return nil }
    description = text
  }

  private static func isElement(_ text: Substring) -> Bool {
    guard let first = text.unicodeScalars.first, !("0"..."9").contains(first) else { return false }
    return text.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "-" || $0 == "_")
    }
  }
}
