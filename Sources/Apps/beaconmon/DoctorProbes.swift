import ClientCommands
import DBus
import Diagnosis
import EventActions
import EventLoop
import Failures
import Instants
import MachineProbes
import MonitorConfiguration
import MonitorProtocol
import ProgramSupport
import ProgramVersion
import Records

/// Collects the facts about this machine that `beaconmon doctor` judges.
///
/// They come from files, programs, both buses and the hosts of targets, each with a time limit.
final class DoctorProbes {
  /// The time limit of a program, which a busy or an emulated processor starts slowly.
  private static let programPatience = Span.seconds(8)
  /// The time limit of all questions, which run in parallel.
  private static let wholePatience = Span.seconds(12)

  private(set) var facts = MachineFacts()
  /// The status of the daemon as it came; nil without an answer.
  private(set) var status: Record?
  /// The config; nil if it cannot be read.
  private(set) var document: ConfigurationDocument?

  private let program: ProgramLoop
  private let round: QuestionRound
  private let files: MachineFiles
  private let reader: MachineReader
  private let configFile: ConfigurationFile
  private let isSession: Bool
  private let bus: BusAddress
  /// Programs and dials, which work while they are held.
  private var held: [AnyObject] = []

  init(_ files: MachineFiles, bus: BusAddress, configFile: ConfigurationFile, isSession: Bool) throws(Failure) {
    (self.files, self.bus, self.configFile, self.isSession) = (files, bus, configFile, isSession)
    reader = MachineReader(files)
    program = try ProgramLoop()
    round = QuestionRound(program.loop)
    round.onComplete = { [program] in program.end() }
    facts.version = ProgramVersion.current
    facts.manager = bus == .system ? .system : isSession ? .session : .none
  }

  /// Returns true when every question has an answer, or has none within its time limit; false if a signal ended them before.
  func run() throws(Failure) -> Bool {
    // Keeps the loop from ending before every question is asked.
    let beginning = round.ask(Self.wholePatience)
    readFiles()
    checkConfig()
    let (monitorBus, systemBus) = (ExaminedConnection(program.loop, bus), ExaminedConnection(program.loop, .system))
    let daemon = DaemonExamination(round, monitorBus, monitorBus, reader, name: MonitorNames.bus)
    let hasPolicy = bus != .system || reader.hasBusPolicy()
    daemon.begin()
    let bluetoothd = examineBluetoothd(systemBus)
    let wireless = WirelessExamination()
    let interfaces = reader.wirelessInterfaces().value
    wireless.begin(interfaces?.map { WirelessExamination.Interface(name: $0.name, adapter: $0.adapter) }, wirelessProgram)
    let hosts = HostExamination(round, self)
    hosts.begin(
      (document?.configuration.notifier.targets ?? []).compactMap { target in
        target.means.endpoint.map { HostExamination.Host(label: target.label, name: $0.host, port: $0.port) }
      })
    program.loop.enqueue { beginning() }
    try program.run()
    (facts.daemon, facts.daemonCapabilities) = (.found(daemon.facts(hasPolicy: hasPolicy)), daemon.capabilities)
    (facts.bluetoothd, facts.listedAdapters) = (bluetoothd.facts, bluetoothd.adapters)
    (facts.wireless, facts.hosts, facts.untriedHosts) = (wireless.facts, hosts.hosts, hosts.untried)
    status = daemon.status
    held = []
    monitorBus.close()
    systemBus.close()
    return round.isComplete
  }

  private static let programs = ["/usr/libexec/bluetooth/bluetoothd", "/usr/lib/bluetooth/bluetoothd", "/usr/sbin/bluetoothd"]

  private func examineBluetoothd(_ bus: ExaminedConnection) -> BluetoothdExamination {
    let program = Self.programs.map(files.path).first { TimedProbe.exists($0) }
    let examination = BluetoothdExamination(round, bus, bus, reader, isInstalled: program != nil)
    if let program {
      run([program, "--version"]) { examination.version = $0.flatMap { MachineReader.version(in: $0.output) } }
    }
    examination.begin()
    return examination
  }

  // MARK: - Programs

  /// Runs a program of the machine, and takes its exit status and output; nil if it cannot be run or is late.
  func run(_ arguments: [String], completion: @escaping ((status: Int32, output: String)?) -> Void) {
    let end = round.ask(Self.programPatience + .seconds(2))
    let command = ChildCommand(
      arguments, environment: ChildCommand.ownEnvironment().merging(["LC_ALL": "C"]) { $1 }, timeout: Self.programPatience,
      grace: .seconds(1), outputLimit: 1 << 17)
    do throws(SystemCallError) {
      held.append(
        try ChildProcess(loop: program.loop, command: command) { result in
          if case .exited(let status) = result.outcome { completion((status, result.output.text)) } else { completion(nil) }
          end()
        })
    } catch {
      completion(nil)
      end()
    }
  }

  // MARK: - Files and config

  private func readFiles() {
    facts.kernel = reader.kernel()
    facts.radio = reader.radio()
    facts.firmwareMessages = reader.firmwareMessages()
    facts.scanningPrograms = reader.scanningPrograms()
    facts.isNotifierRunning = reader.isNotifierRunning()
    facts.user = reader.user()
    facts.missingPrograms = reader.missing(["rfkill", "beaconmon-notifier"])
    facts.clock = .found(ClockFacts(now: WallClock.now, isSynchronised: WallClock.isSynchronised))
    let file = configFile
    let read: Probed<ConfigurationDocument> = TimedProbe.run(QuestionRound.patience) { () throws(TimedProbe.Failure) in
      do throws(Failure) { return try file.read() } catch { throw TimedProbe.Failure(error.description) }
    }
    document = read.value
    // The root keeps its slash.
    let journal = document?.configuration.journal.path.map { Folder.parent(of: $0) }.map { $0 == "/" ? $0 : String($0.dropLast()) }
    facts.disk = reader.disk(journal ?? (isSession ? UserFolder.state : "/var/lib/beaconmon"), owner: isSession ? nil : "beaconmon")
  }

  private func checkConfig() {
    let configuration = document?.configuration
    let path = configFile.path
    let (isForbidden, isAbsent) = (reader.isForbidden(config: path), reader.isAbsent(path))
    facts.config = .failed("the check has no answer")
    run([Self.ownProgram, "config", "check", "--strict"] + (isSession ? ["--optional"] : []) + [path]) { [unowned self] result in
      guard let result else { return }
      facts.config = .found(
        ConfigFacts(
          file: path, status: result.status, lines: result.output.split(separator: "\n").map(String.init),
          source: configuration.map { $0.source?.description ?? "auto" }, actions: configuration?.notifier.actions.count,
          isForbidden: isForbidden, isAbsent: isAbsent))
    }
  }

  /// The file of this program, by a name with which it is this command.
  private static var ownProgram: String { "/proc/self/exe" }
}

extension DoctorProbes: ExaminedNetwork {
  func dial(_ host: String, port: UInt16, _ completion: @escaping (String?) -> Void) {
    held.append(
      TCPDial(program.loop, host: host, port: port) { result in
        if case .failure(let failure) = result { completion(failure.description) } else { completion(nil) }
      })
  }
}

// MARK: - Wi-Fi

extension DoctorProbes {
  /// The program that shows frequencies; nil if it is not installed.
  private var wirelessProgram: WirelessProgram? {
    ["/usr/sbin/iw", "/sbin/iw"].map(files.path).first { TimedProbe.exists($0) }.map { path in
      WirelessProgram { [unowned self] interface, completion in run([path, "dev", interface, "link"], completion: completion) }
    }
  }
}

/// The program iw.
private final class WirelessProgram: ExaminedWireless {
  typealias Answer = ((status: Int32, output: String)?) -> Void

  private let run: (String, @escaping Answer) -> Void

  init(_ run: @escaping (_ interface: String, @escaping Answer) -> Void) { self.run = run }

  func requestFrequency(of interface: String, _ completion: @escaping (Int?) -> Void) {
    run(interface) { completion($0.flatMap { MachineReader.frequency(in: $0.output) }) }
  }
}

extension MachineReader: ExaminedProcesses {}
