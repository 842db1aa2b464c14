import ConfigurationTree
import Diagnostics
import Venues

extension ValueDecoder where Value == LocalizedText {
  private enum Form {
    /// One line of plain text.
    case title
    /// Paragraphs of plain text.
    case text
    /// A file or an address.
    case media(example: String)

    var value: ValueForm {
      switch self {
      case .title: .text(1...200)
      case .text: .text(1...20_000)
      case .media: .text(1...2048)
      }
    }
  }

  static var title: ValueDecoder { localized(.title) }
  static var paragraphs: ValueDecoder { localized(.text) }
  static func mediaByLanguage(example: String) -> ValueDecoder { localized(.media(example: example)) }

  /// A text, or a table of texts by language.
  private static func localized(_ form: Form) -> ValueDecoder {
    ValueDecoder(.either([form.value, .map(keys: ValueForm.languagePattern, form.value)])) { node throws(DecodingIssue) in
      switch node.value {
      case .text:
        return LocalizedText(try text(node, form))
      case .table(let nodes):
        var versions: [LocalizedText.Version] = []
        // The order of the file, because the first language is the default.
        for (language, node) in nodes.sorted(by: { ($0.value.place, $0.key) < ($1.value.place, $1.key) }) {
          do throws(DecodingIssue) {
            try ValueDecoder<String>.checkLanguage(language)
            versions.append(LocalizedText.Version(language: language, text: try text(node, form)))
          } catch {
            throw DecodingIssue("\(language.shortened): \(error.message)", at: error.position ?? node.position)
          }
        }
        guard !versions.isEmpty else { throw DecodingIssue("is empty; write a text such as { en = \"Lodestone\" }") }
        return LocalizedText(versions)
      default: throw .needs("a text, or texts by language such as { en = \"Lodestone\", de = \"Magnetstein\" }", not: node)
      }
    }
  }

  private static func text(_ node: ConfigurationNode, _ form: Form) throws(DecodingIssue) -> String {
    switch form {
    case .title: return try plain(node, example: "Lodestone", most: 200, allowsLines: false)
    case .text: return try plain(node, example: "A stone that pulls iron.", most: 20_000, allowsLines: true)
    case .media(let example): return try ValueDecoder<String>.media(example: example).decode(node)
    }
  }

  /// Returns a text that shows the same in a terminal, a notification and a web page.
  private static func plain(_ node: ConfigurationNode, example: String, most: Int, allowsLines: Bool) throws(DecodingIssue) -> String {
    let text = try ValueDecoder<String>.text(example: example).decode(node)
    guard text.contains(where: { !$0.isWhitespace }) else { throw DecodingIssue("is empty; write a text such as \"\(example)\"") }
    guard text.count <= most else { throw DecodingIssue("has \(text.count) characters; at most \(most) are allowed") }
    let unprintable = text.unicodeScalars.first { $0.isUnprintable && !(allowsLines && ($0 == "\n" || $0 == "\r" || $0 == "\t")) }
    if let scalar = unprintable {
      let kind = scalar.properties.isBidiControl ? "character that changes the direction of text" : "control character"
      throw DecodingIssue("\(text.quoted) contains a \(kind); remove it")
    }
    if let markup = text.markup { throw DecodingIssue("contains the markup \(markup.quoted); write plain text") }
    return text
  }
}

extension String {
  /// The beginning of the first tag or character reference of HTML, or nil if the text has none.
  fileprivate var markup: String? {
    let octets = Array(utf8)
    for (index, octet) in octets.enumerated() where index + 1 < octets.count {
      let next = octets[index + 1]
      let isTag = octet == UInt8(ascii: "<") && (VenueID.isLetter(next) || "/!?".utf8.contains(next))
      let isReference = octet == UInt8(ascii: "&") && Self.isReference(octets[(index + 1)...])
      if isTag || isReference { return String(decoding: octets[index...].prefix(12), as: UTF8.self) }
    }
    return nil
  }

  private static func isReference(_ octets: ArraySlice<UInt8>) -> Bool {
    let name = octets.prefix(32).prefix { VenueID.isLetterOrDigit($0) || $0 == UInt8(ascii: "#") }
    return !name.isEmpty && name.endIndex < octets.endIndex && octets[name.endIndex] == UInt8(ascii: ";")
  }
}
