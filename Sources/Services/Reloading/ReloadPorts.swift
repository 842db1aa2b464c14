import Failures
import Instants

/// The config file of a program, with its drop-ins and the stored rollout.
public protocol ReloadableFile {
  associatedtype Document: ReloadableDocument

  var path: String { get }
  /// Reads and validates the files; throws all problems, each in a line.
  func read() throws(Failure) -> Document
  /// The stored rollout that readers of the configuration use; nil if its file cannot be read.
  var storedRollout: TrialWatch.Rollout? { get }
}

/// The valid content of a config file.
public protocol ReloadableDocument {
  /// Returns the facts about this configuration, which a program has applied.
  ///
  /// - Parameter time: The time since the Unix epoch.
  func loaded(at time: Instant) -> LoadedConfiguration
}

/// The service manager, such as systemd, which started the program.
public protocol UnitManager {
  /// Reports that a reload has begun.
  func reloading()
  /// Reports that the start or a reload is complete.
  ///
  /// - Parameter status: The new line of the unit; nil keeps the last one.
  func ready(_ status: String?)
  /// Changes the line of the unit.
  func status(_ text: String)
}
