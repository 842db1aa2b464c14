import EventLoop

/// The locale of messages in the environment of this process.
public enum MessageLocale {
  /// The first of these variables that is set (POSIX.1-2017, 8.2), after the list in LANGUAGE.
  public static var name: String {
    let environment = ChildCommand.ownEnvironment()
    return ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
  }
}
