import BeaconAdvertising
import EventLoop
import Glibc
import Journal
import MonitorConfiguration

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
    let environment = ChildCommand.ownEnvironment()
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if let folder = value("STATE_DIRECTORY")?.split(separator: ":").first { return String(folder) }
    guard isSession else { return "/var/lib/beaconmon" }
    let state = value("XDG_STATE_HOME") ?? "\(value("HOME") ?? "")/.local/state"
    // One that is there already is as good, and one that cannot be made shows when the file is opened.
    for folder in [state, "\(state)/beaconmon"] { mkdir(folder, 0o700) }
    return "\(state)/beaconmon"
  }
}
