import EventLoop
import Failures
import Glibc
import MonitorConfiguration
import Regions

/// Which config a program reads: the one that `--config` names, or the one at its usual place.
public struct ConfigurationFile {
  public let path: String
  /// A user who just tries it out has none: then everything is as by default.
  private let isOptional: Bool

  /// - Parameters:
  ///   - isSession: the user's, `~/.config/beaconmon/beaconmon.toml`, instead of the system's.
  ///   - isOptional: there need be none, even where one is named.
  public init(flag: String?, isSession: Bool, isOptional: Bool = false) {
    path = flag ?? (isSession ? "\(UserFolder.configuration)/beaconmon.toml" : Self.systemFile)
    self.isOptional = isOptional || flag == nil && isSession
  }

  public static let systemFile = "/etc/beaconmon/beaconmon.toml"

  /// Reads the file and turns what is wrong with it into the program's failure.
  public func read() throws(Failure) -> ConfigurationDocument {
    do throws(ConfigurationError) {
      return try ConfigurationDocument.read(file: path)
    } catch {
      if case .unreadable(_, ENOENT) = error, isOptional { return ConfigurationDocument(withoutFile: path) }
      throw Failure(error)
    }
  }

  /// Appends a region, if the file is then valid.
  public func add(_ region: CircularRegion) throws(Failure) {
    // Where it cannot be made the file cannot be written either, and the failure below names its path.
    if isOptional, let end = path.lastIndex(of: "/") { try? Folder.make(String(path[..<end])) }
    do throws(ConfigurationError) {
      try Configuration.add(region, to: path, isOptional: isOptional)
    } catch {
      throw Failure(error)
    }
  }

}
