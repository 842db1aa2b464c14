import ArgumentParser
import DBus
import Failures
import MonitorBus
import Records
import Terminal

struct Monitor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Follow the region events of beaconmond as they happen.",
    discussion: """
      One line for each event: time in UTC, what happened, region, beacon as major/minor, distance, reason. Ctrl-C ends it.

      Examples:
        beaconmon monitor
        beaconmon monitor --json | jq .region
      """)

  @Flag(help: "Print each event as one line of JSON.")
  var json = false

  @OptionGroup var bus: BusOptions

  func run() throws {
    let output = TerminalOutput.standardOutput
    let line = EventLine(style: output.style)
    let link = try DaemonLink(bus.address)
    var follower: EventFollower?
    var broken: OutputError?
    link.onPresenceChange = { isThere in
      do {
        try TerminalOutput.standardError.write("beaconmon: beaconmond \(isThere ? "is back" : "went away; waiting for it")\n")
      } catch {
        // Nobody is there to be told.
      }
    }
    try link.run { client in
      follower = client.followEvents { events in
        do throws(OutputError) {
          try output.write(events.map { (json ? $0.json : line.text($0)) + "\n" }.joined())
        } catch {
          broken = error
          link.end()
        }
      }
    }
    withExtendedLifetime(follower) {}
    if let broken { throw broken }
  }
}
