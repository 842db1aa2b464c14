/// The rules for names of tags.
public enum TagName {
  public static let longest = 80

  /// Returns why a text is not a name of a tag; nil if it is one. The empty name removes a name.
  public static func fault(of text: String) -> String? {
    guard text.utf8.count <= longest else { return "a name has at most \(longest) octets" }
    // Characters that reorder text could make one name look like another (Unicode TR 36, 3.1).
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
        && $0.properties.generalCategory != .lineSeparator
    }
    guard isPlain else { return "a name has no control characters" }
    return text.first?.isWhitespace == true || text.last?.isWhitespace == true ? "a name begins and ends with no space" : nil
  }
}
