import Foundation
import TestSupport
import Testing

/// The script `systemd/report-failure`, which OnFailure= of the units starts.
///
/// A fake systemctl reports how the unit ended and records its calls.
@Suite struct FailureReportTests {
  private let folder: TemporaryDirectory
  private var calls: String { folder.file("calls") }

  init() throws {
    folder = try TemporaryDirectory()
    let systemctl = """
      #!/bin/sh
      case "$*" in
        *"show -P ExecMainCode"*) echo "$CODE" ;;
        *"show -P ExecMainStatus"*) echo "$STATUS" ;;
        *"show -P Result"*) echo "$RESULT" ;;
        *) echo "$*" >>'\(folder.file("calls"))' ;;
      esac
      """
    try folder.program("systemctl", systemctl)
  }

  /// Runs the script, and returns its log and its calls of systemctl.
  private func report(code: Int, status: Int, result: String = "exit-code", user: Bool = false) throws -> (log: String, calls: [String]) {
    try "".write(toFile: calls, atomically: true, encoding: .utf8)
    let log = try RunningProgram.result(
      "/usr/bin/env",
      [
        "PATH=\(folder.path):/usr/bin:/bin", "RUNTIME_DIRECTORY=\(folder.path)", "REPORT_FAILURE_PAUSE=0", "CODE=\(code)",
        "STATUS=\(status)", "RESULT=\(result)",
        "systemd/report-failure", "x.service",
      ] + (user ? ["--user"] : []))
    return (log, try String(contentsOfFile: calls, encoding: .utf8).split(separator: "\n").map(String.init))
  }

  @Test func `a unit that keeps failing is reported once, and is restarted each time`() throws {
    let first = try report(code: 2, status: 4)
    #expect(first.log.hasPrefix("<3>x.service failed five times in a row: signal 4 ended it; it is started again every 0 s"))
    #expect(first.log.contains("\"journalctl -u x.service -n 50\" shows why"))
    #expect(first.calls == ["reset-failed x.service", "start --no-block x.service"])
    let second = try report(code: 2, status: 4)
    #expect(second.log.isEmpty && second.calls == first.calls)
    // A failure of another day is reported again.
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: folder.file("x.service"))
    #expect(try report(code: 1, status: 66, user: true).log.contains("it ended with status 66"))
    #expect(try report(code: 1, status: 66, user: true).calls == ["--user reset-failed x.service", "--user start --no-block x.service"])
  }

  @Test(arguments: [64, 78])
  func `a unit that requires a person is reported and not restarted`(status: Int) throws {
    let (log, calls) = try report(code: 1, status: status)
    #expect(log.hasPrefix("<3>x.service failed and is not started again: it ended with status \(status); "))
    #expect(calls.isEmpty)
  }

  @Test(arguments: [
    (1, 0, "timeout", "it did not start or stop in time"), (2, 15, "timeout", "it did not start or stop in time"),
    (3, 6, "watchdog", "it hung"),
  ])
  func `a unit that hangs repeatedly is reported`(code: Int, status: Int, result: String, reason: String) throws {
    let (log, calls) = try report(code: code, status: status, result: result)
    #expect(log.hasPrefix("<3>x.service failed five times in a row: \(reason); "))
    #expect(calls == ["reset-failed x.service", "start --no-block x.service"])
  }

  private static let units = [
    "beaconmond.service", "beaconmon-notifier.service", "user/beaconmond.service", "user/beaconmon-notifier.service",
    "user/beaconmon-session-notifier.service",
  ]

  @Test(arguments: units)
  func `five failures fit into the interval of the start limit, even if each is a timeout`(unit: String) throws {
    let text = try String(contentsOfFile: "systemd/\(unit)", encoding: .utf8)
    func seconds(_ key: String) throws -> Int {
      let match = try #require(text.firstMatch(of: try Regex<(Substring, Substring, Substring)>("(?m)^\(key)=([0-9]+)(s|min)$")))
      return (Int(match.output.1) ?? 0) * (match.output.2 == "min" ? 60 : 1)
    }
    // TimeoutStartSec= of systemd-system.conf(5), and the timeout of the watchdog.
    let longest = max(90, try seconds("WatchdogSec"))
    #expect(try seconds("StartLimitIntervalSec") > 5 * (longest + (try seconds("RestartSec"))))
  }

  @Test(arguments: [(1, 0), (2, 15)])
  func `a unit that was restarted too often by hand is started and not reported`(code: Int, status: Int) throws {
    let (log, calls) = try report(code: code, status: status, result: "start-limit-hit")
    #expect(log.isEmpty && calls == ["reset-failed x.service", "start --no-block x.service"])
  }

  @Test func `each unit that restarts names the unit that reports`() throws {
    for unit in Self.units {
      let lines = try String(contentsOfFile: "systemd/\(unit)", encoding: .utf8).split(separator: "\n")
      for line in ["OnFailure=beaconmon-failure@%N.service", "StartLimitBurst=5", "RestartPreventExitStatus=64 78"] {
        #expect(lines.contains { $0 == line }, "\(unit): \(line)")
      }
    }
  }
}
