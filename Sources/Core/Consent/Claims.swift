/// Why a client wants to know, in its own words: 1 to 200 characters on one line. People read it, and it is only a claim.
public struct Purpose: Hashable, Sendable, CustomStringConvertible {
  public static let longest = 200
  public let description: String

  /// Nil for a text that is empty, too long, or would do more to a terminal than be shown.
  public init?(_ text: String) {
    guard (1...Self.longest).contains(text.count), text.utf8.count <= Self.longest * 4, text.contains(where: { !$0.isWhitespace }),
      text.unicodeScalars.allSatisfy({ !Self.hidden.contains($0.properties.generalCategory) })
    else { return nil }
    description = text
  }

  /// Line ends and terminal commands, and what turns the direction of a text around.
  private static let hidden: Set<Unicode.GeneralCategory> = [
    .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned,
  ]
}

/// The name of an application, as its desktop file and its bus name have it: `org.example.Guide`. Only a claim.
///
/// Desktop Entry Specification, "D-Bus Activation": two elements or more of letters, digits, `-` and `_`, none of them first a digit.
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
