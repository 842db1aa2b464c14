import Instants

/// Brings a controller, whatever its state, into a passive scan that reports every advertisement.
///
/// It sends one command at a time: first which commands the controller supports, then scan off, parameters, and scan on. Scan off is
/// needed because parameters cannot change during a scan, and a killed program leaves the controller scanning.
struct PassiveScan: Sendable {
  enum Action: Equatable, Sendable {
    case none
    case send(HCICommand)
    /// The controller scans.
    case started
    /// Another program has switched a scan on or off, which ended this scan.
    case ended
    case failed(Failure)
  }

  enum Failure: Equatable, Sendable {
    case refused(HCICommand, status: UInt8)
    case noAnswer(HCICommand)
  }

  /// The time limit of a command, the same as the kernel's (HCI_CMD_TIMEOUT in net/bluetooth/hci.h).
  static let patience = Span.seconds(2)

  private enum Step {
    case idle
    case askingCommands
    case stopping(ScanCommands)
    case settingParameters(ScanCommands)
    case starting(ScanCommands)
    case scanning(ScanCommands)
  }

  private var step = Step.idle
  private var pending: HCICommand?
  /// The time at which the pending answer is overdue; `.never` if none is pending.
  private(set) var deadline = Instant.never

  /// Whether an answer is pending.
  var isWaiting: Bool { pending != nil }

  var isScanning: Bool { if case .scanning = step { true } else { false } }

  /// Starts the sequence again, from any step.
  mutating func start(at now: Instant) -> Action {
    send(.readSupportedCommands, .askingCommands, at: now)
  }

  /// Takes an answer to a command of this or another program.
  /// Answers to other programs are ignored unless they end this scan. The kernel does so: it continues the scan of a bluetoothd that was
  /// killed, and ends any scan ten seconds later.
  mutating func receive(_ answer: CommandAnswer, at now: Instant) -> Action {
    if case .scanning(let commands) = step, answer.opcode == commands.setEnabled(false).opcode {
      settle(.idle)
      return .ended
    }
    guard let command = pending, answer.opcode == command.opcode else { return .none }
    let isAccepted = answer.status == CommandAnswer.success
    switch step {
    case .idle, .scanning: return .none
    case .askingCommands:
      // A controller that does not report its commands has at least the oldest ones.
      let commands = isAccepted ? ScanCommands(supported: answer.parameters) : .legacy
      return send(commands.setEnabled(false), .stopping(commands), at: now)
    case .stopping(let commands):
      // A controller that is not scanning may refuse to stop.
      return send(commands.setParameters, .settingParameters(commands), at: now)
    case .settingParameters(let commands):
      guard isAccepted else { return fail(.refused(command, status: answer.status)) }
      return send(commands.setEnabled(true), .starting(commands), at: now)
    case .starting(let commands):
      guard isAccepted else { return fail(.refused(command, status: answer.status)) }
      settle(.scanning(commands))
      return .started
    }
  }

  mutating func advance(to now: Instant) -> Action {
    guard let command = pending, now >= deadline else { return .none }
    return fail(.noAnswer(command))
  }

  /// Returns the command that restores the controller's previous state, or nil if no scan can be running.
  /// The caller may ignore its answer.
  mutating func stop() -> HCICommand? {
    defer { settle(.idle) }
    return switch step {
    case .starting(let commands), .scanning(let commands): commands.setEnabled(false)
    case .idle, .askingCommands, .stopping, .settingParameters: nil
    }
  }

  private mutating func send(_ command: HCICommand, _ next: Step, at now: Instant) -> Action {
    step = next
    pending = command
    deadline = now + Self.patience
    return .send(command)
  }

  private mutating func fail(_ failure: Failure) -> Action {
    settle(.idle)
    return .failed(failure)
  }

  private mutating func settle(_ next: Step) {
    step = next
    pending = nil
    deadline = .never
  }
}
