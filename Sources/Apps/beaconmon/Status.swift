import ArgumentParser
import DBus
import Failures
import MonitorClient
import Records
import Status
import Terminal

struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the health of adapters and location sources, and the state of each region.",
    discussion: """
      Examples:
        beaconmon status
        beaconmon status --json
      """)

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var times: TimeOptions
  @OptionGroup var bus: BusOptions

  func run() throws {
    let link = try DaemonLink(bus.address)
    var answer: Result<Record, DBusError>?
    link.onPresenceChange = { if !$0 { link.end(Failure(.unavailable, "beaconmond has stopped; start it again")) } }
    try link.run { client in
      client.status {
        answer = $0
        link.end()
      }
    }
    guard let answer else { return }
    switch answer {
    case .failure(let error): throw Failure(refusal: error)
    case .success(let record):
      let output = TerminalOutput.standardOutput
      let text =
        json
        ? MonitorStatus.formatted(record).json
        : StatusText(style: output.style, time: output.timeFormat(isUTC: times.utc), width: output.width)
          .text(MonitorStatus(record))
      try output.write(text + "\n")
    }
  }
}
