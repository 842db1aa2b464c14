import Foundation
import TestSupport
import Testing

/// Commands that the notifier runs at events of a real daemon.
@Suite struct NotifierCommandTests {
  @Test func `a command receives its arguments unchanged, and the event on standard input and in its environment`() throws {
    let strange = #"two words; $(touch FOLDER/shell) * "quoted" 'single' {region} \\ é"#
    let scene = try NotifierScene(
      """
      [[notifier.action]]
      events = ["enter"]
      command = ["\(Programs.python)", "\(Programs.peer("command.py"))", "FOLDER/calls", '''\(strange)''', "", "-x"]
      """)
    try scene.feed.hear(minor: 3, at: 0.25, rssi: -65)
    let call = try JSON(parsing: try scene.lines(of: "calls", count: 1)[0])
    #expect(
      call["arguments"] == [.text(strange.replacingOccurrences(of: "FOLDER", with: scene.stage.folder.path)), "", "-x"])
    let time = "2020-09-13T12:26:40.250000Z"
    #expect(
      try JSON(parsing: call["input"]?.text ?? "").without("journal") == [
        "sequence": 1, "event": "enter", "region": "exhibit 3", "kind": "beacon", "time": .text(time), "state": "inside",
        "beacon": ["uuid": .text(CaptureOctets.uuid), "major": 1, "minor": 3], "rssi": -65, "distance": 3.04, "accuracy": 2.46,
        "distanceMethod": "bayesian", "proximity": "near",
        "reason": ["cause": "sighting", "lastSeen": .text(time), "lastSeenAge": 0, "samples": 1, "adapter": "capture"], "durable": false,
      ])
    #expect(
      call["environment"]?.without("BEACONMON_JOURNAL") == [
        "BEACONMON_SEQUENCE": "1", "BEACONMON_EVENT": "enter", "BEACONMON_REGION": "exhibit 3", "BEACONMON_KIND": "beacon",
        "BEACONMON_TIME": .text(time), "BEACONMON_STATE": "inside", "BEACONMON_BEACON_UUID": .text(CaptureOctets.uuid),
        "BEACONMON_BEACON_MAJOR": "1", "BEACONMON_BEACON_MINOR": "3", "BEACONMON_RSSI": "-65.0", "BEACONMON_DISTANCE": "3.04",
        "BEACONMON_ACCURACY": "2.46", "BEACONMON_DISTANCE_METHOD": "bayesian", "BEACONMON_PROXIMITY": "near",
        "BEACONMON_REASON_CAUSE": "sighting",
        "BEACONMON_REASON_LAST_SEEN": .text(time), "BEACONMON_REASON_LAST_SEEN_AGE": "0.000", "BEACONMON_REASON_SAMPLES": "1",
        "BEACONMON_REASON_ADAPTER": "capture", "BEACONMON_DURABLE": "false",
      ])
    #expect(!FileManager.default.fileExists(atPath: scene.stage.folder.file("shell")))
  }

  @Test func `a command runs only for the events and regions of its action`() throws {
    let scene = try NotifierScene(
      """
      [[notifier.action]]
      region = ["exhibit 1", "exhibit 3"]
      events = ["exit"]
      command = ["/bin/sh", "-c", "echo $BEACONMON_EVENT $BEACONMON_REGION >> FOLDER/calls"]
      """)
    for minor in [UInt16(1), 2, 3] { try scene.feed.hear(minor: minor, at: Double(minor)) }
    try scene.feed.hear(minor: 9, at: 100)
    #expect(Set(try scene.lines(of: "calls", count: 2)) == ["exit exhibit 1", "exit exhibit 3"])
  }

  @Test func `a timeout ends the command and all its children`() throws {
    let scene = try NotifierScene(
      """
      [[notifier.action]]
      events = ["enter"]
      command = ["/bin/sh", "-c", "sleep 1000 & echo $! > FOLDER/child; wait"]
      timeout = "300ms"
      """)
    try scene.feed.hear(minor: 1, at: 0)
    let child = try #require(Int32(try scene.lines(of: "child", count: 1)[0]))
    let line = try scene.notifier.log.next("the timeout") { $0.contains("/bin/sh") }
    #expect(line == "beaconmon-notifier: warning: /bin/sh for event 1 (enter exhibit 1): ended after its timeout of 300ms")
    try wait(for: "the end of process \(child)") { try !isRunning(child) }
  }

  @Test func `all commands run, and no more in parallel than permitted`() throws {
    let scene = try NotifierScene(
      """
      [notifier]
      parallel-commands = 2
      [[notifier.action]]
      events = ["enter"]
      command = ["/bin/sh", "-c", "echo + >> FOLDER/runs; sleep 0.1; echo - >> FOLDER/runs"]
      """)
    for minor in UInt16(1)...8 { try scene.feed.hear(minor: minor, at: 0) }
    var running = 0
    let counts = try scene.lines(of: "runs", count: 16).map { line in
      running += line == "+" ? 1 : -1
      return running
    }
    #expect(counts.max() == 2)
    #expect(counts.last == 0)
  }

  @Test
  func `a failed command is logged with its exit code and output, a missing one with the reason, and the others run`()
    throws
  {
    let scene = try NotifierScene(
      """
      [notifier]
      parallel-commands = 1
      [[notifier.action]]
      events = ["enter"]
      command = ["/bin/sh", "-c", "echo the speaker is off >&2; exit 3"]
      [[notifier.action]]
      events = ["enter"]
      command = ["/nowhere/play"]
      [[notifier.action]]
      events = ["enter"]
      command = ["/bin/sh", "-c", "kill -KILL $$"]
      [[notifier.action]]
      events = ["enter"]
      command = ["true"]
      """)
    try scene.feed.hear(minor: 4, at: 0)
    let lines = try (1...4).map { _ in try scene.notifier.log.next("an outcome") }.map { $0.dropFirst("beaconmon-notifier: ".count) }
    #expect(
      Set(lines) == [
        "warning: /bin/sh for event 1 (enter exhibit 4): exit code 3: the speaker is off",
        "warning: /nowhere/play for event 1 (enter exhibit 4): cannot be started: posix_spawn /nowhere/play: No such file or directory (ENOENT)",
        "warning: /bin/sh for event 1 (enter exhibit 4): ended by signal 9",
        "true for event 1 (enter exhibit 4): done",
      ])
  }

  @Test func `a command that exits with 75 is retried, and one that fails otherwise is not`() throws {
    let scene = try NotifierScene(
      """
      [[notifier.action]]
      events = ["enter"]
      command = ["/bin/sh", "-c", "echo later >> FOLDER/later; test $(wc -l < FOLDER/later) -ge 2 || exit 75"]
      [[notifier.action]]
      events = ["enter"]
      command = ["/bin/sh", "-c", "echo once >> FOLDER/once; exit 1"]
      """)
    try scene.feed.hear(minor: 1, at: 0)
    #expect(try scene.lines(of: "later", count: 2) == ["later", "later"])
    #expect(try scene.lines(of: "once", count: 1) == ["once"])
  }

  @Test func `the notifier ends at once and ends its commands`() throws {
    let scene = try NotifierScene(
      """
      [[notifier.action]]
      events = ["enter"]
      command = ["/bin/sh", "-c", "echo $$ > FOLDER/pid; exec sleep 1000"]
      """)
    try scene.feed.hear(minor: 1, at: 0)
    let command = try #require(Int32(try scene.lines(of: "pid", count: 1)[0]))
    scene.notifier.signal(SIGTERM)
    #expect(try scene.notifier.exitStatus(within: 4) == 0)
    try wait(for: "the end of process \(command)") { try !isRunning(command) }
  }

  /// Whether the process runs. A zombie does not.
  private func isRunning(_ process: Int32) throws -> Bool {
    let path = "/proc/\(process)/stat"
    guard FileManager.default.fileExists(atPath: path) else { return false }
    do {
      let status = try String(contentsOfFile: path, encoding: .utf8)
      return !(status.split(separator: ")").last?.hasPrefix(" Z") ?? true)
    } catch {
      return false
    }
  }
}
