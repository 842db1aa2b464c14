import ArgumentParser
import DBus
import EventLoop
import Events
import Failures
import Instants
import MonitorClient
import ProgramSupport
import Terminal

struct Events: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the events that are in beaconmond's journal.",
    discussion: """
      One line for each event, oldest first, as monitor shows them. With --follow those that come are shown after those that were, without a gap, also \
      over restarts of the daemon.

      Examples:
        beaconmon events --since 2h
        beaconmon events --since yesterday --region entrance
        beaconmon events --since 7d --region entrance --csv > entrance.csv
        beaconmon events --follow --json | jq .region
      """)

  @Option(
    help: ArgumentHelp(
      "Only events of this time and later: so long ago (2h, 7d), a day (today, yesterday, monday, 2026-11-21), or a time (2026-11-21T08:00, or with a zone as in RFC 3339). Days begin at midnight, local or with --utc in UTC.",
      valueName: "time"),
    transform: TimeArgument.parse)
  var since: TimeArgument?

  @Option(help: ArgumentHelp("Only events of this region; may be given several times.", valueName: "name"))
  var region: [String] = []

  @Flag(help: "Go on with the events that come, until Ctrl-C.")
  var follow = false

  @Flag(help: "Print each event as one line of JSON.")
  var json = false

  @Flag(help: "Print a table of comma-separated values.")
  var csv = false

  @OptionGroup var times: TimeOptions
  @OptionGroup var bus: BusOptions

  func validate() throws {
    if json && csv { throw ValidationError("--json and --csv exclude each other") }
  }

  func run() throws {
    let output = ScreenOutput()
    let link = try DaemonLink(bus.address)
    let printer = EventPrinter(output, times, isJSON: json)
    let earliest = since?.instant(now: WallClock.time(of: link.loop.now, on: link.loop), in: times.utc ? .utc : .local)
    if csv { output.write(EventCSV.header) }
    link.onPresenceChange = { isThere in
      if follow {
        ScreenOutput.tell("beaconmond \(isThere ? "is back" : "went away; waiting for it")")
      } else if !isThere {
        link.end(Failure(.unavailable, "beaconmond went away; start it again"))
      }
    }
    var follower: EventFollower?
    var unseen = region
    var damagedCount = UInt64(0)
    try link.run { client in
      let started = client.followEvents(orFrom: .beginning) { events in
        if !unseen.isEmpty { unseen.removeAll { name in events.contains { $0.region == name } } }
        let wanted = events.filter { shows($0, since: earliest) }
        for event in wanted { damagedCount += event.damagedSequences.map { UInt64($0.count) } ?? 0 }
        if csv { output.write(wanted.map(EventCSV.line).joined()) } else { printer.show(wanted) }
        if output.isClosed { link.end() }
      }
      started.onCaughtUp = {
        let missing = unseen.map { "no region \"\($0)\" is in the journal; `beaconmon status` shows those of the config" }.first
        let damaged = damagedCount == 0 ? nil : Self.damage(damagedCount)
        if !follow {
          if let missing, let damaged { ScreenOutput.tell("\(missing)\n\(damaged)") }
          link.end((damaged ?? missing).map { Failure(.dataError, $0) })
          return
        }
        link.settle()
        if let missing {
          ScreenOutput.tell("\(missing); waiting for its first event")
        }
        unseen = []
      }
      started.onTrouble = { link.end(Failure(.unavailable, $0.message)) }
      follower = started
    }
    withExtendedLifetime(follower) {}
    if let failure = output.failure { throw failure }
  }

  private static func damage(_ count: UInt64) -> String {
    count == 1
      ? "1 event is damaged or lost and cannot be shown; `beaconmon status` says more"
      : "\(count) events are damaged or lost and cannot be shown; `beaconmon status` says more"
  }

  /// Returns whether to show an event; a damaged event may belong to any region.
  private func shows(_ event: Event, since earliest: Instant?) -> Bool {
    if let earliest, let time = event.time, time < earliest { return false }
    return region.isEmpty || event.damagedSequences != nil || event.region.map(region.contains) ?? false
  }
}

extension TimeArgument {
  /// Parses an argument.
  static func parse(_ text: String) throws -> TimeArgument {
    guard let time = TimeArgument(text) else {
      throw ValidationError(
        """
        "\(text)" is no time; write how long ago, such as 2h or 7d, a day, such as today, yesterday, monday or 2026-11-21, or a time, such as \
        "2026-11-21 08:00" or 2026-11-21T08:00:00Z
        """)
    }
    return time
  }
}
