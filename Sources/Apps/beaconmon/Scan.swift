import ArgumentParser
import Failures
import Instants

struct Scan: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show every beacon that is heard, by UUID, and what else is in the air.",
    discussion: """
      For whoever does not know the UUID yet. Each UUID with how many beacons it has, the RSSI and the distance of the strongest, advertisements \
      per second and seconds since last heard; below it the beacons as major/minor, the strongest first. On a terminal it is a screen that stays \
      in place until Ctrl-C; into a pipe it is the result after 10 s. A UUID stays listed after it fell silent.

      A daemon that cannot hear ends it with exit code 69 and the advice of "beaconmon status".

      With source = "bluez" Eddystone and whatever else is no manufacturer data counts as other kinds: BlueZ tells no more of it.

      Examples:
        beaconmon scan
        beaconmon scan --duration 30s --json | jq -r '.uuids[].uuid'
      """)

  @Option(
    help: ArgumentHelp("End after this time. Default: until Ctrl-C on a terminal, else 10s.", valueName: "time"), transform: Span.parse)
  var duration: Span?

  @Flag(help: "Print one JSON object when it has ended.")
  var json = false

  @OptionGroup var times: TimeOptions
  @OptionGroup var bus: BusOptions

  func validate() throws {
    if let duration, duration <= .zero { throw ValidationError("--duration: it must be longer than nothing") }
  }

  func run() throws {
    let output = ScanOutput(source: "beaconmond", json: json, times: times)
    let scan = try DaemonScan(DaemonLink(bus.address, forSession: true), output)
    do {
      try scan.run(for: duration ?? (output.isLive ? nil : Self.usualDuration))
    } catch {
      _ = output.finish()
      throw error
    }
    let hasHeard = output.finish()
    if let failure = output.failure { throw failure }
    if !hasHeard, !output.isLive {
      throw Failure(.unavailable, "beaconmond told nothing in that time; look at `beaconmon status`, or scan longer")
    }
  }

  private static let usualDuration = Span.seconds(10)
}
