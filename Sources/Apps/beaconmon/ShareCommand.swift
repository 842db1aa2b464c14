import ArgumentParser
import ClientCommands
import Failures
import Instants
import MonitorClient
import Records
import ShareReports
import Terminal

/// `beaconmon share`: the position of this device for others.
struct ShareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "share",
    abstract: "Share the position of this device with people, roles or devices of its site.",
    discussion: """
      A share has recipients, a purpose and an end. Each recipient has to accept it. The device sends its position only while one of them \
      has accepted; the hub cannot override this. Ending a share takes effect at once.

      Examples:
        sudo beaconmon share start ada --for 1h --purpose "Meet for lunch"
        sudo beaconmon share start role:operator device:hall --purpose Tour
        sudo beaconmon share list
        sudo beaconmon share stop --all
      """,
    subcommands: [Start.self, List.self, Stop.self], defaultSubcommand: List.self)

  struct Start: GuidedCommand {
    static let nextStep = "a recipient is a person of the hub, role:viewer, role:operator, role:owner, or device: and a device of the site"

    static let configuration = CommandConfiguration(
      abstract: "Offer the position of this device.",
      discussion: """
        RECIPIENT is a person of the hub, a role at the site (role:viewer, role:operator or role:owner), or a device (device:hall). Prints \
        the id of the share.

        Exit codes: 64 for a wrong value, 69 if beaconmon-notifier does not run or has no hub, 75 if the consent cannot be stored, 77 \
        without permission.

        Example:
          sudo beaconmon share start ada --for 2h --purpose "Find me at the fair"
        """)

    @Argument(help: ArgumentHelp("A person, role:viewer, role:operator, role:owner, or device: and a device.", valueName: "recipient"))
    var recipients: [String]

    @Option(name: .customLong("for"), help: ArgumentHelp("The length of time, from 1m to 24h.", valueName: "time"), transform: Span.parse)
    var span: Span = .seconds(3600)

    @Option(help: ArgumentHelp("The purpose in one line, which the recipients read.", valueName: "text"))
    var purpose: String

    @OptionGroup var bus: BusOptions

    func validate() throws {
      guard span >= .seconds(60), span <= .seconds(86_400) else { throw ValidationError("--for must be from 1m to 24h") }
    }

    func run() throws {
      let id = try SharingLink.ask(bus) { $0.offer(to: recipients, purpose: purpose, seconds: UInt32(span.seconds), $1) }
      try TerminalOutput.standardOutput.write("\(id)\n")
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the shares of this device with the answers of their recipients.",
      discussion: """
        Example:
          sudo beaconmon share list
        """)

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var times: TimeOptions
    @OptionGroup var bus: BusOptions

    func run() throws {
      let shares = try SharingLink.ask(bus) { $0.shares($1) }
      let output = TerminalOutput.standardOutput
      guard !json else { return try output.write(Record(["shares": .list(shares.map { OwnShareReport.formatted($0) })]).json + "\n") }
      guard !shares.isEmpty else { return try output.write("this device has no share\n") }
      let text = ShareText(time: output.timeFormat(isUTC: times.utc))
      for share in shares { try output.write(text.text(OwnShareReport(share))) }
    }
  }

  struct Stop: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "End a share, or all. No position is sent after this command begins.",
      discussion: """
        ID is the id of a share or its beginning. A single share needs no ID.

        Examples:
          sudo beaconmon share stop
          sudo beaconmon share stop 1f0c
          sudo beaconmon share stop --all
        """)

    @Argument(help: ArgumentHelp("The id of a share, or its beginning.", valueName: "id"))
    var id: String?

    @Flag(help: "End all shares of this device.")
    var all = false

    @OptionGroup var bus: BusOptions

    func validate() throws {
      if all, id != nil { throw ValidationError("--all takes no id") }
    }

    func run() throws {
      let shares = try SharingLink.ask(bus) { $0.shares($1) }.map { OwnShareReport($0) }
      let chosen = all ? shares.compactMap(\.id) : [try shares.one(withID: id)]
      for id in chosen { try SharingLink.ask(bus) { $0.stop(id, $1) } }
    }
  }
}
