import ArgumentParser
import DBus
import Events
import Failures
import MonitorClient
import Terminal

struct Explain: GuidedCommand {
  static let nextStep = "\"beaconmon events --json\" shows the number of each event as \"sequence\""

  static let configuration = CommandConfiguration(
    abstract: "Explain why an event was sent.",
    discussion: """
      Prints the beacon, the time and strength of its last advertisement, the threshold, the adapter, and the events before and after. The \
      number is the event's `sequence` in monitor --json, in events --json and in the events of the notifier's actions.

      Examples:
        beaconmon explain 42
        beaconmon explain 42 --journal 3f0c9a52-6c0e-4a53-9d0b-1c5a0f6b7e11
      """)

  @Argument(help: "The sequence number of the event.", transform: { try UInt64.parse($0, in: 1...UInt64.max) })
  var sequence: UInt64

  @Option(help: ArgumentHelp("The journal of the event. Defaults to the current one.", valueName: "uuid"))
  var journal: String?

  @OptionGroup var times: TimeOptions
  @OptionGroup var bus: BusOptions

  /// The number of earlier events to fetch, enough to find the region's previous event among those of other regions.
  private static let searchedEvents: UInt64 = 100

  func run() throws {
    let found: [Event]? = try CommandLink(bus.address).ask(failure: { Failure(.unavailable, $0.message) }) { client, completion in
      client.journal.names { names in
        switch names {
        case .failure(let error): completion(.failure(error))
        case .success(let names):
          let first = EventPlace(
            journal: journal ?? names.current, sequence: sequence > Self.searchedEvents ? sequence - 1 - Self.searchedEvents : 0)
          client.journal.events(after: first, completion: completion)
        }
      }
    }
    let events = found ?? []
    guard let index = events.firstIndex(where: { $0.damagedSequences?.contains(sequence) ?? ($0.sequence == sequence) }) else {
      let place = journal.map { "journal \($0)" } ?? "the journal"
      throw Failure(.dataError, "\(place) has no event \(sequence); `beaconmon events --json` lists its events")
    }
    let output = TerminalOutput.standardOutput
    let text = EventExplanation(style: output.style, time: output.timeFormat(isUTC: times.utc), width: output.width)
      .text(events[index], earlier: Array(events[..<index]), later: Array(events[(index + 1)...]))
    try output.write(text + "\n")
    if let damaged = events[index].damagedEvents { throw Failure(.dataError, "\(damaged) cannot be recovered") }
  }
}
