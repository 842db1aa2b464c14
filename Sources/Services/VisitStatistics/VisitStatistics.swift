import Events
import Instants
public import Logging
public import Monitoring
public import Scheduling
public import Visits

/// Counts the visits of each day from the journal, for longer than the journal keeps events.
///
/// The file holds the place in the journal that it has counted, and both change in one commit. So every event counts once, even after a
/// crash, and those of a time in which the file failed count later. The regions are those of the config; events of apps are counted
/// nowhere.
public final class VisitStatistics {
  /// The days that are kept: two years.
  public static let mostDays = 731
  /// The time in which events gather before they are counted, so that a busy shop writes once a minute.
  static let gathering = Span.seconds(60)
  /// The pause after a failure of the file or the journal.
  static let pause = Span.seconds(300)
  /// The events that are counted at once, and the pause after which the next ones follow.
  static let batch = 250
  /// The batches that a question may wait for; more would delay other clients.
  static let mostBatches = 8
  private static let breath = Span.milliseconds(20)

  private let scheduler: any Scheduler
  private let journal: JournalService
  private let file: any VisitFile
  private let calendar: LocalCalendar
  private let log: Logger
  private var counter: VisitCounter?
  private var place: (journal: String, sequence: UInt64) = ("", 0)
  /// The sequence of the checkpoint in the file; nil if it has none.
  private var storedSequence: UInt64?
  private var timer: (any SchedulerTimer)?
  private var logged: String?

  /// Begins with the events that the journal has and the file does not.
  ///
  /// - Parameter calendar: the local calendar whose days are counted.
  public init(_ scheduler: any Scheduler, _ journal: JournalService, _ file: any VisitFile, _ calendar: LocalCalendar, log: Logger) {
    (self.scheduler, self.journal, self.file, self.calendar, self.log) = (scheduler, journal, file, calendar, log)
    timer = scheduler.timer { [unowned self] in count() }
    journal.onCommit = { [unowned self] in noteCommit() }
    arm(after: Self.gathering)
  }

  /// Ends. Events that are not counted yet are counted after the next start.
  public func end() {
    timer = nil
    journal.onCommit = {}
  }

  /// Returns the numbers after `key`, the oldest first, with all events of the journal; nil means from the first day on.
  ///
  /// - Throws: an error after which a retry may succeed.
  public func days(after key: DailyVisits.Key?, limit: Int) throws(VisitFileFailure) -> [DailyVisits] {
    // The pages after the first continue the same answer.
    let isContinued = key.map { !$0.region.isEmpty } ?? false
    switch isContinued ? .done : readUp() {
    case .done, .waiting: return try file.days(after: key, limit: limit)
    case .failed: throw VisitFileFailure(logged ?? "the journal cannot be read now")
    case .more:
      arm(after: Self.breath)
      throw VisitFileFailure("the events of the journal are still being counted")
    }
  }

  private func noteCommit() {
    if timer?.due == nil { arm(after: Self.gathering) }
  }

  private func arm(after span: Span) { timer?.arm(at: scheduler.now + span) }

  /// Counts a batch, and continues soon if there are more events.
  private func count() {
    switch countBatch() {
    case .more: arm(after: Self.breath)
    case .failed: arm(after: Self.pause)
    case .waiting: arm(after: Self.gathering)
    case .done: break
    }
  }

  private enum Progress {
    case more
    case done
    case failed
    /// The file of the journal may have events that are counted before those in memory.
    case waiting
  }

  /// Counts all events if they are not too many.
  private func readUp() -> Progress {
    for _ in 0..<Self.mostBatches {
      let progress = countBatch()
      if progress != .more { return progress }
    }
    return .more
  }

  private func countBatch() -> Progress {
    guard !mustWait else { return .waiting }
    do throws(VisitFileFailure) {
      var counter = try started()
      let (next, events) = try nextEvents()
      guard let last = events.last else {
        place = next
        return .done
      }
      for event in events { counter.take(event, in: calendar) }
      let changes = counter.takeChanges()
      let checkpoint = VisitCheckpoint(journal: next.journal, sequence: last.sequence, latest: counter.latest, open: counter.openVisits)
      guard try file.add(changes, checkpoint, after: storedSequence, mostDays: Self.mostDays) else {
        self.counter = nil
        return .more
      }
      self.counter = counter
      storedSequence = last.sequence
      place = (next.journal, last.sequence)
      logged = nil
      return .more
    } catch {
      report(error.reason)
      return .failed
    }
  }

  /// Whether the events that follow may be in a file that cannot be opened yet.
  ///
  /// After those in memory they would not be counted.
  private var mustWait: Bool { counter == nil && journal.awaitsFile }

  private func started() throws(VisitFileFailure) -> VisitCounter {
    if let counter { return counter }
    var counter = VisitCounter()
    storedSequence = nil
    switch try file.loadCheckpoint() {
    case .new: place = (journal.earlierNames.first ?? journal.name, 0)
    case .checkpoint(let checkpoint):
      place = (checkpoint.journal, checkpoint.sequence)
      storedSequence = checkpoint.sequence
      counter = VisitCounter(open: checkpoint.open, latest: checkpoint.latest)
    case .lost:
      // To count from the first event again would count most visits twice.
      place = (journal.name, journal.lastSequence)
      log.warning("the place in the journal up to which visits are counted is lost; visits before now may be missing")
    }
    self.counter = counter
    return counter
  }

  /// Returns the next events, and the journal that they are of. Without any, every event is counted.
  private func nextEvents() throws(VisitFileFailure) -> (place: (journal: String, sequence: UInt64), events: [Event]) {
    var place = place
    do throws(JournalFailure) {
      // A journal that ends is followed by the next one; there are never as many as this.
      for _ in 0..<1000 {
        if let events = try journal.events(of: place.journal, after: place.sequence, limit: Self.batch) { return (place, events) }
        place = (journalAfter(place.journal), 0)
      }
    } catch {
      throw VisitFileFailure("the journal cannot be read: \(error.reason)")
    }
    return (place, [])
  }

  /// Returns the journal that follows. One that has no events any more was followed by the first that still has some.
  private func journalAfter(_ name: String) -> String {
    let names = journal.earlierNames + [journal.name]
    guard let index = names.firstIndex(of: name) else { return names[0] }
    return names[min(index + 1, names.count - 1)]
  }

  private func report(_ reason: String) {
    guard logged != reason else { return }
    logged = reason
    log.warning("\(reason); the daemon counts the visits from the journal once the file is writable")
  }
}
