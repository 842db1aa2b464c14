import Glibc
import Instants

/// A command that runs in parallel with the loop, with limited time and one report of its result.
///
/// It leads its own process group, which does not outlive it: when the command ends, the rest of the group gets SIGKILL. Releasing the
/// object early kills the group at once, and no result is reported.
public final class ChildProcess {
  private let loop: Loop
  private let completion: (ChildResult) -> Void
  public let pid: Int32
  private var input: FileDescriptor?
  private let outputPipe: FileDescriptor
  private var pendingInput: ArraySlice<UInt8>
  private var output: OutputTail
  private var ladder: TerminationSteps
  private var isRunning = true
  private var timer: Timer?
  private var writer: IOSource?
  private var reader: IOSource?
  private var child: ChildSource?

  /// Starts the program; `completion` comes later, from the loop.
  /// It throws if the program cannot be started: not found, not executable.
  public init(loop: Loop, command: ChildCommand, completion: @escaping (ChildResult) -> Void) throws(SystemCallError) {
    self.loop = loop
    self.completion = completion
    let program = try SpawnedProgram(arguments: command.arguments, environment: command.environment)
    pid = program.pid
    let inputEnd = program.input.number
    input = .some(program.input)
    outputPipe = program.output
    pendingInput = command.input[...]
    output = OutputTail(limit: command.outputLimit)
    ladder = TerminationSteps(start: loop.now, timeout: command.timeout, grace: command.grace)
    // From here on a throw runs deinit, which kills what was started.
    child = try loop.child(pid, endingGroup: true) { [unowned self] in finish($0) }
    reader = try loop.io(outputPipe.number, .readable) { [unowned self] _ in readOutput() }
    writer = try loop.io(inputEnd, .writable) { [unowned self] _ in writeInput(to: inputEnd) }
    let timer = loop.timer { [unowned self] in climb() }
    self.timer = timer
    timer.arm(at: ladder.deadline)
  }

  deinit {
    reader?.cancel()
    writer?.cancel()
    guard isRunning else { return }
    child = nil
    kill(-pid, SIGKILL)
    loop.reap(pid)
  }

  /// Ends the program before its timeout: SIGTERM now, SIGKILL after the grace; the result says `timedOut`.
  public func terminate() {
    guard isRunning else { return }
    ladder.terminate(at: loop.now)
    climb()
  }

  private func climb() {
    if let signal = ladder.advance(to: loop.now) { kill(-pid, signal) }
    timer?.arm(at: ladder.deadline)
  }

  private func writeInput(to descriptor: Int32) {
    let written = pendingInput.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if written < 0, errno == EAGAIN || errno == EINTR { return }
    pendingInput = written < 0 ? [] : pendingInput.dropFirst(written)
    // A child that closed its input (EPIPE) does not want the rest.
    if pendingInput.isEmpty { closeInput() }
  }

  /// Reads at most 64 KiB, one pipe full, so that a child with endless output does not block the loop's other work.
  private func readOutput() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    for _ in 0..<16 {
      let count = read(outputPipe.number, &buffer, buffer.count)
      if count > 0 {
        output.append(buffer[..<count])
      } else {
        if count == 0 || (errno != EAGAIN && errno != EINTR) { reader?.cancel() }
        return
      }
    }
  }

  /// Closes the child's input, so that it reads the end of file.
  private func closeInput() {
    writer?.cancel()
    input = nil
  }

  private func finish(_ status: ChildStatus) {
    isRunning = false
    timer?.disarm()
    // Only the pipe's present content counts: a descendant that left the group may hold the pipe open for ever.
    readOutput()
    reader?.cancel()
    closeInput()
    let outcome: ChildResult.Outcome =
      switch (ladder.isTerminating, status) {
      case (true, _): .timedOut
      case (false, .exited(let code)): .exited(code)
      case (false, .signalled(let number)): .signalled(number)
      }
    completion(ChildResult(outcome: outcome, output: output))
  }
}

/// A program that was just started, as the leader of its own process group.
private struct SpawnedProgram: ~Copyable {
  let pid: pid_t
  /// The parent's end of the program's standard input; does not block.
  let input: FileDescriptor
  /// The parent's end of the program's standard output and error, which share one pipe; does not block.
  let output: FileDescriptor

  init(arguments: [String], environment: [String: String]) throws(SystemCallError) {
    let toChild = try Pipe()
    let fromChild = try Pipe()
    try toChild.writing.setNonBlocking()
    try fromChild.reading.setNonBlocking()

    pid = try ProgramStart.process(
      of: arguments, environment: environment, input: toChild.reading.number, output: fromChild.writing.number,
      errors: fromChild.writing.number)
    input = toChild.writing
    output = fromChild.reading
  }
}

/// The last octets of a stream, at most `limit` of them.
public struct OutputTail: Hashable, Sendable {
  private let limit: Int
  private var kept: [UInt8] = []
  /// The number of octets seen, kept or not.
  public private(set) var total = 0

  init(limit: Int) {
    self.limit = max(0, limit)
  }

  public var bytes: [UInt8] { kept.suffix(limit) }

  /// The text as UTF-8; invalid octets become U+FFFD, as does a character that the limit cut.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  public var isTruncated: Bool { total > limit }

  mutating func append(_ bytes: some Collection<UInt8>) {
    total += bytes.count
    kept.append(contentsOf: bytes.suffix(limit))
    // Twice the limit may gather before the front is dropped, so each octet is moved once on average.
    if kept.count > 2 * limit { kept.removeFirst(kept.count - limit) }
  }
}

/// The signals to a child's process group: SIGTERM at the timeout or on request, and SIGKILL after the grace.
struct TerminationSteps {
  private enum Step {
    case running, terminating, killed
  }

  private let grace: Span
  private var step = Step.running
  private(set) var deadline: Instant

  init(start: Instant, timeout: Span, grace: Span) {
    self.grace = grace
    deadline = start + timeout
  }

  var isTerminating: Bool { step != .running }

  /// Returns the signal to send now, or nil if none is due.
  mutating func advance(to now: Instant) -> Int32? {
    guard now >= deadline else { return nil }
    switch step {
    case .running:
      step = .terminating
      deadline = now + grace
      return SIGTERM
    case .terminating:
      step = .killed
      deadline = .never
      return SIGKILL
    case .killed:
      return nil
    }
  }

  /// Ends the group early: the next `advance` sends SIGTERM; a further request does not shorten the grace.
  mutating func terminate(at now: Instant) {
    if step == .running { deadline = min(deadline, now) }
  }
}
