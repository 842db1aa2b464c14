import Foundation
import TestSupport
import Testing

/// The command line on a terminal: output fits the window and is in local time, and Ctrl-Z restores the terminal.
@Suite struct WindowCommandTests {
  private static let config = """
    [[region]]
    identifier = "展示室 十一番"
    uuid = "\(ReplayTests.walkUUID)"
    major = 1
    minor = 11
    within = 3.0

    [[region]]
    identifier = "a hall whose name is longer than a narrow window has room for"
    uuid = "\(ReplayTests.walkUUID)"

    """

  /// Returns a daemon that has played the walk.
  private func afterTheWalk() throws -> (stage: Stage, daemon: RunningProgram) {
    let stage = try Stage()
    let listener = try stage.listener()
    let daemon = try stage.daemon(config: try stage.file("config.toml", Self.config), source: Stage.walk)
    _ = try listener.next("the end of the walk") { $0.saysEnded }
    return (stage, daemon)
  }

  @Test(arguments: [60, 80, 120] as [UInt16])
  func `events, explain, status and monitor fit the window, in local time and without splitting words`(columns: UInt16) throws {
    let (stage, daemon) = try afterTheWalk()
    for command in [["events"], ["explain", "3"], ["status"]] {
      let run = try TerminalProgram(command + ["--bus", stage.bus.address], columns: columns)
      let lines = try run.all()
      #expect(lines.count > 5)
      #expect(lines.allSatisfy { $0.terminalColumns <= Int(columns) }, "\(lines)")
      // The time is 12:46:38 in UTC.
      #expect(lines.contains { $0.contains("18:16:38") } && !lines.contains { $0.contains("12:46:38") }, "\(lines)")
      let words = Set(lines.flatMap { $0.split(separator: " ").map(String.init) })
      let plain = try CommandLine(command + ["--bus", stage.bus.address]).output.flatMap { $0.split(separator: " ").map(String.init) }
      for word in ["silence:", "threshold", "stayed", "durable", "journal"] where plain.contains(word) {
        #expect(words.contains(word), "\(word) is split: \(lines)")
      }
    }
    let utc = try TerminalProgram(["events", "--utc", "--bus", stage.bus.address], columns: columns)
    #expect(try utc.all().contains { $0.contains("12:46:38") })
    daemon.signal(SIGTERM)
  }

  @Test func `lines into a pipe are not wrapped, and times are in UTC`() throws {
    let (stage, daemon) = try afterTheWalk()
    let run = try RunningProgram(
      Programs.commandLine, ["events", "--bus", stage.bus.address], environment: ["TZ": "Asia/Kolkata", "COLUMNS": "40"])
    let lines = try run.output.all()
    #expect(lines.count > 1 && lines.allSatisfy { $0.hasPrefix("2020-02-09 12:4") && $0.dropFirst(23).hasPrefix("Z  ") })
    #expect(lines.contains { $0.contains("a hall whose name is longer than a narrow window has room for") })
    daemon.signal(SIGTERM)
  }

  @Test func `monitor starts with the state of each region`() throws {
    let stage = try Stage()
    let (listener, feed) = (try stage.listener(), try CaptureFeed(stage))
    let daemon = try stage.daemon(config: try stage.file("config.toml", Stage.hall), source: feed.path)
    try feed.hear(minor: 3, at: 1)
    _ = try listener.next("an enter") { $0.name == "RegionEvent" }
    let monitor = try RunningProgram(Programs.commandLine, ["monitor", "--bus", stage.bus.address])
    #expect(try monitor.output.next("the header").hasPrefix("region  state   since"))
    #expect(try monitor.output.next("the region").hasPrefix("hall    inside  2020-09-13 12:26:41Z"))
    #expect(try monitor.output.next("a blank line") == "")
    try feed.hear(minor: 3, at: 100)
    #expect(try monitor.output.next("an event").contains("  exit   hall "))
    monitor.signal(SIGINT)
    #expect(try monitor.exitStatus() == 0)
    daemon.signal(SIGTERM)
  }

  @Test func `Ctrl-Z restores the cursor and stops, and the continued program repaints its screen`() throws {
    let scene = try SessionScene()
    let range = try TerminalProgram(["range", RangeCommandTests.uuid, "--bus", scene.stage.bus.address], columns: 80)
    try scene.feed.hear(minor: 7, at: 1.5)
    try scene.feed.hear(minor: 7, at: 2.5)
    try range.waitForText("minor  proximity")
    range.signal(SIGTSTP)
    try wait(for: "the stopped program") { range.state == "T" }
    try range.waitForText("\u{1B}[?25h")
    #expect(!range.text.hasSuffix("\u{1B}[?25l"))
    range.forget()
    range.signal(SIGCONT)
    try range.waitForText("minor  proximity")
    #expect(range.text.contains("\u{1B}[?25l\u{1B}[H"))
    range.signal(SIGINT)
    try range.waitForText("\u{1B}[?25h")
    #expect(try range.exitStatus() == 0)
    scene.daemon.signal(SIGTERM)
  }
}

/// The command line with its output on a terminal, in a time zone five and a half hours ahead of UTC.
final class TerminalProgram {
  private let terminal: PseudoTerminal
  private let program: Child
  /// The output so far.
  private(set) var text = ""

  init(_ arguments: [String], columns: UInt16) throws {
    terminal = try PseudoTerminal()
    terminal.resize(columns: columns)
    let other = open(terminal.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    let file = FileHandle(fileDescriptor: other, closeOnDealloc: true)
    program = try Child(
      Programs.commandLine, arguments,
      environment: ["TZ": "Asia/Kolkata", "TERM": "xterm", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"], output: .file(file), errors: .file(file))
  }

  func signal(_ number: Int32) { program.signal(number) }

  /// The state letter of proc(5).
  var state: Character? {
    do {
      let status = try String(contentsOfFile: "/proc/\(program.pid)/stat", encoding: .utf8)
      return status.split(separator: " ").dropFirst(2).first?.first
    } catch {
      return nil
    }
  }

  func forget() { text = "" }

  func waitForText(_ part: String) throws {
    try wait(for: "\(part.debugDescription) on the terminal") {
      text += terminal.read(within: 50) ?? ""
      return text.contains(part)
    }
  }

  /// Returns whether the output has a part so far, waiting a little for more.
  func shows(_ part: String) -> Bool {
    text += terminal.read(within: 100) ?? ""
    return text.contains(part)
  }

  func exitStatus() throws -> Int32 {
    try wait(for: "the program's end") { !program.isRunning }
    return program.wait()
  }

  /// Returns the lines of a program that ends by itself.
  func all() throws -> [String] {
    try wait(for: "the program's end") {
      text += terminal.read(within: 20) ?? ""
      return !program.isRunning
    }
    while let more = terminal.read(within: 0) { text += more }
    #expect(program.wait() == 0, "\(text)")
    return text.replacing("\r\n", with: "\n").split(separator: "\n").map(String.init)
  }
}

extension String {
  /// The width of the texts in these tests: their Chinese characters take two columns.
  fileprivate var terminalColumns: Int { unicodeScalars.reduce(0) { $0 + ($1.value >= 0x4E00 && $1.value <= 0x9FFF ? 2 : 1) } }
}
