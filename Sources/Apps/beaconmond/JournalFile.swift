import BeaconAdvertising
import EventLoop
import Instants
import Journal
import Logging
import MonitorConfiguration
import Monitoring
import ProgramSupport
import Regions

/// The place of the journal.
struct JournalFile {
  /// The path; nil for a journal in memory.
  let path: String?
  let retention: Retention
  /// Whether the source's clock is this machine's, and not that of a capture.
  let isLive: Bool

  /// The maximum size of a user's journal.
  /// With separate journals, one user's events do not displace those of other users or of the config.
  private static let userSize = 4 << 20

  /// Returns the journal of a user's registered regions, beside this one.
  func ofUser(_ number: UInt32) -> JournalFile {
    JournalFile(
      path: folder.map { "\($0)/registered-\(number).db" },
      retention: Retention(age: retention.age, size: min(Self.userSize, retention.size)),
      isLive: isLive)
  }

  /// Opens the file.
  func open(_ loop: Loop, log: Logger) -> JournalService {
    JournalService(
      loop, EventJournal(path: path, retention, at: loop.now), lifeSign: lifeSign(loop), log: log)
  }

  /// Returns the clocks that tell how long no daemon watched: those of this machine, or that of a capture alone.
  private func lifeSign(_ loop: Loop) -> (Instant) -> LifeSign {
    guard isLive else { return { LifeSign(time: $0) } }
    return { _ in
      LifeSign(
        time: WallClock.time(of: loop.now, on: loop), boot: BootClock.boot, uptime: BootClock.uptime
      )
    }
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
