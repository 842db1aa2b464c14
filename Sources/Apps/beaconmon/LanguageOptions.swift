import ArgumentParser
import ProgramSupport
import Venues
import Wayfinding

/// The option that selects the language of names.
struct LanguageOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The language of names. Defaults to that of the environment.", valueName: "tag"))
  var language: String?

  /// The language as a locale; nil if neither the option nor the environment names one.
  var locale: String? {
    let locale = language ?? MessageLocale.name
    return locale.isEmpty ? nil : locale
  }

  /// The language tags, the best one first.
  var tags: [String] { LocalizedText.languages(ofLocale: locale ?? "") }

  /// The warning that the option names a language without sentences for ways; nil if they exist.
  ///
  /// Names in this language may exist, so the command continues. A language of the environment causes no warning.
  var missingSentences: String? {
    let tags = LocalizedText.languages(ofLocale: language ?? "")
    guard let language, !tags.isEmpty, Phrasebook.first(of: tags) == nil else { return nil }
    let known = Phrasebook.all.map(\.language).joined(separator: ", ")
    return "--language: there are no sentences in \"\(language)\", so they are in English; the languages are \(known)"
  }
}
