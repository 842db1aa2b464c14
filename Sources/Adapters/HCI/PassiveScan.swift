import Instants

/// Brings a controller into a passive scan that reports every advertisement, whatever it did before.
///
/// One command at a time: which commands it has, scan off (parameters cannot change while it scans, and a program that was killed left it
/// scanning), parameters, scan on.
struct PassiveScan: Sendable {
  enum Action: Equatable, Sendable {
    case none
    case send(HCICommand)
    /// The controller scans.
    case started
    /// Somebody else has switched a scan on or off: this one has ended.
    case ended
    case failed(Failure)
  }

  enum Failure: Equatable, Sendable {
    case refused(HCICommand, status: UInt8)
    case noAnswer(HCICommand)
  }

  /// As long as the kernel itself waits (HCI_CMD_TIMEOUT in net/bluetooth/hci.h).
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
  /// When the answer that is waited for is overdue; `.never` while none is.
  private(set) var deadline = Instant.never

  /// An answer is waited for.
  var isWaiting: Bool { pending != nil }

  var isScanning: Bool { if case .scanning = step { true } else { false } }

  /// Begins, from whatever step it is in.
  mutating func start(at now: Instant) -> Action {
    send(.readSupportedCommands, .askingCommands, at: now)
  }

  /// Answers to other programs' commands come as well. They are none of its business, but for one: the kernel, which goes on with the scan of a
  /// bluetoothd that was killed, ends whatever scan there is ten seconds later.
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
      // Without an answer about commands the oldest ones remain.
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

  /// What is to be sent so that the controller is left as it was found; its answer is of no interest. Nil when no scan can be running.
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
