import Events
import Instants
import Journal
import Logging
import Seeds
import Synchronization
import VisitStatistics
import Visits

/// The daemon's file of the visits of each day.
struct VisitStoredFile: StoredFile {
  struct Truth {
    let days: [DailyVisits]
    let checkpoint: VisitCheckpoint
    /// The days before the latest commit, which the log of a crashed process holds if its end is damaged.
    let earlier: [DailyVisits]
  }

  /// The days of all files that were written.
  /// The file does not know its machine, so the log of another one brings in the content of that, which is whole in itself.
  private static let written = Mutex<[DailyVisits]>([])

  let name = "visits"
  let fileName = "visits.db"
  let isDatabase = true

  private static let log = Logger(label: "visits") { _ in SwiftLogNoOpLogHandler() }

  func write(in folder: String, using random: inout some RandomNumberGenerator, keep: (Form, Truth) throws -> Void) throws {
    let store = VisitStore(path: "\(folder)/\(fileName)", log: Self.log)
    var truth = Truth(days: [], checkpoint: VisitCheckpoint(journal: "j", sequence: 0, latest: nil, open: []), earlier: [])
    for form in Form.allCases {
      let changes = Self.changes(using: &random)
      var days = Dictionary(uniqueKeysWithValues: truth.days.map { ($0.key, $0) })
      for change in changes { days[change.key, default: DailyVisits(change.key)].add(change) }
      let checkpoint = VisitCheckpoint(
        journal: "j", sequence: truth.checkpoint.sequence + .random(in: 1...100, using: &random), latest: Instant(microseconds: 5_000_000),
        open: [.init(region: "open", kind: .beacon, began: Instant(microseconds: 1), insideSince: nil, isClockSynchronised: true)])
      _ = try store.add(changes, checkpoint, after: truth.days.isEmpty ? nil : truth.checkpoint.sequence, mostDays: 10_000)
      truth = Truth(days: days.values.sorted { $0.key < $1.key }, checkpoint: checkpoint, earlier: truth.days)
      let all = truth.days
      Self.written.withLock { $0 += all }
      try keep(form, truth)
    }
  }

  private static func changes(using random: inout some RandomNumberGenerator) -> [DailyVisits] {
    let keys = Set(
      (0..<12).map { _ in
        DailyVisits.Key(day: .random(in: 20_000...20_010, using: &random), region: "r\(Int.random(in: 0...4, using: &random))")
      })
    return keys.sorted().map { key in
      var day = DailyVisits(key, .beacon)
      (day.visits, day.ended) = (.random(in: 0...500, using: &random), .random(in: 0...500, using: &random))
      (day.inside, day.longest) = (.seconds(.random(in: 0...9000, using: &random)), .seconds(.random(in: 0...900, using: &random)))
      for hour in 0..<24 { day.visitsByHour[hour] = .random(in: 0...99, using: &random) }
      return day
    }
  }

  func judge(_ folder: String, untouched: String, truths: [Truth]) throws -> Verdict {
    var verdict = Verdict()
    let warnings = Warnings()
    let store = VisitStore(path: "\(folder)/\(fileName)", log: warnings.logger)
    var checkpoint = StoredVisitCheckpoint.lost
    var days: [DailyVisits] = []
    do throws(VisitFileFailure) {
      checkpoint = try store.loadCheckpoint()
      days = try store.days(after: nil, limit: 10_000)
    } catch {
      warnings.count.withLock { $0 += 1 }
    }
    let strange = Self.written.withLock { $0 }
    let known = Set(truths.flatMap { $0.days + $0.earlier } + strange)
    for day in days { verdict.expect(known.contains(day), "\(day.key.region) has wrong visits on day \(day.key.day)") }
    verdict.expect(Set(days.map(\.key)).count == days.count, "a region has two rows for a day")
    let lost = (truths.map(\.days.count).min() ?? 0) - days.count
    if lost > 0 {
      verdict.reportedLosses += lost
      let earliest = truths.map(\.earlier.count).min() ?? 0
      verdict.expect(
        warnings.count.withLock { $0 } > 0 || checkpoint == .new || days.count >= earliest, "\(lost) days are lost without a word")
    }

    var next = DailyVisits(.init(day: 30_000, region: "next"))
    next.visits = 1
    do throws(VisitFileFailure) {
      let sequence: UInt64? = if case .checkpoint(let checkpoint) = try store.loadCheckpoint() { checkpoint.sequence } else { nil }
      let isAdded = try store.add(
        [next], VisitCheckpoint(journal: "k", sequence: 1, latest: nil, open: []), after: sequence, mostDays: 10_000)
      verdict.expect(isAdded, "the checkpoint of the file is not the one that it returns")
    } catch {
      // A pipe or a folder in place of the file is not moved aside; the visits are counted from the journal later.
      return verdict
    }
    let again = VisitStore(path: "\(folder)/\(fileName)", log: Self.log)
    do throws(VisitFileFailure) {
      verdict.expect(try again.days(after: nil, limit: 10_000).contains(next), "the visits that are counted next are lost")
    } catch {
      verdict.faults.append("the file cannot be read again: \(error.reason)")
    }
    return verdict
  }
}
