import ArgumentParser
import Authorization
import Consent
import DBus
import Failures
import MonitorClient
import Records
import Terminal

struct Privacy: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show and decide who may know where this device is.",
    discussion: """
      Root and the group beaconmon hear every event. Any other program asks, and says why; without a subcommand this shows who may, who asked and \
      why, who is being told now, who is woken at which region, and who was told when. To decide takes root, or polkit.

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
    static let configuration = CommandConfiguration(abstract: "Show who may, who asked and why, and who was told when.")

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var times: TimeOptions
    @OptionGroup var bus: BusOptions

    func run() throws {
      let overview = try Privacy.ask(bus, asInsider: true) { $0.overview($1) }
      let output = TerminalOutput.standardOutput
      let text =
        json
        ? overview.record.json
        : PrivacyText(style: output.style, time: output.timeFormat(isUTC: times.utc), width: output.width).text(
          isEnabled: overview.isEnabled, note: overview.note, decisions: overview.decisions, requests: overview.requests,
          uses: overview.uses, registrations: overview.registrations)
      try output.write(text + "\n")
    }
  }

  struct Grant: GuidedCommand {
    static let nextStep = "\"getent passwd\" lists the users, \"getent group\" the groups"

    static let configuration = CommandConfiguration(abstract: "Allow a user, or a group as @NAME.")

    @OptionGroup var who: SubjectArgument
    @Flag(help: "Also for regions that outlive a program's session.")
    var always = false

    @OptionGroup var bus: BusOptions

    func run() throws {
      let subject = try who.subject()
      try Privacy.ask(bus) { $0.decide(subject, always ? .always : .whenInUse, $1) }
    }
  }

  struct Revoke: GuidedCommand {
    static let nextStep = "\"beaconmon privacy\" shows who may"

    static let configuration = CommandConfiguration(abstract: "Deny a user or a group; what is being told ends at once.")

    @OptionGroup var who: SubjectArgument
    @OptionGroup var bus: BusOptions

    func run() throws {
      let subject = try who.subject()
      try Privacy.ask(bus) { $0.decide(subject, .denied, $1) }
    }
  }

  struct Reset: GuidedCommand {
    static let nextStep = "\"beaconmon privacy\" shows who may"

    static let configuration = CommandConfiguration(abstract: "Forget what was decided for a user or a group.")

    @OptionGroup var who: SubjectArgument
    @OptionGroup var bus: BusOptions

    func run() throws {
      let subject = try who.subject()
      try Privacy.ask(bus) { $0.decide(subject, nil, $1) }
    }
  }

  struct Forget: GuidedCommand {
    static let nextStep = "\"beaconmon privacy\" shows which app has registered which regions"

    static let configuration = CommandConfiguration(abstract: "Forget the regions that an app of a user has registered.")

    @Argument(help: ArgumentHelp("The user's name or number.", valueName: "who"))
    var who: String
    @Argument(help: ArgumentHelp("The app, as `beaconmon privacy` shows it.", valueName: "app"))
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
    static let configuration = CommandConfiguration(abstract: "Switch location services on.")

    @OptionGroup var bus: BusOptions

    func run() throws { try Privacy.ask(bus) { $0.setEnabled(true, $1) } }
  }

  struct Off: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Switch location services off: no program is told anything.")

    @OptionGroup var bus: BusOptions

    func run() throws { try Privacy.ask(bus) { $0.setEnabled(false, $1) } }
  }

  /// Asks the daemon once; as an insider, for facts that only root and the group beaconmon may read.
  @discardableResult
  fileprivate static func ask<Value>(
    _ bus: BusOptions, asInsider: Bool = false, _ question: @escaping (RemotePrivacy, @escaping (Result<Value, DBusError>) -> Void) -> Void
  ) throws -> Value {
    let link = try DaemonLink(bus.address, forSession: !asInsider)
    var answer: Result<Value, DBusError>?
    link.onPresenceChange = { if !$0 { link.end(Failure(.unavailable, "beaconmond went away; start it again")) } }
    try link.run { client in
      question(client.privacy) {
        answer = $0
        link.end()
      }
    }
    switch answer {
    case .success(let value): return value
    case .failure(let error) where error.isStandard("AccessDenied"): throw Failure(.noPermission, error.message)
    case .failure(let error): throw Failure(error.isNotRegistered ? .dataError : .unavailable, error.message)
    case nil: throw ExitCode.failure
    }
  }
}

/// The subject of a decision.
struct SubjectArgument: ParsableArguments {
  @Argument(help: ArgumentHelp("A user's name or number, or @ and a group's.", valueName: "who"))
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
