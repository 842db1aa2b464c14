import Foundation
import TestSupport
import Testing

/// The app or page of a venue on a real session bus, with a daemon, a notifier and a notification service.
@Suite struct OfferTests {
  private static func venue(_ offer: String, more: String = "") -> String {
    """
    format = 1
    name = "Gallery"
    uuid = "\(CaptureOctets.uuid)"
    \(more)
    [[beacon]]
    major = 1
    minor = 1
    position = [2, 3]
    [[beacon]]
    major = 1
    minor = 2
    position = [8, 3]
    [nearby]
    title = { en = "Welcome", de = "Willkommen" }
    text = "Tom & 1 < 2"
    \(offer)

    """
  }

  @Test func `an app of the bus is offered on entry, in the user's language, and activated by the answer`() throws {
    let scene = try OfferScene(Self.venue("bus-name = \"org.example.Guide\""))
    try scene.waitUntilRegistered()
    try scene.enter()
    let offer = try scene.shown()
    #expect(offer["title"] == "Willkommen" && offer["body"] == "Tom &amp; 1 &lt; 2" && offer["actions"] == 6)
    #expect(try scene.shown() == ["activated": ["activation-token": "token", "desktop-startup-id": "token"]])
    scene.daemon.signal(SIGTERM)
  }

  @Test func `the offer of a venue without beacons comes when fixes put the device inside, and no other program asks for them`() throws {
    let garden = """
      format = 1
      name = "Garden"
      [frame]
      latitude = 48.0
      longitude = 11.0
      [[level]]
      id = "ground"
      walkable = [[[0, 0], [60, 0], [60, 40], [0, 40]]]
      [nearby]
      title = "Welcome"
      bus-name = "org.example.Guide"

      """
    let scene = try OfferScene(garden, location: "[location.fixed]\nlatitude = 48.0001\nlongitude = 11.0003\naccuracy = 5.0\n")
    try scene.waitUntilRegistered()
    // The clock of the feed stands still after its end, and an entry takes two seconds of it after the fix.
    try wait(for: "the fix") { try scene.client.property("LocationSources", "Manager")?.list?.first?["state"] == "fixing" }
    try scene.leave(for: 30)
    #expect(try scene.shown()["title"] == "Welcome")
    #expect(try scene.shown()["activated"] != nil)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `an action of the app gets the venue`() throws {
    let scene = try OfferScene(Self.venue("bus-name = \"org.example.Guide\"\naction = \"open-venue\""))
    try scene.waitUntilRegistered()
    try scene.enter()
    _ = try scene.shown()
    #expect(try scene.shown() == ["action": "open-venue", "parameters": ["gallery"]])
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a desktop file is launched without a shell`() throws {
    let scene = try OfferScene(
      Self.venue("app = \"org.example.Other.desktop\""),
      files: [
        "data/applications/org.example.Other.desktop": "[Desktop Entry]\nType=Application\nName=Other\nExec=/bin/true\n",
        "bin/gio": "#!/bin/sh\necho \"$@\" > FOLDER/launched.new; mv FOLDER/launched.new FOLDER/launched\n",
      ])
    try scene.waitUntilRegistered()
    try scene.enter()
    _ = try scene.shown()
    let record = scene.stage.folder.file("launched")
    try wait(for: "the launch") { FileManager.default.fileExists(atPath: record) }
    let path = scene.stage.folder.file("data/applications/org.example.Other.desktop")
    #expect(try String(contentsOfFile: record, encoding: .utf8) == "launch \(path)\n")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a page is opened where no portal exists`() throws {
    let scene = try OfferScene(
      Self.venue("url = \"https://example.org/?a=1&b=2\""),
      files: ["bin/xdg-open": "#!/bin/sh\necho \"$@\" > FOLDER/opened.new; mv FOLDER/opened.new FOLDER/opened\n"])
    try scene.waitUntilRegistered()
    try scene.enter()
    _ = try scene.shown()
    let record = scene.stage.folder.file("opened")
    try wait(for: "the page") { FileManager.default.fileExists(atPath: record) }
    #expect(try String(contentsOfFile: record, encoding: .utf8) == "https://example.org/?a=1&b=2\n")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a visit is offered once, even if the notifier is killed during it, and the next visit after half an hour again`() throws {
    let scene = try OfferScene(Self.venue("bus-name = \"org.example.Guide\""), key: nil)
    try scene.waitUntilRegistered()
    try scene.enter()
    #expect(try scene.shown()["title"] == "Willkommen")
    try scene.restartNotifier()
    try scene.leave(for: 300)
    try scene.enter()
    try scene.leave(for: 2400)
    try scene.enter()
    // The second entry is of the same visit; the exit of a notifier that has shown nothing withdraws nothing.
    #expect(try scene.shown()["title"] == "Willkommen")
    try scene.leave(for: 100)
    #expect(try scene.shown() == ["closed": 2])
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a daemon that has lost the regions of venues gets them again when it starts`() throws {
    let scene = try OfferScene(Self.venue("bus-name = \"org.example.Guide\""))
    try scene.waitUntilRegistered()
    try scene.replaceDaemon()
    try scene.waitUntilRegistered()
    scene.daemon.signal(SIGTERM)
  }

  @Test func `regions without consent are registered when it is given, without a restart`() throws {
    let scene = try OfferScene(Self.venue("bus-name = \"org.example.Guide\""), grant: [])
    _ = try scene.notifier.log.next("the refusal") { $0.contains("entering the venue \"gallery\" is not reported") }
    try scene.waitUntilRegistered(0)
    try scene.grant("--always")
    try scene.waitUntilRegistered()
    scene.daemon.signal(SIGTERM)
  }

  @Test func `an offer is withdrawn when the consent is revoked during the visit`() throws {
    let scene = try OfferScene(Self.venue("bus-name = \"org.example.Guide\""), key: nil)
    try scene.waitUntilRegistered()
    try scene.enter()
    _ = try scene.shown()
    _ = try RunningProgram.result(Programs.commandLine, ["privacy", "revoke", "root", "--bus", scene.stage.bus.address])
    #expect(try scene.shown() == ["closed": 1])
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a new notification service gives old numbers to other notifications, whose answers launch nothing`() throws {
    let scene = try OfferScene(Self.venue("bus-name = \"org.example.Guide\""), key: nil)
    try scene.waitUntilRegistered()
    try scene.enter()
    _ = try scene.shown()
    try scene.replaceDesktop(key: "open")
    let service = "org.freedesktop.Notifications"
    let stranger = try BusClient(scene.bus)
    let reply = try stranger.call(
      service, "Notify", at: "/org/freedesktop/Notifications", signature: "susssasa{sv}i",
      arguments: ["mail", 0, "", "New mail", "", ["open", "Open"], [:], -1], destination: service)
    #expect(reply == .values([1]))
    #expect(try scene.shown()["title"] == "New mail")
    try scene.leave(for: 2400)
    try scene.enter()
    #expect(try scene.shown()["title"] == "Willkommen")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a command that cannot store a decision fails with the path and a remedy`() throws {
    let folder = try TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: folder.file("nearby.lock"), withIntermediateDirectories: true)
    let program = try RunningProgram(Programs.commandLine, ["venue", "mute", "gallery", "--state", folder.path])
    #expect(
      try program.log.next("the error")
        == "beaconmon: open \(folder.file("nearby.lock")): Is a directory (EISDIR); name another folder with --state")
    #expect(try program.exitStatus() == 71)
  }

  @Test func `the answer Not again mutes the venue, and a command shows its offers again`() throws {
    let scene = try OfferScene(Self.venue("bus-name = \"org.example.Guide\""), key: "mute")
    try scene.waitUntilRegistered()
    try scene.enter()
    _ = try scene.shown()
    _ = try scene.notifier.log.next("the note") { $0.contains("venue \"gallery\" is muted") }
    try scene.waitUntilRegistered(0)
    #expect(try scene.command("offers", "--bus", scene.stage.bus.address) == "gallery: muted: bus name org.example.Guide")
    #expect(try scene.command("unmute", "gallery") == "gallery: not muted")
    scene.notifier.signal(SIGHUP)
    try scene.waitUntilRegistered(1)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `an imported venue is offered when the user has allowed it`() throws {
    let scene = try OfferScene(Self.venue("bus-name = \"org.example.Guide\"", more: "imported = true"))
    #expect(try scene.command("offers", "--bus", scene.stage.bus.address) == "gallery: not allowed: bus name org.example.Guide")
    #expect(
      try scene.command("allow", "gallery", "--bus", scene.stage.bus.address) == "gallery: may offer the bus name org.example.Guide")
    scene.notifier.signal(SIGHUP)
    try scene.waitUntilRegistered(1)
    try scene.enter()
    #expect(try scene.shown()["title"] == "Willkommen")
    scene.daemon.signal(SIGTERM)
  }
}
