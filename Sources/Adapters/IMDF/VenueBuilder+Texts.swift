import Diagnostics
import Venues

extension VenueBuilder {
  /// The longest title, and the longest text, of a venue file.
  static let mostTitle = 200
  static let mostText = 20_000

  /// Returns the labels of a feature, with the default language of the archive first.
  mutating func labels(_ value: JSONValue?, of feature: IMDFFeature, most: Int = mostTitle) -> LocalizedText {
    switch value {
    case nil, .null?: return LocalizedText()
    case .text(let text)?:
      notes.warn("a text in place of labels by language; \(content.language) is assumed", feature)
      return LocalizedText(version(content.language, text, of: feature, most).map { [$0] } ?? [])
    case .object(let texts)?:
      var versions: [LocalizedText.Version] = []
      for (language, value) in texts.sorted(by: { isBefore($0.key, $1.key) }) where !value.isNull {
        guard language.isLanguageTag, let text = value.text else {
          notes.warn("a label without a language or a text, which is ignored", feature)
          continue
        }
        if let version = version(language, text, of: feature, most) { versions.append(version) }
      }
      return LocalizedText(versions)
    default:
      notes.warn("a name that is neither a text nor labels by language, which is ignored", feature)
      return LocalizedText()
    }
  }

  private func isBefore(_ first: String, _ second: String) -> Bool {
    let isDefault = (first == content.language, second == content.language)
    return isDefault.0 != isDefault.1 ? isDefault.0 : first < second
  }

  private mutating func version(_ language: String, _ text: String, of feature: IMDFFeature, _ most: Int) -> LocalizedText.Version? {
    let plain = text.plainText(most: most, allowsLines: most > Self.mostTitle)
    guard plain.contains(where: { !$0.isWhitespace }) else { return nil }
    if plain != text { notes.warn("a text with control or invisible characters, markup or too great a length; it is changed", feature) }
    return LocalizedText.Version(language: language, text: plain)
  }

  /// Returns an address that a venue file may contain; nil for others.
  func link(_ value: JSONValue?) -> String? {
    guard let text = value?.text, text.utf8.count <= 2048, text.lowercased().hasPrefix("https://") else { return nil }
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\"<>\\^`{|}".utf8.contains($0) }) else { return nil }
    let host = text.dropFirst("https://".count).prefix { !"/?#".contains($0) }
    return host.isEmpty || host.contains("@") ? nil : text
  }

  /// Returns an id of a venue file for an id of the archive.
  ///
  /// - Parameter used: the ids in use, to which the result is added.
  mutating func id(_ text: String, of feature: IMDFFeature, _ used: inout IDPool) -> String {
    let octets = text.utf8.prefix(64).map { $0.isLetter || $0.isDigit || "-._".utf8.contains($0) ? $0 : UInt8(ascii: "-") }
    var id = String(decoding: octets, as: UTF8.self)
    if let first = octets.first, !first.isLetter, !first.isDigit { id = "x" + id.prefix(63) }
    if id.isEmpty { id = feature.type }
    if id != text { notes.warn("the id has characters that a venue file does not allow; they are replaced", feature) }
    return used.unique(id)
  }
}

/// Ids that are in use.
struct IDPool {
  private var used: Set<String> = []
  private var numbers: [String: Int] = [:]

  /// Returns the id, with a number if it is in use.
  mutating func unique(_ id: String) -> String {
    let base = String(id.prefix(56))
    var candidate = id
    while !used.insert(candidate).inserted {
      // Each number is tried once, however many ids begin alike.
      let number = numbers[base, default: 1] + 1
      numbers[base] = number
      candidate = "\(base)-\(number)"
    }
    return candidate
  }
}

extension String {
  /// The text without unprintable characters and without markup, shortened.
  fileprivate func plainText(most: Int, allowsLines: Bool) -> String {
    var scalars = UnicodeScalarView()
    var previous: Unicode.Scalar = " "
    for scalar in unicodeScalars {
      // A blank makes plain text of the beginning of a tag or of a character reference.
      let beginsMarkup =
        previous == "<" && (scalar.isASCIILetter || "/!?".unicodeScalars.contains(scalar)) || previous == "&" && scalar.isInReference
      if beginsMarkup { scalars.append(" ") }
      let isKept = allowsLines && (scalar == "\n" || scalar == "\t") || !scalar.isUnprintable && !scalar.isInvisible
      if isKept || scalar.properties.generalCategory == .control { scalars.append(isKept ? scalar : " ") }
      previous = scalar
    }
    return String(String(scalars).prefix(most))
  }
}

extension Unicode.Scalar {
  fileprivate var isASCIILetter: Bool { isASCII && properties.isAlphabetic }
  fileprivate var isInReference: Bool { isASCIILetter || self == "#" || ("0"..."9").contains(self) }
}
