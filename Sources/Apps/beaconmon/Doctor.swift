import ArgumentParser
import Diagnosis
import EventLoop
import Failures
import Instants
import MachineProbes
import MonitorConfiguration
import Numerals
import ProgramSupport
import ProgramVersion
import Records
import Status
import Terminal
import Webhook

struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check everything that beaconmon depends on, and name the command that corrects each fault.",
    discussion: """
      Checks, without changing or starting anything:
        - the kernel, adapters, their firmware and rfkill, bluetoothd, other programs that scan, and Wi-Fi
        - the bus and its policy, the daemon, and the permissions of this user and of the daemon
        - the clock, the disk, the config, the notifier, the hosts of its targets, and the versions

      A check that fails or takes too long appears as a line of the output.

      Exit codes: 0 if nothing is wrong, 1 for warnings, 2 for faults, 130 if a signal ended the checks.

      Examples:
        beaconmon doctor
        sudo beaconmon doctor --report report.txt
      """)

  @Flag(help: "Print one JSON object.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Write a new file for support: findings, status, effective config, without passwords and addresses.", valueName: "file"))
  var report: String?

  @Option(help: ArgumentHelp("The config. Defaults to that of the daemon on the chosen bus.", valueName: "file"))
  var config: String?

  @Option(help: ArgumentHelp("Read the files of the machine below this folder.", visibility: .hidden))
  var root: String?

  @OptionGroup var bus: BusOptions

  func run() throws {
    if let report { try failing { () throws(OutputError) in try OutputFile.check(path: report) } }
    let files = MachineFiles(root: root)
    let path = config ?? (root == nil || bus.session ? nil : files.path(ConfigurationFile.systemFile))
    let configFile = ConfigurationFile(flag: path, isSession: bus.session)
    let probes = try DoctorProbes(files, bus: bus.address, configFile: configFile, isSession: bus.session)
    // Without all answers, the diagnosis would have faults that do not exist.
    guard try probes.run() else { throw ExitCode(130) }
    let diagnosis = probes.facts.diagnosis
    let output = TerminalOutput.standardOutput
    if let report {
      let text = DoctorReport(diagnosis, probes, configFile).text
      try failing { () throws(OutputError) in try OutputFile(path: report, replaces: false, isPrivate: true).write(text) }
    }
    let text = json ? diagnosis.record.json : DiagnosisText(style: output.style, width: output.width).text(diagnosis)
    try output.write(text + "\n")
    switch diagnosis.verdict {
    case .warning: throw ExitCode(1)
    case .fault: throw ExitCode(2)
    case .ok, .unknown, nil: break
    }
  }

  private func failing(_ body: () throws(OutputError) -> Void) throws(Failure) {
    do throws(OutputError) { try body() } catch {
      if case .exists(let path) = error { throw Failure(.ioError, "\(path): already exists; choose another name, or remove it") }
      throw Failure(.ioError, "\(error)")
    }
  }
}

/// The text of `beaconmon doctor --report`.
private struct DoctorReport {
  private let diagnosis: Diagnosis
  private let probes: DoctorProbes
  private let configFile: ConfigurationFile

  init(_ diagnosis: Diagnosis, _ probes: DoctorProbes, _ configFile: ConfigurationFile) {
    (self.diagnosis, self.probes, self.configFile) = (diagnosis, probes, configFile)
  }

  /// The sections, in which addresses are codes by a key that is nowhere else.
  var text: String {
    var generator = SystemRandomNumberGenerator()
    let key = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    let redaction = ReportRedaction { address in
      do {
        let code = try MessageAuthentication.code(of: Array(address.utf8), key: key)
        return Hexadecimal.digits(of: code.prefix(6))
      } catch {
        return "hidden"
      }
    }
    let sections = [
      ("beaconmon \(ProgramVersion.current), \(WallClock.now.rfc3339)", DiagnosisText(style: .plain).text(diagnosis)),
      ("diagnosis as JSON", diagnosis.record.json),
      ("status", probes.status.map { MonitorStatus.formatted($0).json } ?? "beaconmond has not answered"),
      ("config", effectiveConfig),
    ]
    return redaction.redacted(sections.map { "## \($0.0)\n\n\($0.1)\n" }.joined(separator: "\n"))
  }

  private var effectiveConfig: String {
    let file = configFile
    let listing: Probed<String> = TimedProbe.run(.seconds(4)) { () throws(TimedProbe.Failure) in
      do throws(Failure) {
        return ConfigurationListing(try file.readMerged().0).toml(width: .max, hasDefaults: false)
      } catch {
        throw TimedProbe.Failure(error.description)
      }
    }
    switch listing {
    case .found(let text): return text
    case .failed(let reason): return "could not be read: \(reason)"
    }
  }
}

extension TerminalStyle {
  /// The style of a file.
  fileprivate static let plain = TerminalStyle(hasColours: false, hasUnicode: false, canRedraw: false)
}
