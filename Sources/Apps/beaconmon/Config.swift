import ArgumentParser
import EventLoop
import Failures
import Glibc
import MonitorConfiguration
import ProgramSupport
import Records
import Terminal

struct Config: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check, show and compare configuration files.",
    discussion: """
      A config is a file, and the drop-ins in the folder conf.d beside it: the files *.toml in the order of their names. A value of a \
      later file takes precedence.

      Examples:
        beaconmon config check ./beaconmon.toml
        beaconmon config show
      """,
    subcommands: [Check.self, Show.self, Diff.self])

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print every error in a config, and warn about settings that cannot work here.",
      discussion: """
        Warnings are for valid settings that cannot work:
          - a missing capture, scenario, program, secret file or serial device
          - a secret that every user can read, an unknown user, a journal that is not writable
          - a config that the user of the services may not read
          - a key that has another name now
          - a circle that is smaller than its location source can resolve
          - a doubtful part of a venue
          - an appointment in the past, or a calendar that cannot be read

        Root checks the permissions of the user beaconmon if it exists; any other user checks its own permissions.

        Exit codes: 0 for a valid config, 1 for warnings with --strict, 66 if the file cannot be read, 78 for an invalid config.

        Examples:
          beaconmon config check
          beaconmon config check --strict ./beaconmon.toml
        """)

    @Argument(help: "The config file.")
    var file = ConfigurationFile.systemFile

    @Flag(help: "Exit with 1 if there are warnings.")
    var strict = false

    @Flag(help: "Accept a missing file; every key has its default.")
    var optional = false

    @Option(
      name: .customLong("for"),
      help: ArgumentHelp("Print only warnings about the settings of this service.", valueName: "service"))
    var service: ConfiguredService?

    @Option(help: ArgumentHelp("As root, check the permissions of this user. Defaults to beaconmon.", valueName: "name"))
    var user: String?

    func run() throws {
      let document = try ConfigurationFile(flag: file, isSession: false, isOptional: optional).read()
      try ServiceUser.become(user)
      let services = service.map { [$0] } ?? Set(ConfiguredService.allCases)
      let (warnings, venueWarnings) = document.checkWarnings(for: services, withRegions: service != .notifier)
      let (regions, actions) = (document.configuration.regions.count, document.configuration.notifier.actions.count)
      let optional = [(document.venues.count, "venue"), (warnings.count + venueWarnings.count, "warning")].filter { $0.0 > 0 }
      let counts = ([(regions, "region"), (actions, "action")] + optional).map { Count.text($0, $1) }
      let lines = (warnings + venueWarnings).map { $0.warningLine + "\n" }
      try TerminalOutput.standardOutput.write("\(document.title): valid, \(counts.joined(separator: ", "))\n" + lines.joined())
      if strict, !(warnings + venueWarnings).isEmpty { throw ExitCode(1) }
    }
  }
}

extension ConfiguredService: ExpressibleByArgument {}

/// The user that the services run as.
private enum ServiceUser {
  /// Changes root to the user `name` for the rest of the process, so that the kernel itself checks every permission.
  /// Without a name, it is the user beaconmon, if there is one. Any user other than root stays the same.
  static func become(_ name: String?) throws(Failure) {
    guard geteuid() == 0 else {
      if name != nil {
        throw Failure(.noPermission, "--user: only root can check the permissions of another user; run the command with sudo")
      }
      return
    }
    // The only thread of this process.
    guard let entry = getpwnam(name ?? "beaconmon") else {
      if let name { throw Failure(.usage, "--user: there is no user \"\(name)\"") }
      return
    }
    let (user, group) = (entry.pointee.pw_uid, entry.pointee.pw_gid)
    guard initgroups(entry.pointee.pw_name, group) == 0, setgid(group) == 0, setuid(user) == 0 else {
      throw Failure(.osError, "\(SystemCallError.last("setuid"))")
    }
  }
}
