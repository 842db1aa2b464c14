import ArgumentParser
import DBus
import EventLoop
import Failures
import Instants
import MonitorClient
import Records
import Status
import Terminal

struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the health of adapters, of the sources of locations and headings, and the state of each region.",
    discussion: """
      Examples:
        beaconmon status
        beaconmon status --watch
        beaconmon status --json
        beaconmon status --health

      With --watch, the command shows the state on a screen, which it refreshes every two seconds, with keys: arrows select a region and \
      Enter shows it, s sorts, / filters, p pauses, ? lists all keys, and q quits. Without a terminal it is printed once.

      With --health, the exit status is 0 for ok, 1 for degraded and 2 for failed, as monitoring systems expect it.
      """)

  @Flag(help: "Print one JSON object.")
  var json = false

  @Flag(help: "Print only the health, in one line: ok, degraded or failed, with the reasons.")
  var health = false

  @Flag(help: "Show the state as a screen until q or Ctrl-C.")
  var watch = false

  @OptionGroup var times: TimeOptions
  @OptionGroup var bus: BusOptions

  func validate() throws {
    if watch && (json || health) { throw ValidationError("--watch cannot be combined with --json or --health") }
  }

  func run() throws {
    if health { return try printHealth() }
    let screen = ScreenOutput()
    if watch, screen.canRedraw { return try RegionScreen(.status, CommandLink(bus.address), screen, times).run() }
    let (record, hub) = try ask()
    let output = TerminalOutput.standardOutput
    let text =
      json
      ? Self.merged(MonitorStatus.formatted(record), hub).json
      : StatusText(style: output.style, time: output.timeFormat(isUTC: times.utc), width: output.width)
        .text(MonitorStatus(record), hub: hub)
    try output.write(text + "\n")
  }

  private static func merged(_ status: Record, _ hub: HubStatus?) -> Record {
    var record = status
    if let hub { record.append("hub", HubStatus.formatted(hub.recordValue)) }
    return record
  }

  /// Requests the status of the daemon, and that of the notifier's connection to a hub.
  private func ask() throws(Failure) -> (Record, HubStatus?) {
    try CommandLink(bus.address).ask(failure: Failure.init(refusal:)) { client, completion in
      client.status { answer in
        guard !health, case .success(let record) = answer else { return completion(answer.map { ($0, nil) }) }
        client.sharing.shownHub { completion(.success((record, $0))) }
      }
    }
  }

  private func printHealth() throws {
    let report = try healthReport()
    try TerminalOutput.standardOutput.write((json ? report.record.json : report.line) + "\n")
    switch report.state {
    case .ok: break
    case .degraded: throw ExitCode(1)
    case .failed, nil: throw ExitCode(2)
    }
  }

  /// Returns the health of the daemon; a daemon that cannot be reached has failed.
  private func healthReport() throws(Failure) -> HealthReport {
    do throws(Failure) {
      return HealthReport(MonitorStatus(try ask().0), isMachineSynchronised: WallClock.isSynchronised)
    } catch {
      // A user who may not ask learns nothing about the daemon, so this is not an outage.
      guard error.status == .unavailable else { throw error }
      return HealthReport(unreachable: error.description)
    }
  }
}

extension RemoteSharing {
  /// The longest time that the state of the daemon waits for the notifier.
  private static let patience = Span.seconds(2)

  /// Requests the state of the hub for a person. Nil without a notifier that has a hub, and for a user who may not ask it.
  func shownHub(_ completion: @escaping (HubStatus?) -> Void) {
    hub(timeout: Self.patience) { answer in
      switch answer {
      case .success(let record): completion(HubStatus(record))
      case .failure(let error) where ["NoReply", "Timeout", "TimedOut"].contains(where: error.isStandard):
        var hub = HubStatus()
        hub.trouble = "beaconmon-notifier does not answer; see \"systemctl status beaconmon-notifier\""
        completion(hub)
      case .failure: completion(nil)
      }
    }
  }
}
