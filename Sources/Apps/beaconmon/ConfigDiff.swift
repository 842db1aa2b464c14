import ArgumentParser
import DBus
import EventLoop
import Failures
import Glibc
import Instants
import MonitorClient
import MonitorConfiguration
import ProgramSupport
import Records
import Regions
import Status
import Terminal

extension Config {
  struct Diff: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print how the effective config differs from the defaults, another config, or the running daemon.",
      discussion: """
        Lines with - belong to the other config, and lines with + to the config. The same value in another notation, such as "60s" and \
        "1m", is not a difference. With --running, the daemon reports the files that it has read, the time, and whether their values were \
        the same. It does not report the values.

        Exit codes: 0 without a difference, 1 with differences, 66 if a file cannot be read, 78 for an invalid config.

        Examples:
          beaconmon config diff
          beaconmon config diff --config ./beaconmon.toml /etc/beaconmon
          beaconmon config diff --running
        """)

    @Argument(help: "Another config, or its folder. Defaults to the default values.")
    var other: String?

    @Option(
      help: ArgumentHelp(
        "The config. Defaults to /etc/beaconmon/beaconmon.toml, or with --running to that of the daemon.", valueName: "file"))
    var config: String?

    @Flag(help: "Compare the config with the one that the daemon runs.")
    var running = false

    @OptionGroup var times: TimeOptions
    @OptionGroup var bus: BusOptions

    func validate() throws {
      if running, other != nil { throw ValidationError("--running cannot be combined with another config") }
      if !running, bus.isChosen { throw ValidationError("--bus, --session and --system require --running") }
    }

    func run() throws {
      let output = TerminalOutput.standardOutput
      guard !running else {
        let comparison = try RunningConfiguration(bus.address).compared(with: config, times: output.timeFormat(isUTC: times.utc))
        try output.write(comparison.text)
        if !comparison.isSame { throw ExitCode(1) }
        return
      }
      let file = config ?? ConfigurationFile.systemFile
      let listing = try Self.listing(of: file)
      let otherFile = other.map { Self.isFolder($0) ? "\($0)/beaconmon.toml" : $0 }
      let otherListing = try otherFile.map { (file) throws(Failure) in try Self.listing(of: file) } ?? .ofDefaults
      let differences = listing.differences(from: otherListing, width: output.width ?? .max)
      guard !differences.isEmpty else { return }
      try output.write("--- \(otherFile ?? "the defaults")\n+++ \(file)\n\n\(differences)")
      throw ExitCode(1)
    }

    private static func listing(of file: String) throws(Failure) -> ConfigurationListing {
      ConfigurationListing(try ConfigurationFile(flag: file, isSession: false).readMerged().0)
    }

    private static func isFolder(_ path: String) -> Bool {
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
  }
}

/// The configuration that the daemon runs, as far as its status describes it.
struct RunningConfiguration {
  private let status: MonitorStatus

  /// Asks the daemon on a bus.
  init(_ bus: BusAddress) throws(Failure) {
    status = MonitorStatus(try CommandLink(bus).ask(failure: Failure.init(refusal:)) { $0.status($1) })
  }

  /// Compares the files with the configuration that the daemon runs.
  ///
  /// - Parameter file: The main file; nil for that of the daemon.
  func compared(with file: String?, times: TimeFormat) throws(Failure) -> ConfigurationComparison {
    guard let main = status.configuration?.files?.first?.path else { throw Self.unknown }
    let path = file ?? main
    let document = try ConfigurationFile(flag: Folder.absolute(path), isSession: false, isOptional: path == main).read()
    let files = ConfigurationComparison.Files(
      title: document.title, digest: String(document.digest, radix: 16), files: document.paths.map { ($0, Self.time(of: $0)) },
      regions: document.configuration.regions.map(\.identifier))
    guard let comparison = ConfigurationComparison(of: files, with: status, time: times.text) else { throw Self.unknown }
    return comparison
  }

  private static let unknown = Failure(
    .unavailable, "this beaconmond is too old to report its configuration; restart it after the upgrade")

  private static func time(of file: String) -> Instant? {
    var status = stat()
    guard stat(file, &status) == 0 else { return nil }
    return Instant(microseconds: Int64(status.st_mtim.tv_sec) * 1_000_000 + Int64(status.st_mtim.tv_nsec) / 1000)
  }
}
