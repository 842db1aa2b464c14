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
        Lines with - are of the other config, and lines with + of the config. The same value in another notation, such as "60s" and "1m", \
        is no difference. With --running, the daemon reports the files that it has read, the time, and whether their values were the same. \
        It does not report the values.

        Exit codes: 0 without a difference, 1 with differences, 66 if a file cannot be read, 78 for an invalid config.

        Examples:
          beaconmon config diff
          beaconmon config diff --config ./beaconmon.toml /etc/beaconmon
          beaconmon config diff --running
        """)

    @Argument(help: "Another config, or its folder. Default: the defaults.")
    var other: String?

    @Option(
      help: ArgumentHelp("The config. Default: /etc/beaconmon/beaconmon.toml, or with --running that of the daemon.", valueName: "file"))
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
  init(_ bus: BusAddress) throws {
    let link = try DaemonLink(bus)
    var answer: Result<Record, DBusError>?
    link.onPresenceChange = { if !$0 { link.end(Failure(.unavailable, "beaconmond has stopped; start it again")) } }
    try link.run { client in
      client.status {
        answer = $0
        link.end()
      }
    }
    switch answer {
    case .success(let record): status = MonitorStatus(record)
    case .failure(let error): throw Failure(refusal: error)
    case nil: throw Failure(.unavailable, "beaconmond does not answer; start it again")
    }
  }

  /// Returns whether the files have the values that the daemon runs, and a text about the differences.
  ///
  /// - Parameter file: The main file; nil for that of the daemon.
  func compared(with file: String?, times: TimeFormat) throws(Failure) -> (isSame: Bool, text: String) {
    guard let running = status.configuration, let digest = running.digest, let main = running.files?.first?.path else {
      throw Failure(.unavailable, "this beaconmond is too old to report its configuration; restart it after the upgrade")
    }
    let path = file ?? main
    let document = try ConfigurationFile(flag: Folder.absolute(path), isSession: false, isOptional: path == main).read()
    let time = running.time.map { ", read at \(times.text($0))" } ?? ""
    guard digest != String(document.digest, radix: 16) else {
      guard running.needsRestart != true else {
        let restart = "changes to source, capture-speed, [location.capture] or [journal] require \"systemctl restart beaconmond\""
        return (false, "beaconmond has read \(document.title)\(time), but does not run all of it: \(restart)\n")
      }
      return (true, "beaconmond runs \(document.title)\(time)\n")
    }
    var lines = ["beaconmond runs another configuration than \(document.title)\(time)"]
    if let refused = status.refusedReload {
      lines.append("reload refused at \(refused.time.map(times.text) ?? "an unknown time"): \(refused.reason ?? "no reason is known")")
    }
    let names = running.files?.compactMap(\.path) ?? []
    lines += names.filter { !document.files.contains($0) }.map { "- \($0): was read, and is not one of the files now" }
    lines += document.files.filter { !names.contains($0) }.map { "+ \($0): was not read" }
    lines += document.files.filter { names.contains($0) }.compactMap { file in
      guard let changed = Self.time(of: file), let read = running.time, changed > read else { return nil }
      return "+ \(file): changed at \(times.text(changed))"
    }
    lines += regions(document.configuration.regions.map(\.identifier))
    lines.append("\"systemctl reload beaconmond\" applies the files; changes to source and [journal] require a restart")
    return (false, lines.map { $0 + "\n" }.joined())
  }

  /// Returns the regions that only one side has.
  private func regions(_ identifiers: [String]) -> [String] {
    guard let running = status.regions?.compactMap(\.identifier) else { return [] }
    return running.filter { !identifiers.contains($0) }.map { "- region \"\($0)\"" }
      + identifiers.filter { !running.contains($0) }.map { "+ region \"\($0)\"" }
  }

  private static func time(of file: String) -> Instant? {
    var status = stat()
    guard stat(file, &status) == 0 else { return nil }
    return Instant(microseconds: Int64(status.st_mtim.tv_sec) * 1_000_000 + Int64(status.st_mtim.tv_nsec) / 1000)
  }
}
