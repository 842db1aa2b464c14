import BeaconAdvertising
import EventLoop
import Glibc
import Journal
import MonitorConfiguration
import ProgramSupport

/// The place of the journal.
struct JournalFile {
  /// The path; nil for a journal in memory.
  let path: String?
  let retention: Retention
  /// Whether the source's clock is this machine's, and not that of a capture.
  let isLive: Bool

  /// Returns the journal of a user's registered regions, beside this one.
  func ofUser(_ number: UInt32, size: Int) -> JournalFile {
    JournalFile(
      path: folder.map { "\($0)/registered-\(number).db" }, retention: Retention(age: retention.age, size: min(size, retention.size)),
      isLive: isLive)
  }

  private init(path: String?, retention: Retention, isLive: Bool) {
    (self.path, self.retention, self.isLive) = (path, retention, isLive)
  }

  /// The folder of `path`; nil with it.
  var folder: String? { path.map { $0.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") } }

  /// Selects the journal of the settings; a capture has one only if the config names it, because it replays the same events.
  ///
  /// - Parameter isLive: the source's clock is this machine's.
  init(_ settings: JournalSettings, isLive: Bool, isSession: Bool) {
    retention = Retention(age: settings.retention, size: Int(clamping: settings.size.octets))
    self.isLive = isLive
    path = settings.path ?? (isLive ? "\(Self.folder(isSession: isSession))/journal.db" : nil)
  }

  /// Returns the unit's StateDirectory, or the user's folder of the XDG Base Directory Specification.
  private static func folder(isSession: Bool) -> String {
    if let folder = ChildCommand.ownEnvironment()["STATE_DIRECTORY"]?.split(separator: ":").first { return String(folder) }
    guard isSession else { return "/var/lib/beaconmon" }
    // If the folder cannot be made, the journal stays in memory, and the log and `status` report it.
    try? Folder.make(UserFolder.state)
    return UserFolder.state
  }
}
