import Foundation
import TestSupport
import Testing

/// Regions that ordinary users register, on a private system bus with the shipped policy.
@Suite(.enabled(if: geteuid() == 0, "requires root to run as another user")) struct RegistrationTests {
  private static let desk: JSON = ["identifier": "desk", "uuid": .text(CaptureOctets.uuid), "major": 1, "minor": 2]
  private static let claim: JSON = ["purpose": "Greets you at the desk", "appId": "org.example.Guide"]

  private func register(_ client: BusClient, _ region: JSON = desk) throws -> (session: String, reply: BusClient.Reply) {
    let session = try client.openSession(Self.claim)
    return (session, try client.call(BusClient.session, "RegisterRegion", at: session, signature: "a{sv}", region))
  }

  private func follow(_ client: BusClient) throws -> (session: String, journals: [JSON]) {
    let session = try client.openSession()
    guard case .values(let values) = try client.call(BusClient.session, "FollowRegisteredRegions", at: session) else {
      throw TimeoutError("the session does not follow")
    }
    return (session, values.first?.list ?? [])
  }

  private func events(_ client: BusClient, _ session: String, _ journal: JSON) throws -> BusClient.Reply {
    try client.call(BusClient.session, "RegisteredEventsSince", at: session, signature: "stu", journal, 0, 100)
  }

  @Test func `consent for use is not enough for a registration, and the error states the remedy`() throws {
    let scene = try ConsentScene()
    try scene.decide("grant", "65534")
    #expect(
      try register(scene.client).reply
        == ConsentScene.refusal(
          "permitted only while in use for this user; an administrator can permit more with `beaconmon privacy grant USER --always`"))
    try scene.decide("grant", "65534", "--always")
    #expect(try register(scene.client).reply == .values([]))
    scene.daemon.signal(SIGTERM)
  }

  @Test func `only the user of a registered region receives its events, and insiders see that it exists`() throws {
    let scene = try ConsentScene(rules: "[[privacy.rule]]\nallow = \"always\"\n")
    let other = try BusClient(scene.stage.bus, as: 1, matching: "type='signal'")
    #expect(try register(scene.client).reply == .values([]))
    let (session, journals) = try follow(scene.client)
    let (others, none) = try follow(other)
    #expect(journals.count == 1 && none.isEmpty)
    #expect(try follow(scene.insider).journals.isEmpty)
    try scene.feed.hear(minor: 2, at: 5)
    let event = try scene.client.next("the event") { $0.name == "RegisteredEvent" }
    #expect(Array(event.arguments.prefix(4)) == [1, "enter", "org.example.Guide", "desk"] && event.destination == scene.client.name)
    _ = try scene.insider.next("the hall") { $0.name == "RegionEvent" }
    let journal = try #require(journals.first)
    #expect(event.arguments[4]["journal"] == journal)
    guard case .values(let known) = try events(scene.client, session, journal) else { throw TimeoutError("its own journal") }
    #expect(known.first?.list?.map { $0["region"] } == ["desk"])
    guard case .error(let name, _) = try events(other, others, journal) else { throw TimeoutError("another's journal") }
    #expect(name == "\(BusClient.busName).Error.JournalChanged")
    // An insider that receives every event of the config does not see it either.
    let all = try scene.insider.call(
      BusClient.manager, "EventsSince", signature: "stu", try #require(try scene.insider.property("Journal", "Manager")), 0, 100)
    guard case .values(let config) = all else { throw TimeoutError("\(all)") }
    #expect(config.first?.list?.map { $0["region"] } == ["hall"])
    guard case .error = try scene.insider.call(BusClient.manager, "EventsSince", signature: "stu", journal, 0, 100) else {
      throw TimeoutError("the journal of a user")
    }
    for client in [other, scene.insider] {
      try client.ping()
      #expect(!client.signals.contains { $0.name == "RegisteredEvent" })
    }
    #expect(try other.property("RegisteredRegions", "Session", at: other.openSession(Self.claim)) == [])
    for method in ["Registrations", "Uses"] {
      guard case .error = try other.call("\(BusClient.busName).Privacy", method) else { throw TimeoutError("\(method) succeeded") }
    }
    guard
      case .error(let denied, _) = try other.call(
        "\(BusClient.busName).Privacy", "RemoveRegistrations", signature: "us", 65_534, "org.example.Guide")
    else { throw TimeoutError("another's regions") }
    #expect(denied == "org.freedesktop.DBus.Error.AccessDenied")
    let shown = try JSON(parsing: CommandLine(["privacy", "--json", "--bus", scene.stage.bus.address]).output[0])["registrations"]
    #expect(shown?.list?.count == 1 && shown?[0]?["identifier"] == "desk" && shown?[0]?["appId"] == "org.example.Guide")
    #expect(shown?[0]?["purpose"] == "Greets you at the desk" && shown?[0]?["idle"] == false && shown?[0]?["state"] == nil)
    #expect(try scene.insider.property("Registrations", "Manager") == ["regions": 1, "apps": 1, "idle": 0])
    scene.daemon.signal(SIGTERM)
  }

  @Test(arguments: [["revoke", "65534"], ["reset", "65534"], ["off"]])
  func `a registration without consent is idle at once, and continues with consent`(words: [String]) throws {
    let scene = try ConsentScene()
    try scene.decide("grant", "65534", "--always")
    let session = try register(scene.client).session
    _ = try follow(scene.client)
    try scene.feed.hear(minor: 2, at: 5)
    _ = try scene.client.next("the enter") { $0.name == "RegisteredEvent" }
    #expect(try CommandLine(["privacy"] + words + ["--bus", scene.stage.bus.address]).status == 0)
    _ = try scene.client.next("the end") { $0.name == "AuthorizationChanged" }
    #expect(try scene.insider.property("Registrations", "Manager")?["idle"] == 1)
    #expect(try scene.client.property("RegisteredRegions", "Session", at: session) == ["desk"])
    guard case .values(let state) = try scene.client.call(BusClient.session, "RequestState", at: session, signature: "s", "desk") else {
      throw TimeoutError("no state")
    }
    #expect(state.first?["state"] == "unknown" && state.first?["note"]?.text?.hasPrefix("idle: ") == true)
    // The visitor is away for a minute and returns, without an event.
    try scene.feed.hear(minor: 1, at: 65)
    try scene.feed.hear(minor: 2, at: 70)
    _ = try scene.insider.next("the hall") { $0.name == "RegionEvent" && $0.arguments[1] == "enter" && $0.arguments[0] == 3 }
    if words == ["off"] { try scene.decide("on") } else { try scene.decide("grant", "65534", "--always") }
    try scene.feed.hear(minor: 2, at: 75)
    try scene.feed.hear(minor: 1, at: 130)
    let next = try scene.client.next("the exit") { $0.name == "RegisteredEvent" && $0.arguments[1] != "state" }
    #expect(next.arguments[1] == "exit")
    let told = scene.client.signals.filter { $0.name == "RegisteredEvent" }
    #expect(told.compactMap { $0.arguments[0].number } == (1...told.count).map(Double.init))
    #expect(!told.contains { ($0.arguments[4]["time"]?.number ?? 0) == 1_600_000_065_000_000 })
    scene.daemon.signal(SIGTERM)
  }

  @Test func `an administrator and the user can remove the registrations of an app`() throws {
    let scene = try ConsentScene(rules: "[[privacy.rule]]\nallow = \"always\"\n")
    let session = try register(scene.client).session
    try scene.decide("forget", "65534", "org.example.Guide")
    #expect(try scene.client.property("RegisteredRegions", "Session", at: session) == [])
    let again = try CommandLine(["privacy", "forget", "65534", "org.example.Guide", "--bus", scene.stage.bus.address])
    #expect(again.status == 65)
    #expect(
      again.errors
        == ["beaconmon: no app \"org.example.Guide\" of this user has registered a region; \"beaconmon privacy\" lists those that have"])
    _ = try register(scene.client)
    #expect(
      try scene.client.call("\(BusClient.busName).Privacy", "RemoveRegistrations", signature: "us", 65_534, "org.example.Guide")
        == .values([]))
    #expect(try scene.insider.property("Registrations", "Manager") == ["regions": 0, "apps": 0, "idle": 0])
    scene.daemon.signal(SIGTERM)
  }

  @Test func `the notifier of an ordinary user wakes that user's app without a config`() throws {
    let scene = try ConsentScene(rules: "[[privacy.rule]]\nallow = \"always\"\n")
    let services = try TemporaryDirectory()
    let desktop = try PrivateBus(services: services.path)
    let record = services.file("woken")
    try Data(
      "[D-BUS Service]\nName=org.example.Guide\nExec=/usr/bin/python3 \(Programs.peer("waking_app.py")) org.example.Guide \(record)\n".utf8
    )
    .write(to: URL(fileURLWithPath: services.file("org.example.Guide.service")))
    _ = try RunningProgram.result(
      "/usr/bin/busctl",
      ["--address=\(desktop.address)", "call", "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ReloadConfig"])
    // The notifier starts before any registration.
    let notifier = try ConsentScene.run(
      Programs.notifier, as: ConsentScene.stranger, scene.stage.bus,
      [
        "--bus", scene.stage.bus.address, "--config", "/nowhere/beaconmon.toml", "--state", "\(scene.stage.folder.path)/state", "--apps",
        "--desktop-bus", desktop.address,
      ])
    _ = try notifier.log.next("the start of the notifier") { $0.contains("waiting for events of registered regions") }
    #expect(try register(scene.client).reply == .values([]))
    try scene.feed.hear(minor: 2, at: 5)
    try wait(for: "the app's output") {
      try FileManager.default.fileExists(atPath: record) && String(contentsOfFile: record, encoding: .utf8).contains("region-event")
    }
    #expect(!notifier.log.lines.contains { $0.contains("warning") || $0.contains("error") })
    notifier.signal(SIGTERM)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a daemon with the rights of its unit detects a client that stops reading`() throws {
    let scene = try ConsentScene(rules: "[[privacy.rule]]\nallow = \"always\"\n", service: ("mail", 8))
    try dropSlowClient(of: scene)
    #expect(!scene.daemon.log.lines.contains { $0.contains("does not permit liveness checks") })
  }

  @Test func `a bus that refuses pings is detected, and no client loses its session`() throws {
    let rule = "<allow send_type=\"method_call\" send_interface=\"org.freedesktop.DBus.Peer\" send_member=\"Ping\"/>"
    let scene = try ConsentScene(rules: "[[privacy.rule]]\nallow = \"always\"\n", service: ("mail", 8), without: rule)
    let session = try scene.client.openSession()
    _ = try scene.client.monitor(["identifier": "hall", "uuid": .text(CaptureOctets.uuid)], on: session)
    for step in 1...80 {
      try scene.feed.hear(minor: 1, at: Double(step) * 40)
      _ = try scene.client.next("enter \(step)") { $0.name == "RegionEvent" && $0.arguments[1] == "enter" }
    }
    _ = try scene.daemon.log.next("the warning") { $0.contains("the bus does not permit liveness checks of clients") }
    scene.daemon.signal(SIGTERM)
  }

  private func dropSlowClient(of scene: ConsentScene) throws {
    let session = try scene.client.openSession()
    _ = try scene.client.monitor(["identifier": "hall", "uuid": .text(CaptureOctets.uuid)], on: session)
    scene.client.freeze()
    // Each sighting after another forty seconds causes an exit and an enter.
    for step in 1...300 { try scene.feed.hear(minor: 1, at: Double(step) * 40) }
    _ = try scene.daemon.log.next("the drop") { $0.contains("its 1 sessions were closed: the client left 512 events unread") }
    scene.client.thaw()
    _ = try scene.client.next("the end") { $0.name == "Stopped" }
    scene.daemon.signal(SIGTERM)
  }
}
