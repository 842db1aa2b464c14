import Deliveries
import EventLoop
import Events
import Glibc
import Instants
import SQLite

/// What was heard of and is not yet delivered, on disk: the place in the journal, the events, and for each target which of them it still gets.
///
/// An event and its deliveries are committed together with the place behind it, so a crash loses none and doubles none; only an attempt that
/// was under way is made again. A power cut may take back the last commits, whole: the place goes with them, and the journal gives the events again.
public final class Outbox {
  /// Waits no longer: somebody has to look at it.
  public struct DeadLetter: Hashable, Sendable {
    public let target: String
    public let json: String
    public let reason: String
    /// When it was put aside, since the Unix epoch.
    public let time: Instant
  }

  /// The newest of each target are kept.
  static let mostDeadLetters: Int64 = 10_000

  private let loop: Loop
  private let device: String
  private let database: Database
  private let statements: OutboxStatements
  /// Why other users may read or replace the file, and what to do; nil when they may not.
  public var permissionWarning: String? { database.permissionWarning }
  /// Time that the notifier ran before `start`.
  private let earlierTime: Span
  private let start: Instant
  private var reached: [EventFeed: EventPlaces] = [:]
  /// Whether the place where this process began is on the disk.
  private var isStartStored = true
  /// What was damaged in the file, what was lost with it and where the rest is; nil when nothing was.
  public let note: String?

  /// - Parameters:
  ///   - path: of the file; nil: a file without a name that ends with the process.
  ///   - device: tells this device's messages from those of others.
  ///   - isKept: nothing is mended or moved; a file that cannot be read is an error.
  /// - Throws: what is wrong with a file that cannot be read, the first time. The next time it is moved aside, and what can be read in it is taken over.
  public init(_ loop: Loop, path: String?, device: String, isKept: Bool = false) throws(DatabaseError) {
    self.loop = loop
    self.device = device
    start = loop.now
    let opened = try Self.open(path, isKept: isKept)
    let (database, statements) = (opened.database, opened.statements)
    (self.database, self.statements) = (database, statements)
    // A file that is only looked at is not mended.
    let repaired = isKept ? nil : try OutboxRepair(database, opened.checks, statements).repair(at: Self.wallClock)
    let restored = try opened.salvage.map { (salvage) throws(DatabaseError) in
      try salvage.restore(to: database, statements, at: Self.wallClock)
    }
    earlierTime = Span(microseconds: max(0, try statements.clock()))
    let lost = isKept ? nil : try path.map { (path) throws(DatabaseError) in try opened.checks.countCommits(beside: path) } ?? nil
    let notes = [
      opened.note, restored, repaired.map { "\(database.path) was damaged: \($0)" },
      lost.map { "\(database.path): \($0); what was queued or delivered then may come again or be missed" },
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
      // The first time may be a disk that fails for a moment, and whoever reads the log may know better.
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
      (opened.salvage, opened.note) = (salvage, "\(path) could not be read and is \(name) now: \(error.message)")
      return opened
    }
  }

  /// Makes the file if there is none, and sees that its log is its own. Returns what was done to the log.
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
    // Also the order of rows: where that is wrong, SQLite does not find what waits.
    try database.integrityCheck()
    try OutboxSchema.schema.apply(to: database)
    try database.enableWriteAheadLog()
    // Enough, and no wait for the disk: see above.
    try database.execute("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -512")
    let checks = try RowChecks(database, CheckedTable.outbox)
    // A schema that is damaged shows only when its columns are read.
    for table in CheckedTable.outbox { _ = try checks.findings(in: table) }
    let statements = try OutboxStatements(database, checks)
    _ = try statements.announced("")
    return Opened(database: database, checks: checks, statements: statements)
  }

  private static var wallClock: Instant { Instant(microseconds: Int64(time(nil)) * 1_000_000) }

  /// Time that the notifier has run in all: a delivery's age does not care for the clock on the wall.
  private var clock: Span { earlierTime + (loop.now - start) }
}

// MARK: In

extension Outbox {
  /// Up to where the events of each journal of a feed are queued.
  public func places(of feed: EventFeed = .config) -> EventPlaces { reached[feed] ?? EventPlaces() }

  /// Queues events in one commit, in their order, and moves the place behind them. Those before the place are passed over.
  ///
  /// - Parameters:
  ///   - age: how old an event is already.
  ///   - targets: the names of those that get an event.
  /// - Returns: the names of those that got something.
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

  /// Takes note of where to begin: what was before is not wanted.
  ///
  /// - Throws: the disk's error. The place holds all the same: events that the disk refuses from here on are asked for again, and the place is written with the
  ///   first of them that it takes, or by the next call.
  public func begin(at start: EventPlaces) throws(DatabaseError) {
    guard start != places() || !isStartStored else { return }
    reached[.config] = start
    isStartStored = false
    try database.transaction { () throws(DatabaseError) in try statements.setPlaces(start, .config) }
    isStartStored = true
  }
}

// MARK: Out

extension Outbox {
  /// The next deliveries of a target, in order.
  public func waiting(_ target: String, _ policy: DeliveryPolicy, after id: Int64, limit: Int) throws(DatabaseError) -> [Delivery] {
    let (now, clock) = (loop.now, clock)
    return try statements.waiting(target, after: id, limit: limit).map { row in
      // Nothing was queued before the clock began or after now: what says so is damaged, and waits from now on.
      let waited = row.queued < .zero ? .zero : max(.zero, clock - row.queued)
      return Delivery(
        id: row.id, message: "\(device)-\(row.place.journal)-\(row.place.sequence)", event: row.event, json: row.json,
        deadline: now + policy.giveUp - waited, expiry: policy.maximumAge.map { now + $0 - (waited + max(.zero, row.age)) } ?? .never)
    }
  }

  /// Takes out what is settled, in one commit. `reason` of one that was not delivered makes it a dead letter.
  public func settle(_ settled: [(target: String, id: Int64, reason: String?)]) throws(DatabaseError) {
    try database.transaction { () throws(DatabaseError) in
      for (target, id, reason) in settled {
        if let reason { try statements.bury(target, id, reason, at: Self.wallClock) }
        try statements.remove(target, id)
      }
      for target in Set(settled.filter { $0.reason != nil }.map(\.target)) {
        try statements.trimDeadLetters(target, to: Self.mostDeadLetters)
      }
      try statements.setClock(clock)
    }
  }

  /// Makes dead letters of what waits for targets that are no more; returns how many they are.
  public func bury(unless isTarget: (String) -> Bool) throws(DatabaseError) -> Int {
    let gone = try statements.targets().filter { !isTarget($0) }
    var count = 0
    for target in gone {
      while case let waiting = try statements.waiting(target, after: 0, limit: 500), !waiting.isEmpty {
        try settle(waiting.map { (target, $0.id, "the target is no longer in the configuration") })
        count += waiting.count
      }
    }
    return count
  }

  /// Those for whom something waits.
  public func targets() throws(DatabaseError) -> [String] { try statements.targets() }

  /// How many wait for each target.
  public func waitingCounts() throws(DatabaseError) -> [(target: String, count: Int)] { try statements.waitingCounts() }

  /// Oldest first.
  public func deadLetters() throws(DatabaseError) -> [DeadLetter] { try statements.deadLetters() }
}

// MARK: What a broker was told of

extension Outbox {
  /// Remembers that the broker of a target knows of these regions; returns those that it knows of and should not any more.
  public func announce(_ regions: Set<String>, to target: String) throws(DatabaseError) -> Set<String> {
    try database.transaction { () throws(DatabaseError) in
      let known = try statements.announced(target)
      if known != regions { try statements.setAnnounced(target, regions) }
      return known.subtracting(regions)
    }
  }
}
