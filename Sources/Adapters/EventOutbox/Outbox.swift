import DeliveryScheduling
import EventLoop
import Events
import Glibc
import Instants
import Notification
import SQLite

/// The events on disk that wait for delivery, with their targets and the place in the journal.
///
/// An event and its deliveries are committed together with the place behind it, so a crash neither loses nor duplicates an event; only a
/// running attempt is repeated. A power cut may revert the last commits. The place is reverted with them, and the notifier fetches the
/// events again.
public final class Outbox: EventOutbox {
  /// A delivery that was given up and needs attention.
  public struct DeadLetter: Hashable, Sendable {
    public let target: String
    public let json: String
    public let reason: String
    /// The time at which it was given up, since the Unix epoch.
    public let time: Instant
  }

  /// The maximum number of dead letters of each target; the newest are kept.
  static let mostDeadLetters: Int64 = 10_000

  let loop: Loop
  let device: String
  let database: Database
  let statements: OutboxStatements
  /// The reason why other users can read or replace the file, and advice; `nil` if they cannot.
  public var permissionWarning: String? { database.permissionWarning }
  /// The time for which the notifier ran before `start`.
  private let earlierTime: Span
  private let start: Instant
  private var reached: [EventFeed: EventPlaces] = [:]
  public let isOnDisk: Bool
  /// Whether the place at which this process began is on the disk.
  private var isStartStored = true
  /// The damage that was found, its losses and the location of the rest; `nil` without damage.
  public let note: String?

  /// - Parameters:
  ///   - path: the path of the file; `nil` for a file without a name, which ends with the process.
  ///   - device: a prefix that distinguishes the messages of this device from those of others.
  ///   - isKept: whether the file is neither repaired nor moved, and an unreadable one is an error.
  /// - Throws: the error of an unreadable file at the first start. The next start moves it aside and keeps its readable rows.
  public init(_ loop: Loop, path: String?, device: String, isKept: Bool = false) throws(DatabaseError) {
    self.loop = loop
    self.device = device
    start = loop.now
    isOnDisk = path != nil
    let opened = try Self.open(path, isKept: isKept)
    let (database, statements) = (opened.database, opened.statements)
    (self.database, self.statements) = (database, statements)
    // A file that is only inspected is not repaired.
    let repaired = isKept ? nil : try OutboxRepair(database, opened.checks, statements).repair(at: Self.wallClock)
    let restored = try opened.salvage.map { (salvage) throws(DatabaseError) in
      try salvage.restore(to: database, statements, at: Self.wallClock)
    }
    earlierTime = Span(microseconds: max(0, try statements.clock()))
    let lost = isKept ? nil : try path.map { (path) throws(DatabaseError) in try opened.checks.countCommits(beside: path) } ?? nil
    let notes = [
      opened.note, restored, repaired.map { "\(database.path) was damaged: \($0)" },
      lost.map { "\(database.path): \($0); events may be delivered twice or lost" },
    ].compactMap(\.self)
    note = notes.isEmpty ? nil : notes.joined(separator: "; ")
    for feed in EventFeed.allCases { reached[feed] = try statements.places(feed) }
  }

  private struct Opened {
    let database: Database
    let checks: RowChecks
    let statements: OutboxStatements
    var salvage: OutboxSalvage?
    var note: String?
  }

  private static func open(_ path: String?, isKept: Bool) throws(DatabaseError) -> Opened {
    guard let path else {
      return try open("")
    }
    let failure = FailedStart(path)
    do throws(DatabaseError) {
      let repairs = isKept ? [] : try prepare(path)
      var opened = try open(path)
      if !isKept { failure.forget() }
      if !repairs.isEmpty { opened.note = repairs.joined(separator: "; ") }
      return opened
    } catch {
      guard !isKept, error.isUnreadable else { throw error }
      // The first failure may be a temporary one of the disk, and an administrator may know a better remedy.
      guard failure.isKnown else {
        failure.note(error.description)
        throw error
      }
      let salvage = OutboxSalvage(path)
      guard let name = UnreadableFile.moveAside(path) else {
        throw DatabaseError(.cannotOpen, path: path, message: "\(error.message), and it cannot be moved aside; remove \(path).1 to .8")
      }
      failure.forget()
      _ = try prepare(path)
      var opened = try open(path)
      (opened.salvage, opened.note) = (salvage, "\(path) could not be read and was moved to \(name): \(error.message)")
      return opened
    }
  }

  /// Creates a missing file, and removes a log of another one. Returns the repairs of the log.
  private static func prepare(_ path: String) throws(DatabaseError) -> [String] {
    let repairs = try WriteAheadLog.prepare(beside: path, CheckedTable.outbox)
    if access(path, F_OK) != 0, errno == ENOENT { try OutboxSchema.schema.create(path) }
    if Database.isEmpty(path) { throw DatabaseError(.corrupt, path: path, message: "the file is empty") }
    if WriteAheadLog.isDamaged(beside: path) {
      throw DatabaseError(.corrupt, path: path, message: "the database is damaged: commits in its log cannot be read")
    }
    return repairs
  }

  private static func open(_ path: String) throws(DatabaseError) -> Opened {
    let database = try Database(path: path)
    // Also checks the order of rows, without which SQLite misses deliveries.
    try database.integrityCheck()
    try OutboxSchema.schema.apply(to: database)
    try database.enableWriteAheadLog()
    // NORMAL is sufficient, as explained above, and does not wait for the disk.
    try database.execute("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -512")
    let checks = try RowChecks(database, CheckedTable.outbox)
    // A damaged schema shows only when its columns are read.
    for table in CheckedTable.outbox { _ = try checks.findings(in: table) }
    let statements = try OutboxStatements(database, checks)
    _ = try statements.announced("")
    return Opened(database: database, checks: checks, statements: statements)
  }

  static var wallClock: Instant { Instant(microseconds: Int64(time(nil)) * 1_000_000) }

  /// The total time for which the notifier has run, which determines the age of deliveries instead of the wall clock.
  var clock: Span { earlierTime + (loop.now - start) }
}

// MARK: In

extension Outbox {
  /// Returns the places up to which the events of a feed are queued.
  public func places(of feed: EventFeed = .config) -> EventPlaces { reached[feed] ?? EventPlaces() }

  /// Queues events in one commit in their order, and moves the place behind them. Skips events before the place.
  ///
  /// - Parameters:
  ///   - age: the current age of an event.
  ///   - targets: the names of the targets of an event.
  /// - Returns: the names of the targets with new deliveries.
  public func accept(
    _ events: [Event], of feed: EventFeed = .config, age: (Event) -> Span = { _ in .zero }, targets: (Event) -> [String]
  ) throws(DatabaseError) -> Set<String> {
    var (touched, places) = (Set<String>(), places(of: feed))
    try database.transaction { () throws(DatabaseError) in
      for event in events {
        guard let place = event.place, places[place.journal].map({ $0 < place.sequence }) ?? true else { continue }
        places.note(place)
        let names = targets(event)
        guard !names.isEmpty else { continue }
        let id = try statements.insert(event, at: place, queued: clock, age: age(event))
        for name in names { try statements.insertDelivery(name, of: id) }
        touched.formUnion(names)
      }
      try statements.setPlaces(places, feed)
      try statements.setClock(clock)
    }
    reached[feed] = places
    return touched
  }

  /// Records the places at which to begin; earlier events are not delivered.
  ///
  /// - Throws: the error of the disk. The place is valid nevertheless: events that the disk refuses from here on are requested again, and
  ///   the place is
  ///   written with the first accepted event, or by the next call.
  public func begin(at start: EventPlaces) throws(DatabaseError) {
    guard start != places() || !isStartStored else { return }
    reached[.config] = start
    isStartStored = false
    try database.transaction { () throws(DatabaseError) in try statements.setPlaces(start, .config) }
    isStartStored = true
  }
}

// MARK: Announcements to brokers

extension Outbox {
  /// Returns the stored names of the entities that were announced to the broker of a target, and not cleared since.
  public func announced(to target: String) throws(DatabaseError) -> Set<String> { try statements.announced(target) }

  /// Records the stored names of the entities that are announced to the broker of a target.
  public func setAnnounced(_ names: Set<String>, to target: String) throws(DatabaseError) {
    try database.transaction { () throws(DatabaseError) in
      if try statements.announced(target) != names { try statements.setAnnounced(target, names) }
    }
  }
}

/// The mark of an earlier failed start on the same outbox: the file `outbox.db.failed` with the reason.
///
/// The mark is on the disk because a failed start ends the process. If it cannot be written, the outbox could not be moved aside either.
private struct FailedStart {
  private let path: String

  init(_ file: String) {
    path = file + ".failed"
  }

  var isKnown: Bool { access(path, F_OK) == 0 }

  func note(_ reason: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    // Only the existence of the file matters; the reason helps an administrator.
    let octets = Array("\(reason)\n".utf8)
    _ = write(descriptor, octets, octets.count)
    fsync(descriptor)
    close(descriptor)
  }

  func forget() {
    unlink(path)
  }
}
