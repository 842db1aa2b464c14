import ArgumentParser
import Authorization
import Consent
import DBus
import Failures
import MonitorClient
import Records
import Status
import Terminal

struct Privacy: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show and change which users may learn the location of this device.",
    discussion: """
      Root and the group beaconmon receive every event. All other programs request consent and state a purpose. Without a subcommand, this \
      command shows decisions, requests, current and past uses, and the regions at which apps wake. Changes require root, or permission \
      from polkit.

      Examples:
        beaconmon privacy
        sudo beaconmon privacy grant kiosk
        sudo beaconmon privacy grant @staff --always
        sudo beaconmon privacy revoke kiosk
        sudo beaconmon privacy forget kiosk org.example.Guide
        sudo beaconmon privacy off
      """,
    subcommands: [Show.self, Grant.self, Revoke.self, Reset.self, Forget.self, On.self, Off.self], defaultSubcommand: Show.self)

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show decisions, requests with their purposes, and current and past uses.",
      discussion: """
        Examples:
          beaconmon privacy
          beaconmon privacy show --json
        """)

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var times: TimeOptions
    @OptionGroup var bus: BusOptions

    func run() throws {
      let overview = try Privacy.ask(bus, asInsider: true) { $0.overview($1) }
      let output = TerminalOutput.standardOutput
      let text =
        json
        ? PrivacyStatus.formatted(overview).json
        : PrivacyText(style: output.style, time: output.timeFormat(isUTC: times.utc), width: output.width).text(PrivacyStatus(overview))
      try output.write(text + "\n")
    }
  }

  struct Grant: GuidedCommand {
    static let nextStep = "\"getent passwd\" lists the users, \"getent group\" the groups"

    static let configuration = CommandConfiguration(
      abstract: "Allow a user, or a group as @NAME.",
      discussion: """
        Examples:
          sudo beaconmon privacy grant kiosk
          sudo beaconmon privacy grant @staff --always
        """)

    @OptionGroup var who: SubjectArgument
    @Flag(help: "Also permit registered regions, which outlive the program's session.")
    var always = false

    @OptionGroup var bus: BusOptions

    func run() throws {
      let subject = try who.subject()
      try Privacy.ask(bus) { $0.decide(subject, always ? .always : .whenInUse, $1) }
    }
  }

  struct Revoke: GuidedCommand {
    static let nextStep = "\"beaconmon privacy\" lists the decisions"

    static let configuration = CommandConfiguration(
      abstract: "Deny a user or a group; current uses end at once.",
      discussion: """
        Example:
          sudo beaconmon privacy revoke kiosk
        """)

    @OptionGroup var who: SubjectArgument
    @OptionGroup var bus: BusOptions

    func run() throws {
      let subject = try who.subject()
      try Privacy.ask(bus) { $0.decide(subject, .denied, $1) }
    }
  }

  struct Reset: GuidedCommand {
    static let nextStep = "\"beaconmon privacy\" lists the decisions"

    static let configuration = CommandConfiguration(
      abstract: "Remove the decision about a user or a group.",
      discussion: """
        Example:
          sudo beaconmon privacy reset kiosk
        """)

    @OptionGroup var who: SubjectArgument
    @OptionGroup var bus: BusOptions

    func run() throws {
      let subject = try who.subject()
      try Privacy.ask(bus) { $0.decide(subject, nil, $1) }
    }
  }

  struct Forget: GuidedCommand {
    static let nextStep = "\"beaconmon privacy\" lists the registered regions of each app"

    static let configuration = CommandConfiguration(
      abstract: "Remove the regions that an app of a user has registered.",
      discussion: """
        Example:
          sudo beaconmon privacy forget kiosk org.example.Guide
        """)

    @Argument(help: ArgumentHelp("A user name or number.", valueName: "user"))
    var who: String
    @Argument(help: ArgumentHelp("The identifier of the app, as `beaconmon privacy` shows it.", valueName: "app"))
    var app: String

    @OptionGroup var bus: BusOptions

    func run() throws {
      guard let number = UserDirectory().userNumber(who) else {
        throw Failure(.usage, "there is no user \"\(who)\" on this machine")
      }
      try Privacy.ask(bus) { $0.removeRegistrations(of: app, user: number, $1) }
    }
  }

  struct On: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Switch location services on.",
      discussion: """
        Example:
          sudo beaconmon privacy on
        """)

    @OptionGroup var bus: BusOptions

    func run() throws { try Privacy.ask(bus) { $0.setEnabled(true, $1) } }
  }

  struct Off: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Switch location services off; programs receive neither events nor locations.",
      discussion: """
        Example:
          sudo beaconmon privacy off
        """)

    @OptionGroup var bus: BusOptions

    func run() throws { try Privacy.ask(bus) { $0.setEnabled(false, $1) } }
  }

  /// Asks the daemon once; as an insider, for facts that only root and the group beaconmon may read.
  @discardableResult
  fileprivate static func ask<Value>(
    _ bus: BusOptions, asInsider: Bool = false, _ question: @escaping (RemotePrivacy, @escaping (Result<Value, DBusError>) -> Void) -> Void
  ) throws(Failure) -> Value {
    try CommandLink(bus.address, forSession: !asInsider).ask(failure: Failure.init(privacy:)) { question($0.privacy, $1) }
  }
}

extension Failure {
  /// Converts an error of a request about permissions.
  fileprivate init(privacy error: DBusError) {
    let status: ExitStatus = error.isStandard("AccessDenied") ? .noPermission : error.isNotRegistered ? .dataError : .unavailable
    self.init(status, error.message)
  }
}

/// The subject of a decision.
struct SubjectArgument: ParsableArguments {
  @Argument(help: ArgumentHelp("A user name or number, or @ and a group name or number.", valueName: "user"))
  var name: String

  func subject() throws(Failure) -> Subject {
    if name.hasPrefix("@") {
      let name = String(name.dropFirst())
      guard let number = UserDirectory().groupNumber(name) else {
        throw Failure(.usage, "there is no group \"\(name)\" on this machine; `getent group` lists them")
      }
      return .group(number)
    } else {
      guard let number = UserDirectory().userNumber(name) else {
        throw Failure(.usage, "there is no user \"\(name)\" on this machine; write a group as @\(name)")
      }
      return .user(number)
    }
  }
}
