import Foundation
import TestSupport
import Testing

/// The notifier's other actions, and its recovery from failures.
@Suite struct NotifierTests {
  private static let logAction = """
    [[notifier.action]]
    log = "{event} {region} at {time}, minor {minor}, {distance}"
    """

  @Test func `a log line is filled in from the event`() throws {
    let scene = try NotifierScene(Self.logAction)
    try scene.feed.hear(minor: 2, at: 0, rssi: -59)
    #expect(
      try scene.notifier.log.next() == "beaconmon-notifier: enter exhibit 2 at 2020-09-13T12:26:40.000000Z, minor 2, 2.10 m")
  }

  @Test func `a notification is shown by a desktop on another bus`() throws {
    let desktopBus = try PrivateBus()
    let desktop = try RunningProgram(Programs.python, [Programs.peer("desktop.py"), desktopBus.address])
    _ = try desktop.output.next("the desktop")
    let scene = try NotifierScene(
      """
      [[notifier.action]]
      region = "exhibit 5"
      events = ["enter"]
      notification = { title = "Welcome at {region}", body = "number {minor} <b>& more</b>" }
      """, desktop: desktopBus)
    try scene.feed.hear(minor: 5, at: 0)
    let shown = try JSON(parsing: try desktop.output.next("a notification"))
    #expect(
      shown == [
        "application": "beaconmon", "replaces": 0, "title": "Welcome at exhibit 5", "body": "number 5 &lt;b&gt;&amp; more&lt;/b&gt;",
        "actions": 0, "hints": ["category": "presence"], "timeout": -1,
      ])
  }

  @Test func `a notification without a desktop is named in the log, and other actions run`() throws {
    let desktopBus = try PrivateBus()
    let scene = try NotifierScene(
      """
      [[notifier.action]]
      notification = { title = "Welcome", body = "" }
      \(Self.logAction)
      """, desktop: desktopBus)
    try scene.feed.hear(minor: 1, at: 0)
    _ = try scene.notifier.log.next("the log line") { $0.contains("enter exhibit 1") }
    let line = try scene.notifier.log.next("the warning")
    #expect(line.hasPrefix("beaconmon-notifier: warning: notification for event 1 (enter exhibit 1): not shown: "))
    #expect(line.contains("org.freedesktop.Notifications"))
  }

  @Test func `a notification waits for the notification service`() throws {
    let desktopBus = try PrivateBus()
    let scene = try NotifierScene("[[notifier.action]]\nnotification = { title = \"{region}\" }", desktop: desktopBus)
    try scene.feed.hear(minor: 1, at: 0)
    _ = try scene.notifier.log.next("the failure") { $0.contains("not shown: ") && $0.hasSuffix("; retrying") }
    let desktop = try RunningProgram(Programs.python, [Programs.peer("desktop.py"), desktopBus.address])
    _ = try desktop.output.next("the desktop")
    #expect(try JSON(parsing: try desktop.output.next("the notification"))["title"] == "exhibit 1")
  }

  @Test func `the notifier waits for a killed daemon and receives events from the next one`() throws {
    let scene = try NotifierScene(Self.logAction)
    try scene.feed.hear(minor: 1, at: 0)
    _ = try scene.notifier.log.next("the first event") { $0.contains("enter exhibit 1") }
    let feed = try CaptureFeed(scene.stage, named: "second feed")
    try scene.replaceDaemon(feed: feed)
    _ = try scene.notifier.log.next("the daemon's end") { $0.contains("beaconmond is not running; waiting for it") }
    try scene.waitUntilListening()
    try feed.hear(minor: 2, at: 0)
    _ = try scene.notifier.log.next("the second daemon's event") { $0.contains("enter exhibit 2") }
  }

  @Test func `both programs reconnect after a restart of the bus, and the regions keep their states`() throws {
    let scene = try NotifierScene(Self.logAction)
    try scene.feed.hear(minor: 1, at: 0)
    _ = try scene.notifier.log.next("the first event") { $0.contains("enter exhibit 1") }
    try scene.stage.bus.restart()
    try scene.waitUntilListening()
    try scene.feed.hear(minor: 1, at: 1)
    try scene.feed.hear(minor: 2, at: 2)
    // The visitor of exhibit 1 stayed, so no second enter follows.
    #expect(try scene.notifier.log.next("the next event") { $0.contains(" exhibit ") }.contains("enter exhibit 2"))
    let listener = try scene.stage.listener()
    #expect(try listener.property("State", "Region", at: "\(BusClient.root)/region/exhibit_201") == "inside")
  }

  @Test func `a changed config applies after SIGHUP, and an invalid one is refused with its reason`() throws {
    let scene = try NotifierScene(Self.logAction)
    try scene.reconfigure("nonsense")
    let refusal = try scene.notifier.log.next("the refusal")
    #expect(refusal.hasPrefix("beaconmon-notifier: error: \(scene.stage.folder.path)/config.toml:"))
    #expect(try scene.notifier.log.next().hasSuffix("/config.toml: refused; keeping the previous configuration"))
    try scene.feed.hear(minor: 1, at: 0)
    _ = try scene.notifier.log.next("an event") { $0.contains("enter exhibit 1") }

    try scene.reconfigure("[[notifier.action]]\nlog = \"hello {region}\"")
    _ = try scene.notifier.log.next("the reload") { $0.contains("reloaded, 1 action") }
    try scene.feed.hear(minor: 2, at: 1)
    #expect(try scene.notifier.log.next("an event") == "beaconmon-notifier: hello exhibit 2")
  }
}
