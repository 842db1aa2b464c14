import ArgumentParser
import ClientCommands
import DBus
import EventLoop
import Events
import Failures
import Instants
import MonitorClient
import ProgramSupport
import Records
import Terminal
import Visits

struct Events: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the events in the daemon's journal.",
    discussion: """
      Prints one line for each event, the oldest first, in the format of monitor. With --follow, new events come after the old ones \
      without a gap, even across restarts of the daemon.

      Examples:
        beaconmon events --since 2h
        beaconmon events --since yesterday --region entrance
        beaconmon events --since 7d --region entrance --csv > entrance.csv
        beaconmon events --follow --json | jq .region
        beaconmon events --daily --since 30d --csv > visits.csv
      """)

  @Option(
    help: ArgumentHelp(
      "Only events since this time: an age (2h, 7d), a day (today, yesterday, monday, 2026-11-21), or a time (2026-11-21T08:00, or RFC 3339 with a zone). Days begin at midnight in local time, or in UTC with --utc.",
      valueName: "time"),
    transform: TimeArgument.parse)
  var since: TimeArgument?

  @Option(help: ArgumentHelp("Only events of this region; can be repeated.", valueName: "name"))
  var region: [String] = []

  @Flag(help: "Continue with new events, until Ctrl-C.")
  var follow = false

  @Flag(help: "Print each event as one line of JSON.")
  var json = false

  @Flag(help: "Print CSV, one row for each event.")
  var csv = false

  @Flag(help: "Show the visits of each day and region of the last two years instead: their number, length and busiest hours.")
  var daily = false

  @OptionGroup var times: TimeOptions
  @OptionGroup var bus: BusOptions

  func validate() throws {
    if json && csv { throw ValidationError("--json and --csv cannot be combined") }
    if daily && follow { throw ValidationError("--daily shows whole days and cannot follow; leave out --follow") }
    if daily && times.utc { throw ValidationError("--daily has the days of the daemon's time zone; leave out --utc") }
  }

  func run() throws {
    let output = ScreenOutput()
    let link = try CommandLink(bus.address)
    let earliest = since?.instant(now: WallClock.time(of: link.loop.now, on: link.loop), in: times.utc ? .utc : .local)
    if daily {
      let selection = DailyVisitsSelection(since: earliest, regions: region, in: .local)
      return try DailyVisitsReport(form: json ? .json : csv ? .csv : .table, selection: selection).run(link)
    }
    let following = JournalFollowing(
      .init(since: earliest, regions: region), isContinuous: follow,
      output: csv ? CSVPrinter(output) : EventPrinter(output, times, isJSON: json))
    following.onEnd = { link.end($0) }
    following.onCaughtUp = { link.settle() }
    link.onPresenceChange = { following.note(isAvailable: $0) }
    var follower: EventFollower?
    try link.run { client in
      let started = client.followEvents(orFrom: .beginning) { following.take($0) }
      started.onCaughtUp = { following.noteCaughtUp() }
      started.onTrouble = { following.fail($0.message) }
      follower = started
    }
    withExtendedLifetime(follower) {}
    if let failure = output.failure { throw failure }
  }
}

/// Prints events as CSV, after its header.
private final class CSVPrinter: EventOutput {
  private let output: ScreenOutput

  init(_ output: ScreenOutput) {
    self.output = output
    output.write(EventCSV.header)
  }

  var isClosed: Bool { output.isClosed }

  func show(_ events: [Event]) { output.write(events.map(EventCSV.line).joined()) }

  func note(_ text: String) { ScreenOutput.note(text) }
}

extension TimeArgument {
  /// Parses an argument.
  static func parse(_ text: String) throws -> TimeArgument {
    guard let time = TimeArgument(text) else {
      throw ValidationError(
        """
        "\(text)" is not a time; write an age, such as 2h or 7d, a day, such as today, yesterday, monday or 2026-11-21, or a time, such as \
        "2026-11-21 08:00" or 2026-11-21T08:00:00Z
        """)
    }
    return time
  }
}

/// Prints the visits of each day and region: `beaconmon events --daily`.
struct DailyVisitsReport {
  enum Form {
    case table
    case json
    case csv
  }

  let form: Form
  let selection: DailyVisitsSelection

  func run(_ link: CommandLink) throws {
    let output = ScreenOutput()
    try link.run { client in
      client.journal.dailyVisits(after: selection.predecessor) { reply in
        switch reply {
        case .success(let days):
          output.write(text(selection.visits(of: days), output))
          link.end(missing(in: days))
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
    // The error says all.
    case .table where days.isEmpty && missing(in: days) != nil: ""
    case .table:
      days.isEmpty
        ? "no visits have been counted\(selection.predecessor == nil ? "" : " since then"); the daemon counts them within a minute\n"
        : DailyVisitsText(style: output.style).text(days, width: output.width)
    }
  }

  private func missing(in days: [DailyVisits]) -> Failure? {
    selection.missingRegion(in: days).map {
      Failure(.dataError, "no visits of a region \"\($0)\" have been counted; `beaconmon status` lists the configured regions")
    }
  }
}
