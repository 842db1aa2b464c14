/// A text in several languages.
///
/// The first language is the default. A tag of no characters marks a text without a language, such as `name = "Gallery"` in a file.
public struct LocalizedText: Hashable, Sendable {
  public struct Version: Hashable, Sendable {
    /// A BCP 47 tag such as `de` or `de-CH`, as written.
    public let language: String
    public let text: String

    public init(language: String, text: String) {
      self.language = language
      self.text = text
    }
  }

  /// The versions in the order of the source, with distinct languages.
  public let versions: [Version]

  /// Creates a text. Later versions of the same language are dropped.
  public init(_ versions: [Version] = []) {
    var seen: Set<String> = []
    self.versions = versions.filter { seen.insert($0.language.lowercased()).inserted }
  }

  /// Creates a text without a language.
  public init(_ text: String) {
    versions = [Version(language: "", text: text)]
  }

  public var isEmpty: Bool { versions.isEmpty }
  public var languages: [String] { versions.map(\.language) }

  /// The text in the default language; nil without any text.
  public var text: String? { versions.first?.text }

  /// Returns the text in the language that the reader prefers, or in the default language.
  ///
  /// Each range is looked up as in RFC 4647, section 3.4: `de-CH` finds `de-CH`, then `de`. Then it finds another variety of the same
  /// language, such as `de-AT`, before the next range is tried. A text without a language matches no range.
  ///
  /// - Parameter preferred: the reader's language tags, the best one first. The range `*` is ignored.
  public func text(preferring preferred: [String]) -> String? {
    version(preferring: preferred)?.text
  }

  /// Returns the version that `text(preferring:)` selects.
  public func version(preferring preferred: [String]) -> Version? {
    guard versions.count > 1 else { return versions.first }
    let tags = versions.map { $0.language.lowercased() }
    for range in preferred {
      let subtags = range.lowercased().split(separator: "-")
      guard let language = subtags.first, language != "*" else { continue }
      if let found = Self.lookUp(subtags, in: tags) { return versions[found] }
      if let variety = tags.firstIndex(where: { $0.hasPrefix("\(language)-") }) { return versions[variety] }
    }
    return versions.first
  }

  private static func lookUp(_ range: [Substring], in tags: [String]) -> Int? {
    var range = range
    while !range.isEmpty {
      let tag = range.joined(separator: "-")
      if let index = tags.firstIndex(of: tag) { return index }
      range.removeLast()
      // A single character introduces an extension and is removed with it.
      if range.count > 1, range[range.count - 1].utf8.count == 1 { range.removeLast() }
    }
    return nil
  }

  /// Returns the language tags of a POSIX locale such as `de_CH.UTF-8@euro`, or of a list such as `de_CH:en` in LANGUAGE.
  ///
  /// `C` and `POSIX` have no language.
  public static func languages(ofLocale locale: String) -> [String] {
    locale.split(separator: ":").compactMap { entry in
      let name = entry.prefix { $0 != "." && $0 != "@" }
      guard !name.isEmpty, name != "C", name != "POSIX" else { return nil }
      return String(name.map { $0 == "_" ? "-" : $0 })
    }
  }
}

extension LocalizedText: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) { self.init(text) }
}

extension LocalizedText: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral versions: (String, String)...) {
    self.init(versions.map { Version(language: $0.0, text: $0.1) })
  }
}
