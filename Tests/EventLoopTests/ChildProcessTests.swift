import EventLoop
import Glibc
import Instants
import TestSupport
import Testing

@Suite struct ChildProcessTests {
  let loop: Loop

  init() throws {
    loop = try Loop()
  }

  private func run(_ command: ChildCommand) throws -> ChildResult {
    let child = Holder<ChildProcess>()
    defer { child.value = nil }
    return try loop.value { done in child.value = try ChildProcess(loop: loop, command: command, completion: done) }
  }

  private func shell(_ script: String, input: String = "", timeout: Span = .seconds(15), grace: Span = .seconds(5)) -> ChildCommand {
    ChildCommand(
      ["/bin/sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"], input: Array(input.utf8), timeout: timeout, grace: grace)
  }

  @Test(
    arguments: [
      ("exit 7", .exited(7)), ("true", .exited(0)), ("kill -9 $$", .signalled(SIGKILL)), ("kill -TERM $$", .signalled(SIGTERM)),
    ] as [(String, ChildResult.Outcome)])
  func `the outcome of a command is that of its leader`(script: String, outcome: ChildResult.Outcome) throws {
    #expect(try run(shell(script)).outcome == outcome)
  }

  @Test func `arguments are passed unchanged and without a shell`() throws {
    let words = ["/usr/bin/printf", "%s|", "a b", "$(id)", "*", ""]
    let result = try run(ChildCommand(words, environment: [:], timeout: .seconds(15)))
    #expect(result.output.text == "a b|$(id)|*||")
  }

  @Test func `a child has only the given environment`() throws {
    let result = try run(ChildCommand(["/usr/bin/env"], environment: ["EVENT": "enter"], timeout: .seconds(15)))
    #expect(result.output.text == "EVENT=enter\n")
  }

  @Test func `input that exceeds a pipe arrives completely, and then ends`() throws {
    let input = String(repeating: "0123456789abcde\n", count: 40_000)
    #expect(try run(shell("wc -c", input: input)).output.text == "640000\n")
  }

  @Test func `a child that never reads its input runs to its end`() throws {
    let result = try run(shell("exit 3", input: String(repeating: "x", count: 1 << 20)))
    #expect(result.outcome == .exited(3))
  }

  @Test func `the end of long output is kept`() throws {
    let result = try run(shell("seq 1 100000; echo last >&2"))
    #expect(result.output.bytes.count == 4096)
    #expect(result.output.text.hasSuffix("99999\n100000\nlast\n"))
    #expect(result.output.isTruncated)
    #expect(result.output.total == 588_895 + 5)
  }

  @Test func `a child inherits no descriptors but the standard ones`() throws {
    let leak = FileDescriptor(owning: open("/dev/null", O_RDONLY))
    // ls itself opens the folder as 3.
    #expect(try run(shell("ls /proc/self/fd")).output.text == "0\n1\n2\n3\n")
    withExtendedLifetime(leak.number) {}
  }

  @Test func `a child starts with no signal blocked or ignored`() throws {
    let source = try loop.signal(SIGUSR1) {}
    let text = try run(ChildCommand(["/bin/grep", "-E", "SigBlk|SigIgn", "/proc/self/status"], environment: [:], timeout: .seconds(15)))
      .output.text
    // glibc keeps its two internal signals, 32 and 33, ignored in what it spawns.
    #expect(text == "SigBlk:\t0000000000000000\nSigIgn:\t0000000180000000\n")
    withExtendedLifetime(source) {}
  }

  @Test func `a program that does not exist is an error that names it`() throws {
    let error = #expect(throws: SystemCallError.self) {
      try run(ChildCommand(["/no/such/program"], environment: [:], timeout: .seconds(1)))
    }
    #expect(error?.description == "posix_spawn /no/such/program: No such file or directory (ENOENT)")
  }

  @Test(arguments: [["/bin/echo", "a\0b"], []])
  func `an argument with a NUL is refused`(arguments: [String]) throws {
    let error = #expect(throws: SystemCallError.self) {
      try run(ChildCommand(arguments, environment: [:], timeout: .seconds(1)))
    }
    #expect(error?.code == EINVAL)
  }

  @Test func `a child that obeys SIGTERM ends at its timeout`() throws {
    let start = loop.now
    let result = try run(shell("echo begun; sleep 1000", timeout: .milliseconds(300), grace: .seconds(60)))
    #expect(result.outcome == .timedOut)
    #expect(result.output.text == "begun\n")
    #expect(loop.now - start < .seconds(15))
  }

  @Test func `a child that ignores SIGTERM is killed with its grandchildren after the grace period`() throws {
    let family = try Family(loop)
    let script = "exec 3>\(family.path); trap '' TERM; sleep 1000 & (trap '' TERM; sleep 1000) & while :; do sleep 1000; done"
    let result = try run(shell(script, timeout: .milliseconds(300), grace: .milliseconds(100)))
    #expect(result.outcome == .timedOut)
    try family.waitForLast()
  }

  @Test func `grandchildren that outlive their parent are killed`() throws {
    let family = try Family(loop)
    let result = try run(shell("exec 3>\(family.path); sleep 1000 & sleep 1000 & exit 0"))
    #expect(result.outcome == .exited(0))
    try family.waitForLast()
  }

  @Test func `releasing a child kills its process group and reports nothing`() throws {
    let family = try Family(loop)
    let command = shell("exec 3>\(family.path); echo; sleep 1000 & sleep 1000")
    let child = Holder(try ChildProcess(loop: loop, command: command) { _ in Issue.record("a released child reported") })
    let pid = try #require(child.value?.pid)
    family.waitForFirst()
    child.value = nil
    try family.waitForLast()
    // The loop must reap the process, so that no zombie is left.
    let limit = loop.now + .seconds(15)
    // Runs the loop until the process is gone, for at most 15 s.
    while kill(pid, 0) == 0, loop.now < limit { try loop.run(for: .milliseconds(1)) }
    #expect(kill(pid, 0) == -1)
  }

  @Test func `a child that is terminated gets a grace period`() throws {
    let child = Holder<ChildProcess>()
    let result: ChildResult = try loop.value { done in
      child.value = try ChildProcess(
        loop: loop, command: shell("trap 'echo bye; exit 0' TERM; echo; while :; do sleep 0.01; done"), completion: done)
      child.value?.terminate()
    }
    #expect(result.outcome == .timedOut)
  }
}

/// A FIFO whose writing end a family of processes holds open, so that the last one's death is an end of file.
private final class Family {
  let path: String
  private let loop: Loop
  private let directory = Holder<TemporaryDirectory>()
  private let reading: FileDescriptor

  init(_ loop: Loop) throws {
    self.loop = loop
    let temporary = try TemporaryDirectory()
    directory.value = temporary
    path = temporary.file("family")
    guard mkfifo(path, 0o600) == 0 else { throw SystemCallError.last("mkfifo", path) }
    reading = FileDescriptor(owning: open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
  }

  /// A FIFO hangs up only after a process had it open for writing.
  func waitForLast() throws {
    let source = Holder<IOSource>()
    let _: IOEvents = try loop.value { done in
      source.value = try loop.io(reading.number, .readable) { if $0.contains(.hangUp) { done($0) } }
    }
  }

  /// Waits for a writer: reading returns an end of file before, and EAGAIN afterwards.
  func waitForFirst() {
    var octet: UInt8 = 0
    while read(reading.number, &octet, 1) == 0 { sched_yield() }
  }
}
