import ArgumentParser
import EventLoop

/// The option that selects the language of names.
struct LanguageOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The language of names. Default: that of the environment.", valueName: "tag"))
  var language: String?

  /// The language as a locale; nil if neither the option nor the environment names one.
  var locale: String? {
    let locale = language ?? Self.ofEnvironment
    return locale.isEmpty ? nil : locale
  }

  /// The locale of messages: the first of these variables that is set (POSIX.1-2017, 8.2), after the list in LANGUAGE.
  private static var ofEnvironment: String {
    let environment = ChildCommand.ownEnvironment()
    return ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
  }
}
