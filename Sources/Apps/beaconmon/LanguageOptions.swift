import ArgumentParser
import ProgramSupport

/// The option that selects the language of names.
struct LanguageOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The language of names. Default: that of the environment.", valueName: "tag"))
  var language: String?

  /// The language as a locale; nil if neither the option nor the environment names one.
  var locale: String? {
    let locale = language ?? MessageLocale.name
    return locale.isEmpty ? nil : locale
  }
}
