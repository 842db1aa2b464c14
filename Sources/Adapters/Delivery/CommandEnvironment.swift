import EventActions
import EventLoop
import Events

/// What a command finds in its environment: a few variables of the notifier's own, and the event.
public enum CommandEnvironment {
  /// Those that a command inherits where they are set, beside the `LC_` ones: where it is, who it runs for, in which language, and on which
  /// desktop. Whatever else the notifier was given, such as the place of its credentials, stays with it.
  public static let inherited: Set<String> = [
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY",
    "WAYLAND_DISPLAY", "XAUTHORITY",
  ]

  public static func variables(for event: Event, from own: [String: String] = ChildCommand.ownEnvironment()) -> [String: String] {
    own.filter { inherited.contains($0.key) || $0.key.hasPrefix("LC_") }.merging(event.environment.map { ($0.name, $0.value) }) { $1 }
  }
}
