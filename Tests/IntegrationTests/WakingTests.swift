import Foundation
import TestSupport
import Testing

/// Apps that a real session bus wakes at registered regions.
@Suite struct WakingTests {
  @Test func `an app that does not run is started for an event, under its name at the registration`() throws {
    let scene = try WakingScene()
    try scene.register()
    try scene.feed.hear(minor: 2, at: 5)
    let lines = try scene.wakings(1)
    #expect(lines.count == 2 && lines.first?["started"] != nil)
    let waking = try #require(lines.last)
    #expect(waking["action"] == "region-event" && waking["path"] == "/org/example/My_Guide" && waking["platform"] == [:])
    let details = try #require(waking["details"]?[0])
    #expect(waking["details"]?.list?.count == 1)
    #expect(details["region"] == "desk" && details["event"] == "enter" && details["appId"] == .text(WakingScene.app))
    #expect(details["sequence"] == 1 && details["durable"] == true && details["journal"]?.text?.count == 36)
    #expect(details["time"] == .number(1_600_000_005_000_000) && details["reason"]?["cause"] == "sighting")
    try scene.feed.hear(minor: 1, at: 60)
    #expect(try scene.told(2) == ["1 enter desk", "2 exit desk"])
    scene.daemon.signal(SIGTERM)
  }

  @Test(arguments: [nil, SIGKILL]) func `an app is woken at a circle that it registered, with the deciding fix`(crash: Int32?)
    throws
  {
    let receiver = Receiver()
    let scene = try WakingScene(tables: receiver.config)
    try scene.register(["identifier": "shop", "latitude": 52.52, "longitude": 13.405, "radius": 200])
    var second = 0.0
    func pass(_ seconds: Double) throws {
      second += seconds
      try scene.feed.hear(minor: 99, at: second)
      try scene.feed.waitUntilRead(by: scene.client)
    }
    try pass(1)
    try receiver.say(52.53, 13.405, until: scene.client)
    try pass(1)
    try receiver.say(52.52, 13.405, until: scene.client)
    try pass(22)
    #expect(try scene.told(2) == ["1 state shop", "2 enter shop"])
    if let crash {
      try scene.replaceDaemon(crash)
      try pass(1)
      try receiver.say(52.52, 13.405, until: scene.client)
    }
    try pass(1)
    try receiver.say(52.53, 13.405, until: scene.client)
    try pass(22)
    let expected = crash == nil ? ["3 exit shop"] : ["3 state shop", "4 exit shop"]
    #expect(try scene.told(2 + expected.count).dropFirst(2) == expected[...])
    let details = try scene.wakings(2 + expected.count).compactMap { $0["details"]?[0] }
    #expect(details.compactMap { $0["kind"] } == details.map { _ in "circle" })
    #expect(details.first { $0["event"] == "enter" }?["location"]?["latitude"] == 52.52)
    #expect(details.last?["location"]?["latitude"] == 52.53 && details.last?["reason"]?["cause"] == "departure")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `events from an absence of the notifier arrive afterwards, once each`() throws {
    let scene = try WakingScene()
    try scene.register()
    try scene.feed.hear(minor: 2, at: 5)
    _ = try scene.wakings(1)
    try scene.killNotifier()
    try scene.feed.hear(minor: 2, at: 60)
    try scene.feed.hear(minor: 2, at: 120)
    try wait(for: "that all is heard") { scene.feed.unread == 0 }
    try scene.startNotifier()
    try scene.feed.hear(minor: 1, at: 200)
    let expected = ["1 enter desk", "2 exit desk", "3 enter desk", "4 exit desk", "5 enter desk", "6 exit desk"]
    // The notifier was killed before it stored the delivery of the first event, so it repeats it under the same number.
    var told: [String] = []
    try wait(for: "the last") {
      told = try scene.told(6)
      return told.last == expected.last
    }
    #expect(told == expected || told == [expected[0]] + expected)
    scene.daemon.signal(SIGTERM)
  }

  @Test(arguments: [SIGTERM, SIGKILL])
  func `a visitor who stayed does not enter again after a restart of the daemon`(signal: Int32) throws {
    let scene = try WakingScene()
    try scene.register()
    try scene.feed.hear(minor: 2, at: 5)
    _ = try scene.wakings(1)
    try scene.replaceDaemon(signal)
    try scene.feed.hear(minor: 2, at: 20)
    try scene.feed.hear(minor: 2, at: 40)
    try scene.feed.hear(minor: 1, at: 200)
    #expect(try scene.told(2) == ["1 enter desk", "2 exit desk"] || scene.told(3) == ["1 enter desk", "2 state desk", "3 exit desk"])
    #expect(try scene.client.property("Registrations", "Manager") == ["regions": 1, "apps": 1, "idle": 0])
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a region with the same identifier is replaced without an event, and an unregistered one has no more events`() throws {
    let scene = try WakingScene()
    try scene.register()
    try scene.feed.hear(minor: 2, at: 5)
    _ = try scene.wakings(1)
    try scene.register(["identifier": "desk", "uuid": .text(CaptureOctets.uuid), "major": 1, "minor": 2, "exitDelay": "5s"])
    let states = scene.client.signals.filter { $0.name == "RegionState" }.map(\.arguments)
    #expect(states.map { $0[0] } == ["desk", "desk"] && states.map { $0[1]["state"] } == ["unknown", "inside"])
    try scene.register(["identifier": "door", "uuid": .text(CaptureOctets.uuid), "major": 1, "minor": 3])
    let session = try scene.client.openSession(["purpose": "a test", "appId": .text(WakingScene.app)])
    #expect(try scene.client.property("RegisteredRegions", "Session", at: session) == ["desk", "door"])
    let journals = try FileManager.default.contentsOfDirectory(atPath: scene.stage.folder.path).filter { $0.hasPrefix("registered-") }
    #expect(journals.contains("registered-\(geteuid()).db"))
    for name in ["desk", "door"] {
      #expect(try scene.client.call(BusClient.session, "UnregisterRegion", at: session, signature: "s", .text(name)) == .values([]))
    }
    guard case .error(let name, _) = try scene.client.call(BusClient.session, "UnregisterRegion", at: session, signature: "s", "desk")
    else {
      throw TimeoutError("a region was removed twice")
    }
    #expect(name == "\(BusClient.busName).Error.NotRegistered")
    // The last registration takes the journal with it.
    #expect(try !FileManager.default.contentsOfDirectory(atPath: scene.stage.folder.path).contains { $0.hasPrefix("registered-") })
    try scene.feed.hear(minor: 2, at: 100)
    _ = try scene.client.next("the hall") { $0.name == "RegionEvent" && $0.arguments[1] == "exit" }
    #expect(try scene.told(1) == ["1 enter desk"])
    scene.daemon.signal(SIGTERM)
  }

  @Test func `an app that cannot be started is retried, and woken once it can`() throws {
    let scene = try WakingScene(isInstalled: false)
    try scene.register()
    try scene.feed.hear(minor: 2, at: 5)
    _ = try scene.notifier.log.next("the trouble") {
      $0.contains("org.example.My-Guide for event 1 (enter desk): not woken:") && $0.hasSuffix("retrying")
    }
    try scene.install()
    #expect(try scene.told(1) == ["1 enter desk"])
    scene.daemon.signal(SIGTERM)
  }

  @Test(arguments: [false, true]) func `an app ends with the session bus that started it`(usesGApplication: Bool) throws {
    var scene: WakingScene? = try WakingScene(isInstalled: false)
    if usesGApplication { try scene?.installGApplication() } else { try scene?.install() }
    let app = try #require(try scene?.startApp())
    #expect(app.isRunning)
    scene = nil
    try wait(for: "the end of the app") { !app.isRunning }
  }

  @Test func `an event for an app without the action becomes a dead letter`() throws {
    let scene = try WakingScene(deaf: true)
    try scene.register()
    try scene.feed.hear(minor: 2, at: 5)
    _ = try scene.notifier.log.next("the end") { $0.contains("org.example.My-Guide for event 1 (enter desk): not woken:") }
    scene.notifier.signal(SIGTERM)
    #expect(try scene.notifier.exitStatus() == 0)
    let listing = try RunningProgram.result(Programs.notifier, ["--outbox", "--state", scene.stage.folder.file("state")])
    #expect(listing.hasPrefix("application org.example.My-Guide: given up"))
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a damaged journal loses no registered region`() throws {
    let scene = try WakingScene()
    try scene.register()
    scene.daemon.signal(SIGTERM)
    _ = try scene.daemon.exitStatus()
    for name in ["journal.db", "registered-\(geteuid()).db"] {
      try Data("no database".utf8).write(to: URL(fileURLWithPath: scene.stage.folder.file(name)))
    }
    try scene.replaceDaemon(SIGTERM)
    try scene.feed.hear(minor: 2, at: 5)
    #expect(try scene.told(1) == ["1 enter desk"])
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a registration requires an app id, and an app may register twenty regions`() throws {
    let scene = try WakingScene()
    let nameless = try scene.client.openSession()
    guard
      case .error(let name, let message) = try scene.client.call(
        BusClient.session, "RegisterRegion", at: nameless, signature: "a{sv}", WakingScene.desk)
    else { throw TimeoutError("a region without an app was registered") }
    #expect(name == "\(BusClient.busName).Error.NoAppId" && message.contains("CreateSession"))
    let session = try scene.client.openSession(["purpose": "a test", "appId": .text(WakingScene.app)])
    func register(_ number: Int) throws -> BusClient.Reply {
      let region: JSON = ["identifier": .text("region \(number)"), "uuid": .text(CaptureOctets.uuid)]
      return try scene.client.call(BusClient.session, "RegisterRegion", at: session, signature: "a{sv}", region)
    }
    for number in 1...20 { #expect(try register(number) == .values([])) }
    #expect(try register(20) == .values([]))
    guard case .error(let limit, _) = try register(21) else { throw TimeoutError("a twenty-first") }
    #expect(limit == "\(BusClient.busName).Error.LimitsExceeded")
    let wrong = try scene.client.call(BusClient.session, "RegisterRegion", at: session, signature: "a{sv}", ["identifier": "a"])
    guard case .error(let invalid, _) = wrong else { throw TimeoutError("a region without beacons") }
    #expect(invalid == "\(BusClient.busName).Error.InvalidRegion")
    scene.daemon.signal(SIGTERM)
  }
}
