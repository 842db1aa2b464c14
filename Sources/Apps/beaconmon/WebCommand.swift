import ArgumentParser
import DBus
import EventLoop
import Failures
import Instants
import MonitorProtocol
import ProgramSupport
import Terminal
import WebAccess

/// `beaconmon web`: logins of the page.
struct WebCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "web",
    abstract: "Log in to the page of beaconmon-web, or end all logins.",
    discussion: """
      beaconmon-web shows the venue on a page in the browser. Only root and the user of the service can create logins.

      Examples:
        sudo beaconmon web login
        sudo beaconmon web login --edit
        sudo beaconmon web logout
      """,
    subcommands: [Login.self, Logout.self])

  struct Login: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the address of a login.",
      discussion: """
        Open the address in a browser within ten minutes. It works once. The login ends after twelve hours without use, or after 30 days.

        Exit codes: 69 if beaconmon-web does not run, 77 without permission.

        Examples:
          sudo beaconmon web login
          sudo beaconmon web login --edit
        """)

    @Flag(help: "Permit changes of venues, too.")
    var edit = false

    @OptionGroup var bus: BusOptions

    func run() throws {
      let role: WebRole = edit ? .edit : .view
      let values = try WebCommand.call("CreateToken", [.string(role.rawValue)], on: bus)
      try TerminalOutput.standardOutput.write("\(values.first?.string ?? "")\n")
    }
  }

  struct Logout: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "End all logins.",
      discussion: """
        Open pages ask for a login again.

        Example:
          sudo beaconmon web logout
        """)

    @OptionGroup var bus: BusOptions

    func run() throws { _ = try WebCommand.call("EndSessions", [], on: bus) }
  }

  /// Calls a method of beaconmon-web, and returns its answer.
  private static func call(_ method: String, _ arguments: [DBusValue], on bus: BusOptions) throws(Failure) -> [DBusValue] {
    let program = try ProgramLoop()
    let connection = try program.connect(to: bus.address)
    return try program.answer(failure: Failure.init(webRefusal:)) { (completion) throws(Failure) in
      connection.onStateChange = { state in
        switch state {
        case .connecting: break
        case .disconnected(let reason): program.end(Failure(noBus: reason))
        case .connected:
          connection.call(
            destination: WebNames.bus, path: WebNames.path, interface: WebNames.interface, member: method, arguments, timeout: .seconds(5),
            completion: completion)
        }
      }
      try program.run()
    }
  }
}

extension Failure {
  /// Converts an error of a call to beaconmon-web.
  fileprivate init(webRefusal error: DBusError) {
    if ["ServiceUnknown", "NameHasNoOwner"].contains(where: error.isStandard) {
      self.init(
        .unavailable,
        "beaconmon-web is not running; start it with \"systemctl enable --now beaconmon-web\", or select another bus with --session or --bus"
      )
    } else if ["AccessDenied", "UnknownObject"].contains(where: error.isStandard) {
      self.init(.noPermission, "only root and the user of beaconmon-web make logins; run the command with sudo")
    } else {
      self.init(.unavailable, "beaconmon-web does not answer: \(error.message)")
    }
  }
}
