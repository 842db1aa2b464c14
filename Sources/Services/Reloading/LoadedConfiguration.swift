import Instants

/// A configuration that was read and applied.
public struct LoadedConfiguration: Equatable, Sendable {
  /// The main file with its drop-ins, as it appears in log lines.
  public var title: String
  /// The paths of the files from the root, the main one first.
  public var files: [String]
  /// The time of the reading since the Unix epoch.
  public var time: Instant
  /// The digest of the keys and values.
  public var digest: UInt64
  /// The SHA-256 of the keys and values, for a hub; nil without one.
  public var hash: [UInt8]?
  /// A warning about each key with an old name.
  public var renamedKeys: [String] = []
  /// The revision of the rollout in it; nil if there is none.
  public var rollout: Int64?
  /// The first problem of a rollout that is not in use; nil if there is none.
  public var rolloutNote: String?
  /// The end of the rollout's trial on the clock that counts from the boot; nil if it is not on trial.
  public var trialEnd: Span?

  public init(title: String, files: [String], time: Instant, digest: UInt64) {
    (self.title, self.files, self.time, self.digest) = (title, files, time, digest)
  }

  /// The first key with an old name, and the number of further ones; nil if there is none.
  public var note: String? {
    let more = renamedKeys.count > 1 ? " (and \(renamedKeys.count - 1) more)" : ""
    return renamedKeys.first.map { "\($0)\(more)" }
  }
}
