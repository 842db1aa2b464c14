import EventLoop
import Failures
import FleetMessages
import Glibc
import MonitorConfiguration
import Regions
import Reloading

/// The config file of a program: the one that `--config` names, or the one at its usual place.
public struct ConfigurationFile: Sendable {
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

  /// Reads the file and its drop-ins, and converts its errors to the program's failure.
  public func read() throws(Failure) -> ConfigurationDocument {
    try convertingErrors { () throws(ConfigurationError) in try ConfigurationDocument.read(file: path, isOptional: isOptional) }
  }

  /// Reads the values of the file and its drop-ins, of which the document has been checked.
  public func readMerged() throws(Failure) -> (MergedConfiguration, ConfigurationDocument) {
    try convertingErrors { () throws(ConfigurationError) in
      try MergedConfiguration.effective(ConfigurationFiles(beside: path), isOptional: isOptional)
    }
  }

  /// Throws the reasons for which the configuration is invalid with a rollout.
  public func check(with rollout: SignedRollout) throws(Failure) {
    try convertingErrors { () throws(ConfigurationError) in
      try MergedConfiguration.check(ConfigurationFiles(beside: path), with: rollout, isOptional: isOptional)
    }
  }

  /// The file of the rollouts; nil if the folder of drop-ins cannot be read.
  public var rollouts: String? { try? ConfigurationFiles(beside: path).rollouts }

  /// The revision of the stored rollout that is used now, 0 for none, and the end of its trial on `BootClock`.
  ///
  /// Nil if the file cannot be read.
  public var storedRollout: TrialWatch.Rollout? {
    rollouts.flatMap(StoredRollouts.state).map { TrialWatch.Rollout(revision: $0.revision, trialEnd: $0.trialEnd) }
  }

  private func convertingErrors<Value>(_ body: () throws(ConfigurationError) -> Value) throws(Failure) -> Value {
    do throws(ConfigurationError) { return try body() } catch { throw Failure(error) }
  }

  /// Reads the file and its drop-ins like `read` if only root can change them, and throws otherwise.
  public func readTrusted() throws(Failure) -> ConfigurationDocument {
    var files = try convertingErrors { () throws(ConfigurationError) in try ConfigurationFiles(beside: path) }
    do throws(UntrustedFileError) { try files.trust() } catch {
      switch error {
      case .unavailable: throw Failure(.noInput, "\(error)")
      case .writable: throw Failure(.noPermission, "\(error)")
      }
    }
    return try convertingErrors { () throws(ConfigurationError) in try ConfigurationDocument.read(files) }
  }

  /// Appends a region if the file is then valid.
  public func add(_ region: Region) throws(Failure) {
    // If the folder cannot be made, the file cannot be written either, and the failure below names its path.
    if isOptional { try? Folder.make(Folder.parent(of: path)) }
    try convertingErrors { () throws(ConfigurationError) in try Configuration.add(region, to: path, isOptional: isOptional) }
  }

  /// Renames a region and the references to it, and returns the changed files.
  public func rename(_ region: String, to name: String) throws(Failure) -> [String] {
    try convertingErrors { () throws(ConfigurationError) in try RegionEdit(region, in: path).rename(to: name) }
  }

  /// Removes a region to which nothing refers, and returns the changed files.
  public func remove(_ region: String) throws(Failure) -> [String] {
    try convertingErrors { () throws(ConfigurationError) in try RegionEdit(region, in: path).remove() }
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
