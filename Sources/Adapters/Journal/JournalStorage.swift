import EventLoop
import Instants
import Logging
import Monitoring
import Regions

/// The place of a journal and its limits.
public struct JournalStorage {
  /// The maximum size of a user's journal.
  /// With separate journals, one user's events do not displace those of other users or of the config.
  private static let userSize = 4 << 20

  /// The path; nil for a journal in memory.
  public let path: String?
  public let retention: Retention
  /// Whether the source's clock is that of this machine; otherwise it is that of a capture.
  private let isLive: Bool
  /// Whether a missing folder is created, which suits only a folder of this program.
  private let makesFolder: Bool

  public init(path: String?, _ retention: Retention, isLive: Bool, makesFolder: Bool = false) {
    (self.path, self.retention, self.isLive, self.makesFolder) = (path, retention, isLive, makesFolder)
  }

  /// The folder of `path`; nil with it.
  public var folder: String? { path.map { $0.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") } }

  /// Returns the journal of a user's registered regions, beside this one.
  public func ofUser(_ number: UInt32) -> JournalStorage {
    JournalStorage(
      path: folder.map { "\($0)/registered-\(number).db" },
      Retention(age: retention.age, size: min(Self.userSize, retention.size)), isLive: isLive, makesFolder: makesFolder)
  }

  /// Opens the journal.
  public func open(_ loop: Loop, log: Logger) -> JournalService {
    let journal = EventJournal(path: path, retention, at: loop.now) {
      // If the folder cannot be created, the file cannot be opened, which the log and `status` report.
      if makesFolder, let folder { try? Folder.make(folder) }
    }
    return JournalService(loop, journal, heartbeat: { heartbeat($0, loop) }, log: log)
  }

  /// Returns the clocks that show how long no daemon watched: those of this machine, or that of a capture alone.
  func heartbeat(_ time: Instant, _ loop: Loop) -> Heartbeat {
    guard isLive else { return Heartbeat(time: time) }
    return Heartbeat(time: WallClock.time(of: loop.now, on: loop), boot: BootClock.boot, uptime: BootClock.uptime)
  }
}
