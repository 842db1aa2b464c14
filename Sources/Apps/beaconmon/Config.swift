import ArgumentParser
import EventLoop
import Failures
import Glibc
import MonitorConfiguration
import ProgramSupport
import Terminal

struct Config: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Work with the configuration.",
    discussion: """
      Example:
        beaconmon config check ./beaconmon.toml
      """,
    subcommands: [Check.self])

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print every error in a config, or what of a valid one cannot work on this machine.",
      discussion: """
        Warnings name what is valid and yet cannot work as it stands: a missing capture, scenario, program or secret file, a secret that every user \
        can read, an unknown user, a journal that cannot be written, a serial device that is not there, a circle that is smaller than the accuracy of \
        any fix. Root checks on behalf of the user beaconmon, if there is one; another user checks on their own behalf.

        Exit code 0 when the config is valid, 1 with --strict when there are warnings, 78 when it is not valid, 66 when it cannot be read.

        Examples:
          beaconmon config check
          beaconmon config check --strict ./beaconmon.toml
        """)

    @Argument(help: "The file; /etc/beaconmon/beaconmon.toml when none is given.")
    var file = ConfigurationFile.systemFile

    @Flag(help: "End with exit code 1 when there are warnings.")
    var strict = false

    @Flag(help: "Accept a file that is not there: everything has its default.")
    var optional = false

    @Option(
      name: .customLong("for"),
      help: ArgumentHelp("Warn only about the part of beaconmond or of beaconmon-notifier.", valueName: "service"))
    var service: ConfiguredService?

    @Option(help: ArgumentHelp("As root, check what this user may read and write. Default: beaconmon.", valueName: "name"))
    var user: String?

    func run() throws {
      let document = try ConfigurationFile(flag: file, isSession: false, isOptional: optional).read()
      try ServiceUser.become(user)
      let services = service.map { [$0] } ?? Set(ConfiguredService.allCases)
      let environment = ChildCommand.ownEnvironment()
      let warnings =
        (service == .notifier ? [] : document.warnings) + document.machineWarnings(for: services, environment: environment)
      let (regions, actions) = (document.configuration.regions.count, document.configuration.notifier.actions.count)
      let counts =
        [(regions, "region"), (actions, "action")].map(Self.text) + (warnings.isEmpty ? [] : [Self.text(warnings.count, "warning")])
      let lines = warnings.sorted { ($0.line ?? 0) < ($1.line ?? 0) }.map { $0.warningLine + "\n" }
      try TerminalOutput.standardOutput.write("\(file): valid, \(counts.joined(separator: ", "))\n" + lines.joined())
      if strict, !warnings.isEmpty { throw ExitCode(1) }
    }

    /// Returns `1 region`, `2 regions`.
    private static func text(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
  }
}

extension ConfiguredService: ExpressibleByArgument {}

/// The user that the services run as.
private enum ServiceUser {
  /// Changes root to the user `name` for the rest of the process, so that the kernel itself checks every permission.
  /// Without a name, it is the user beaconmon, if there is one. Any user other than root stays the same.
  static func become(_ name: String?) throws(Failure) {
    guard geteuid() == 0 else {
      if name != nil { throw Failure(.noPermission, "--user: only root can check on behalf of another user; run this with sudo") }
      return
    }
    // The only thread of this process.
    guard let entry = getpwnam(name ?? "beaconmon") else {
      if let name { throw Failure(.usage, "--user: this machine has no user \"\(name)\"") }
      return
    }
    let (user, group) = (entry.pointee.pw_uid, entry.pointee.pw_gid)
    guard initgroups(entry.pointee.pw_name, group) == 0, setgid(group) == 0, setuid(user) == 0 else {
      throw Failure(.osError, "\(SystemCallError.last("setuid"))")
    }
  }
}
