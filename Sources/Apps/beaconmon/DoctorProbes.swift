import DBus
import Diagnosis
import EventActions
import EventLoop
import Failures
import Instants
import MachineProbes
import MonitorConfiguration
import ProgramSupport
import ProgramVersion
import Records
import Status

/// Collects the facts about this machine that `beaconmon doctor` judges.
///
/// They come from files, programs, both buses and the hosts of targets, each with a time limit.
final class DoctorProbes {
  /// The time limit of one question to a bus, a program or a host.
  static let patience = Span.seconds(4)
  /// The time limit of a program, which a busy or an emulated processor starts slowly.
  private static let programPatience = Span.seconds(8)
  /// The time limit of all questions, which run in parallel.
  private static let wholePatience = Span.seconds(12)

  var facts = MachineFacts()
  /// The status of the daemon as it came; nil without an answer.
  var status: Record?
  /// The config; nil if it cannot be read.
  private(set) var document: ConfigurationDocument?

  let program: ProgramLoop
  let files: MachineFiles
  let reader: MachineReader
  private let configFile: ConfigurationFile
  private let isSession: Bool
  let bus: BusAddress
  /// The questions without an answer so far.
  private var pending: Set<Int> = []
  private var lastQuestion = 0
  /// Whether every question has ended.
  private var isComplete = false
  /// Whether the bus has reported whether bluetoothd runs.
  var bluetoothdIsKnown = false
  /// Connections, timers, programs and dials, which work while they are held.
  var held: [AnyObject] = []
  var bluetoothd = BluetoothdFacts(isRunning: false)

  var loop: Loop { program.loop }

  init(_ files: MachineFiles, bus: BusAddress, configFile: ConfigurationFile, isSession: Bool) throws(Failure) {
    (self.files, self.bus, self.configFile, self.isSession) = (files, bus, configFile, isSession)
    reader = MachineReader(files)
    program = try ProgramLoop()
    facts.version = ProgramVersion.current
    facts.manager = bus == .system ? .system : isSession ? .session : .none
  }

  /// Returns true when every question has an answer, or has none within its time limit; false if a signal ended them before.
  func run() throws(Failure) -> Bool {
    // Keeps the loop from ending before every question is asked.
    let beginning = ask(Self.wholePatience)
    readFiles()
    checkConfig()
    askMonitor()
    askBluetoothd()
    askWireless()
    let targets = (document?.configuration.notifier.targets ?? []).filter { $0.means.endpoint != nil }
    for target in targets.prefix(Self.mostTargets) { dial(target) }
    facts.untriedHosts = max(0, targets.count - Self.mostTargets)
    loop.enqueue { beginning() }
    try program.run()
    facts.bluetoothd = bluetoothdIsKnown ? .found(bluetoothd) : facts.bluetoothd
    held = []
    return isComplete
  }

  private static let mostTargets = 16

  // MARK: - Questions

  /// Begins a question, and returns the function that ends it; `onLate` is called if it does not end in time.
  func ask(_ patience: Span = patience, onLate: @escaping () -> Void = {}) -> () -> Void {
    lastQuestion += 1
    let number = lastQuestion
    pending.insert(number)
    let end = { [unowned self] in
      if pending.remove(number) != nil, pending.isEmpty {
        isComplete = true
        program.end()
      }
    }
    let timer = loop.timer { [unowned self] in
      if pending.contains(number) { onLate() }
      end()
    }
    timer.arm(after: patience)
    held.append(timer)
    return end
  }

  /// Runs a program of the machine, and takes its exit status and output; nil if it cannot be run or is late.
  func run(_ arguments: [String], completion: @escaping ((status: Int32, output: String)?) -> Void) {
    let end = ask(Self.programPatience + .seconds(2))
    let command = ChildCommand(
      arguments, environment: ChildCommand.ownEnvironment().merging(["LC_ALL": "C"]) { $1 }, timeout: Self.programPatience,
      grace: .seconds(1), outputLimit: 1 << 17)
    do throws(SystemCallError) {
      held.append(
        try ChildProcess(loop: loop, command: command) { result in
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
    let read: Probed<ConfigurationDocument> = TimedProbe.run(Self.patience) { () throws(TimedProbe.Failure) in
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

  // MARK: - Targets

  private func dial(_ target: Target) {
    guard let endpoint = target.means.endpoint, let port = UInt16(exactly: endpoint.port) else { return }
    let index = facts.hosts.count
    let place = "\(endpoint.host):\(endpoint.port)"
    facts.hosts.append(HostFacts(target: target.label.contains(endpoint.host) ? target.label : "\(target.label) at \(place)"))
    let end = ask { [unowned self] in facts.hosts[index].failure = "no answer from \(place) within \(Self.patience.text)" }
    held.append(
      TCPDial(loop, host: endpoint.host, port: port) { [unowned self] result in
        if case .failure(let failure) = result { facts.hosts[index].failure = failure.description }
        end()
      })
  }

  // MARK: - Wi-Fi

  private func askWireless() {
    guard case .found(let interfaces) = reader.wirelessInterfaces() else { return facts.wireless = .failed("no answer of the kernel") }
    guard !interfaces.isEmpty else { return facts.wireless = .found([]) }
    guard let iw = ["/usr/sbin/iw", "/sbin/iw"].map(files.path).first(where: { TimedProbe.exists($0) }) else {
      return facts.wireless = .failed("the program iw is not installed; it is in the package iw")
    }
    facts.wireless = .found([])
    for interface in interfaces.prefix(4) {
      run([iw, "dev", interface.name, "link"]) { [unowned self] result in
        guard let frequency = result.flatMap({ MachineReader.frequency(in: $0.output) }) else { return }
        facts.wireless = .found(
          (facts.wireless.value ?? []) + [WirelessFacts(interface: interface.name, frequency: frequency, adapter: interface.adapter)])
      }
    }
  }
}
