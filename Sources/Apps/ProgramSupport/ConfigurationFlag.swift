import EventLoop
import Failures
import MonitorConfiguration

extension Configuration {
  /// Reads the file and turns what is wrong with it into the program's failure.
  public static func load(_ file: String) throws(Failure) -> Configuration {
    do throws(ConfigurationError) {
      return try read(file: file)
    } catch {
      switch error {
      case .unreadable: throw Failure(.noInput, "\(error)")
      case .invalid: throw Failure(.config, "\(error)")
      }
    }
  }

  /// Where the config is unless a flag names another place: the system's, or the user's with `--session`.
  public static func defaultFile(isSession: Bool) -> String {
    guard isSession else { return "/etc/beaconmon/beaconmon.toml" }
    let environment = ChildCommand.ownEnvironment()
    let folder = environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? "\(environment["HOME"] ?? "")/.config"
    return "\(folder)/beaconmon/beaconmon.toml"
  }
}
