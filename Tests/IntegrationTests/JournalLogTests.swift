import Foundation
import TestSupport
import Testing

/// The log under systemd. A journal of the test's own needs a mount namespace, and so root.
@Suite struct JournalLogTests {
  private static let config = """
    [[region]]
    identifier = "exhibit 1"
    uuid = "\(CaptureOctets.uuid)"
    major = 1
    minor = 1
    [[notifier.action]]
    log = "somebody is at {region}"
    """

  /// Returns the entry of a notifier in a journal of the test's own, for an event of a daemon.
  private func entry(_ kind: String) throws -> JSON {
    let stage = try Stage()
    let feed = try CaptureFeed(stage)
    let config = try stage.file("config.toml", Self.config)
    let journal = try RunningProgram(
      "/usr/bin/unshare",
      ["--mount", Programs.python, Programs.peer("journal.py"), kind, Programs.notifier, "--bus", stage.bus.address, "--config", config])
    _ = try journal.output.next("the notifier's readiness") { $0.contains("beaconmond is not running") }
    let daemon = try stage.daemon(config: config, source: feed.path)
    _ = try journal.output.next("the daemon") { $0.contains("waiting for events") }
    try feed.hear(minor: 1, at: 0)
    let line = try journal.output.next("the event") { $0.contains("somebody") }
    daemon.signal(SIGTERM)
    return try JSON(parsing: line)
  }

  @Test(.enabled(if: getuid() == 0, "requires root for a private journal"))
  func `a line in the journal has the fields of its event`() throws {
    let entry = try entry("native")
    #expect(entry["MESSAGE"] == "somebody is at exhibit 1")
    #expect(entry["PRIORITY"] == "6")
    #expect(entry["SYSLOG_IDENTIFIER"] == "beaconmon-notifier")
    #expect(entry["REGION"] == "exhibit 1")
    #expect(entry["EVENT"] == "enter")
    #expect(entry["SEQUENCE"] == "1")
    #expect(entry["ADAPTER"] == "capture")
    #expect(entry["MESSAGE_ID"]?.text?.count == 32)
  }

  @Test(.enabled(if: getuid() == 0, "requires root for a private journal"))
  func `a log without journal fields starts each line with its priority`() throws {
    #expect(try entry("stream")["stream"] == "<6>somebody is at exhibit 1")
  }

  @Test func `a standard error other than the journal gets plain lines`() throws {
    // The variable is inherited from a unit that started its program with another standard error.
    let scene = try NotifierScene("[[notifier.action]]\nlog = \"somebody is at {region}\"", environment: ["JOURNAL_STREAM": "8:1234"])
    try scene.feed.hear(minor: 1, at: 0)
    #expect(try scene.notifier.log.next() == "beaconmon-notifier: somebody is at exhibit 1")
  }
}
