import Foundation
import TestSupport
import Testing

/// A window of tmux, which is a real terminal with a shell in it, and a reader of its screen.
///
/// Each window has its own server. A test waits for a text on the screen, and never for a time.
final class TmuxWindow {
  private let folder: TemporaryDirectory
  private let environment: [String: String]

  /// - Parameter environment: variables of the programs beside a UTF-8 locale and UTC.
  init(columns: Int, rows: Int, environment more: [String: String] = [:]) throws {
    folder = try TemporaryDirectory()
    environment = ["LC_ALL": "C.UTF-8", "TZ": "UTC", "TMUX": "", "SHELL": "/bin/bash"].merging(more) { $1 }
    let variables = environment.merging(["PS1": "ready> "]) { $1 }.map { "\($0)=\($1)" }.sorted()
    let shell = ["env", "-u", "TMUX"] + variables + ["bash", "--norc", "--noprofile", "-i"]
    try tmux(["new-session", "-d", "-x", "\(columns)", "-y", "\(rows)"] + shell)
    _ = try wait(for: "ready>")
  }

  deinit {
    do { try tmux(["kill-server"]) } catch { /* The server has ended. */  }
  }

  /// Types a line into the shell.
  func type(_ line: String) throws {
    try tmux(["send-keys", "-l", line])
    try press("Enter")
  }

  /// Presses keys with the names of tmux, such as `Enter`, `Down` and `C-c`.
  func press(_ keys: String...) throws { try tmux(["send-keys"] + keys) }

  func resize(columns: Int, rows: Int) throws { try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"]) }

  /// Returns the rows of the screen, without blank ones at the end.
  ///
  /// - Parameter styled: whether the texts contain the sequences of colours.
  func lines(styled: Bool = false) throws -> [String] {
    var lines = try tmux(["capture-pane", "-p"] + (styled ? ["-e"] : [])).split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// Whether the terminal shows the cursor.
  var showsCursor: Bool {
    get throws { try tmux(["display-message", "-p", "#{cursor_flag}"]) == "1" }
  }

  /// Returns the rows of the screen as soon as it has a text.
  @discardableResult
  func wait(for text: String, without other: String? = nil) throws -> [String] {
    var lines: [String] = []
    do {
      try IntegrationTests.wait(for: "\"\(text)\" on the screen") {
        lines = try self.lines()
        return lines.contains { $0.contains(text) } && !(other.map { other in lines.contains { $0.contains(other) } } ?? false)
      }
    } catch {
      Issue.record("the screen has no \"\(text)\":\n\(lines.joined(separator: "\n"))")
      throw error
    }
    return lines
  }

  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    let socket = folder.file("tmux")
    let run = try RunningProgram("/usr/bin/tmux", ["-u", "-f", "/dev/null", "-S", socket] + arguments, environment: environment)
    let output = try run.output.all()
    let status = try run.exitStatus()
    guard status == 0 else { throw TimeoutError("tmux \(arguments) ended with \(status): \(try run.log.all())") }
    return output.joined(separator: "\n")
  }
}

/// The screens that tests expect, in `Tests/Fixtures/screens`.
/// With BEACONMON_UPDATE_SCREENS in the environment, a run writes them.
enum ExpectedScreen {
  static func compare(_ lines: [String], _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let path = Programs.fixture("screens/\(name).txt")
    let text = lines.map { $0 + "\n" }.joined()
    if ProcessInfo.processInfo.environment["BEACONMON_UPDATE_SCREENS"] != nil {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text == expected, "\(name) is not as expected:\n\(text)", sourceLocation: sourceLocation)
  }
}
