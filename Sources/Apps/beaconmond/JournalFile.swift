import BeaconAdvertising
import EventLoop
import Glibc
import Journal
import MonitorConfiguration
import ProgramSupport

/// Where the journal is.
struct JournalFile {
  /// Nil: in memory.
  let path: String?
  let retention: Retention
  /// The source's clock is this machine's, and not that of a capture.
  let isLive: Bool

  /// The journal of a user's registered regions, beside this one.
  func ofUser(_ number: UInt32, size: Int) -> JournalFile {
    JournalFile(
      path: folder.map { "\($0)/registered-\(number).db" }, retention: Retention(age: retention.age, size: min(size, retention.size)),
      isLive: isLive)
  }

  private init(path: String?, retention: Retention, isLive: Bool) {
    (self.path, self.retention, self.isLive) = (path, retention, isLive)
  }

  /// Nil with `path`.
  var folder: String? { path.map { $0.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") } }

  /// A capture plays the same again and again, so it has a journal only where the config names one.
  ///
  /// - Parameter isLive: the source's clock is this machine's.
  init(_ settings: JournalSettings, isLive: Bool, isSession: Bool) {
    retention = Retention(age: settings.retention, size: Int(clamping: settings.size.octets))
    self.isLive = isLive
    path = settings.path ?? (isLive ? "\(Self.folder(isSession: isSession))/journal.db" : nil)
  }

  /// The unit's StateDirectory, or the user's folder of the XDG Base Directory Specification.
  private static func folder(isSession: Bool) -> String {
    if let folder = ChildCommand.ownEnvironment()["STATE_DIRECTORY"]?.split(separator: ":").first { return String(folder) }
    guard isSession else { return "/var/lib/beaconmon" }
    // Where it cannot be made the journal cannot be opened either: it stays in memory then, which the log and `status` say.
    try? Folder.make(UserFolder.state)
    return UserFolder.state
  }
}
