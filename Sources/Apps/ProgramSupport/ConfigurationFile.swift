import EventLoop
import Failures
import Glibc
import MonitorConfiguration
import Regions

/// The config file of a program: the one that `--config` names, or the one at its usual place.
public struct ConfigurationFile {
  public let path: String
  /// Whether the file may be missing, as in a trial; then all settings have their defaults.
  private let isOptional: Bool

  /// - Parameters:
  ///   - isSession: selects the user's file, `~/.config/beaconmon/beaconmon.toml`, instead of the system's.
  ///   - isOptional: the file may be missing, even if `flag` names one.
  public init(flag: String?, isSession: Bool, isOptional: Bool = false) {
    path = flag ?? (isSession ? "\(UserFolder.configuration)/beaconmon.toml" : Self.systemFile)
    self.isOptional = isOptional || flag == nil && isSession
  }

  public static let systemFile = "/etc/beaconmon/beaconmon.toml"

  /// Reads the file, and converts its errors to the program's failure.
  public func read() throws(Failure) -> ConfigurationDocument {
    do throws(ConfigurationError) {
      return try ConfigurationDocument.read(file: path)
    } catch {
      if case .unreadable(_, ENOENT) = error, isOptional { return ConfigurationDocument(withoutFile: path) }
      throw Failure(error)
    }
  }

  /// Appends a region if the file is then valid.
  public func add(_ region: CircularRegion) throws(Failure) {
    // If the folder cannot be made, the file cannot be written either, and the failure below names its path.
    if isOptional, let end = path.lastIndex(of: "/") { try? Folder.make(String(path[..<end])) }
    do throws(ConfigurationError) {
      try Configuration.add(region, to: path, isOptional: isOptional)
    } catch {
      throw Failure(error)
    }
  }

}

extension Failure {
  /// Maps a file that cannot be read to a missing input, and one with mistakes to a wrong configuration.
  public init(_ error: ConfigurationError) {
    switch error {
    case .unreadable: self.init(.noInput, "\(error)")
    case .unwritable(_, let code): self.init([EACCES, EPERM, EROFS].contains(code) ? .noPermission : .ioError, "\(error)")
    case .invalid: self.init(.config, "\(error)")
    }
  }
}

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
