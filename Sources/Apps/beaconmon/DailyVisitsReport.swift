import Failures
import Instants
import MonitorClient
import Records
import Terminal
import Visits

/// Prints the visits of each day and region: `beaconmon events --daily`.
struct DailyVisitsReport {
  enum Form {
    case table
    case json
    case csv
  }

  let form: Form
  /// The first day; nil for all days.
  let since: Instant?
  let regions: [String]
  let calendar: LocalCalendar

  func run(_ link: DaemonLink) throws {
    let output = ScreenOutput()
    let first = since.map { calendar.day(of: $0) }
    try link.run { client in
      // An empty region comes before all regions of its day.
      client.journal.dailyVisits(after: first.map { DailyVisits.Key(day: $0, region: "") }) { reply in
        switch reply {
        case .success(let days):
          output.write(text(days.filter { regions.isEmpty || regions.contains($0.key.region) }, output))
          link.end(missing(in: days).map { Failure(.dataError, $0) })
        case .failure(let error): link.end(Failure(refusal: error))
        }
      }
    }
    if let failure = output.failure { throw failure }
  }

  private func text(_ days: [DailyVisits], _ output: ScreenOutput) -> String {
    switch form {
    case .json: days.map { $0.record.json + "\n" }.joined()
    case .csv: DailyVisitsCSV.header + days.map(DailyVisitsCSV.line).joined()
    case .table:
      days.isEmpty
        ? "no visits have been counted\(since == nil ? "" : " since then"); the daemon counts them within a minute\n"
        : DailyVisitsText(style: output.style).text(days, width: output.width)
    }
  }

  /// Returns a message for a region that has no visit on any day; a few days without visits are no mistake.
  private func missing(in days: [DailyVisits]) -> String? {
    guard since == nil else { return nil }
    return regions.first { name in !days.contains { $0.key.region == name } }
      .map { "no visits of a region \"\($0)\" have been counted; `beaconmon status` lists the configured regions" }
  }
}
