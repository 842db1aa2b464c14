import EventLoop

/// The package's folders in the user's home, by the XDG Base Directory Specification.
public enum UserFolder {
  public static var state: String { path("XDG_STATE_HOME", else: ".local/state") }
  public static var configuration: String { path("XDG_CONFIG_HOME", else: ".config") }

  private static func path(_ variable: String, else folder: String) -> String {
    let environment = ChildCommand.ownEnvironment()
    let parent = environment[variable].flatMap { $0.isEmpty ? nil : $0 } ?? "\(environment["HOME"] ?? "")/\(folder)"
    return "\(parent)/beaconmon"
  }
}
