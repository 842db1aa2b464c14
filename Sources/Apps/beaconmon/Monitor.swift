import ArgumentParser
import ClientCommands
import DBus
import Events
import Failures
import MonitorClient
import Records
import Status
import Terminal

struct Monitor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the state of each region, then follow region events.",
    discussion: """
      On a terminal this is a screen with keys: the regions with their states, and below them the latest events. Arrows select a region and \
      Enter shows it with its events, s sorts, / filters, p pauses, b rings a bell at each event, ? lists all keys, and q quits.

      In a pipe, or with --lines, prints the state of each region, then one line for each event: time, kind, region, beacon as major/minor, \
      distance and reason. Times are local on a terminal, where lines fit the window, and in UTC otherwise. Press Ctrl-C to stop.

      Examples:
        beaconmon monitor
        beaconmon monitor --lines
        beaconmon monitor --json | jq .region
      """)

  @Flag(help: "Print each event as one line of JSON, without the initial states.")
  var json = false

  @Flag(help: "Print scrolling lines on a terminal as well, instead of a screen.")
  var lines = false

  @OptionGroup var times: TimeOptions
  @OptionGroup var bus: BusOptions

  func validate() throws {
    if json && lines { throw ValidationError("--json and --lines cannot be combined") }
  }

  func run() throws {
    let output = ScreenOutput()
    if !json, !lines, output.canRedraw {
      return try RegionScreen(.monitor, CommandLink(bus.address), output, times).run()
    }
    let link = try CommandLink(bus.address)
    let printer = EventPrinter(output, times, isJSON: json)
    var follower: EventFollower?
    link.onPresenceChange = { ScreenOutput.note(DaemonWatch.note(isAvailable: $0)) }
    let following = RegionFollowing(showsStates: !json, output: printer)
    following.onEnd = { link.end() }
    try link.run { client in
      follower = client.followEvents { following.take($0) }
      guard !json else {
        follower?.onCaughtUp = { link.settle() }
        return
      }
      client.status { answer in
        link.settle()
        following.take(answer.map { MonitorStatus($0).regions ?? [] }.mapError { Failure(.unavailable, $0.message) })
      }
    }
    withExtendedLifetime(follower) {}
    if let failure = output.failure { throw failure }
  }
}

/// Prints events as lines for a person, or as JSON.
final class EventPrinter: RegionFollowingOutput {
  private let output: ScreenOutput
  private let time: TimeFormat
  private let isJSON: Bool
  /// The list; nil until the length of the regions' names is known.
  private var list: EventList?

  init(_ output: ScreenOutput, _ times: TimeOptions, isJSON: Bool) {
    self.output = output
    self.isJSON = isJSON
    time = output.timeFormat(times)
  }

  var isClosed: Bool { output.isClosed }

  func note(_ text: String) { ScreenOutput.note(text) }

  /// Prints the state of each region.
  func begin(with regions: [RegionStatus]) {
    let status = StatusText(style: output.style, time: time, width: output.width)
    output.write((status.table(regions) + [""]).map { $0 + "\n" }.joined())
    align(to: regions.map { $0.identifier ?? "" })
  }

  func show(_ events: [Event]) {
    guard !events.isEmpty else { return }
    if list == nil { align(to: events.map { $0.region ?? "" }) }
    let width = output.width
    output.write(events.map { (isJSON ? $0.json + "\n" : list?.text($0, width: width)) ?? "" }.joined())
  }

  private func align(to identifiers: [String]) {
    list = EventList(style: output.style, regionWidth: max(12, identifiers.map(EventList.regionWidth).max() ?? 0), time: time)
  }
}
