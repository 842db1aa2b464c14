import EventActions
import EventLoop
import Events

/// The environment of a command: some variables of the notifier, and the event.
public enum CommandEnvironment {
  /// The variables that a command inherits if they are set, in addition to `LC_*`.
  ///
  /// All other variables of the notifier, such as the folder of its credentials, are not passed on.
  public static let inherited: Set<String> = [
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY",
    "WAYLAND_DISPLAY", "XAUTHORITY",
  ]

  public static func variables(for event: Event, from own: [String: String] = ChildCommand.ownEnvironment()) -> [String: String] {
    own.filter { inherited.contains($0.key) || $0.key.hasPrefix("LC_") }.merging(event.environment.map { ($0.name, $0.value) }) { $1 }
  }
}
