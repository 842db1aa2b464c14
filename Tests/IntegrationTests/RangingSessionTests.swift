import Foundation
import TestSupport
import Testing

/// Ranging sessions as a Python client sees them.
@Suite struct RangingSessionTests {
  private static let everything: JSON = ["uuid": .text(CaptureOctets.uuid)]

  @Test func `the first snapshot comes at once, and one for every second of the capture follows`() throws {
    let scene = try SessionScene()
    let session = try scene.client.openSession()
    #expect(try scene.client.range(Self.everything, on: session) == .values([]))
    let first = try scene.client.nextRanged()
    #expect(first.time == 1_600_000_000_000_000)
    #expect(first.constraint == Self.everything)
    for second in 1...3 { try scene.feed.hear(minor: 1, at: Double(second) + 0.5) }
    #expect(
      try (1...3).map { _ in try scene.client.nextRanged().time } == [1_600_000_001_000_000, 1_600_000_002_000_000, 1_600_000_003_000_000])
    scene.daemon.signal(SIGTERM)
  }

  @Test func `ranging that starts before a pipe's first record has its first snapshot a second after it`() throws {
    let stage = try Stage()
    let feed = try CaptureFeed(stage)
    let client = try BusClient(stage.bus, matching: "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged'")
    let daemon = try stage.daemon(config: try stage.file("config.toml", Stage.hall), source: feed.path)
    try client.waitForDaemon()
    let session = try client.openSession()
    #expect(try client.range(Self.everything, on: session) == .values([]))
    try feed.hear(minor: 1, at: 0)
    try feed.hear(minor: 1, at: 1.5)
    #expect(try client.nextRanged().time == 1_600_000_001_000_000)
    daemon.signal(SIGTERM)
  }

  @Test func `a snapshot lists beacons nearest first, with all their values`() throws {
    let scene = try SessionScene()
    for (minor, rssi) in [(UInt16(4), Int8(-75)), (2, -50), (3, -65)] { try scene.feed.hear(minor: minor, at: 0.2, rssi: rssi) }
    let session = try scene.client.openSession()
    _ = try scene.client.range(Self.everything, on: session)
    try scene.feed.hear(minor: 2, at: 1, rssi: -50)
    try scene.feed.hear(minor: 2, at: 1.01, rssi: -50)
    _ = try scene.client.nextRanged()
    let snapshot = try scene.client.nextRanged()
    #expect(snapshot.minors == [2, 1, 3, 4])
    let nearest = try #require(snapshot.beacons.first)
    // By path loss alone 0.35 m, which is immediate; with the prior and three samples 1.09 m.
    #expect(nearest["distance"]?.number.map { (1...1.2).contains($0) } == true)
    #expect(nearest["rssi"] == -50 && nearest["proximity"] == "immediate" && nearest["distanceMethod"] == "bayesian")
    #expect(
      Set(nearest.object?.keys ?? [:].keys) == [
        "uuid", "major", "minor", "proximity", "distance", "accuracy", "rssi", "rate", "lastSeen", "distanceMethod",
      ])
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a session that asks for the reception gets the interval and the loss of beacons, and others do not`() throws {
    let scene = try SessionScene()
    let (plain, detailed) = (try scene.client.openSession(), try scene.stranger())
    let session = try detailed.openSession()
    #expect(try detailed.call(BusClient.session, "ReportReception", at: session, signature: "b", .flag(true)) == .values([]))
    _ = try scene.client.range(Self.everything, on: plain)
    _ = try detailed.range(Self.everything, on: session)
    // Every fourth advertisement of ten a second is lost.
    for tenth in 1...40 where !tenth.isMultiple(of: 4) { try scene.feed.hear(minor: 1, at: Double(tenth) / 10) }
    try scene.feed.hear(minor: 1, at: 4.05)
    var last: BusClient.Ranged?
    repeat { last = try detailed.nextRanged() } while last?.time != 1_600_000_004_000_000
    let beacon = try #require(last?.beacons.first)
    #expect(beacon["interval"]?.number == 0.1)
    #expect(beacon["loss"]?.number.map { abs($0 - 0.25) < 0.03 } == true)
    repeat { last = try scene.client.nextRanged() } while last?.time != 1_600_000_004_000_000
    #expect(last?.beacons.first?["interval"] == nil && last?.beacons.first?["loss"] == nil)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `only the client of a session receives its snapshots`() throws {
    let scene = try SessionScene()
    let stranger = try scene.stranger()
    let session = try scene.client.openSession()
    _ = try scene.client.range(Self.everything, on: session)
    #expect(try scene.client.nextRanged().signal.destination == scene.client.name)
    try scene.feed.hear(minor: 1, at: 1.5)
    _ = try scene.client.nextRanged()
    // The daemon's answer follows all earlier messages.
    #expect(try stranger.call("org.freedesktop.DBus.Peer", "Ping") == .values([]))
    #expect(stranger.signals.filter { $0.name == "Ranged" || $0.path == session } == [])
    scene.daemon.signal(SIGTERM)
  }

  @Test(arguments: ["StartRanging", "StopRanging", "Close", "Introspect"])
  func `a session is invisible to other clients`(method: String) throws {
    let scene = try SessionScene()
    let stranger = try scene.stranger()
    let session = try scene.client.openSession()
    let reply =
      switch method {
      case "Introspect": try stranger.call("org.freedesktop.DBus.Introspectable", method, at: session)
      case "Close": try stranger.call(BusClient.session, method, at: session)
      default: try stranger.call(BusClient.session, method, at: session, signature: "a{sv}", Self.everything)
      }
    guard case .error(let name, _) = reply else { throw TimeoutError("\(reply)") }
    #expect(name == "org.freedesktop.DBus.Error.UnknownObject")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a closed session is removed and sends no more signals`() throws {
    let scene = try SessionScene()
    let session = try scene.client.openSession()
    _ = try scene.client.range(Self.everything, on: session)
    _ = try scene.client.nextRanged()
    #expect(try scene.client.call(BusClient.session, "Close", at: session) == .values([]))
    let heard = scene.client.signals.count
    try scene.feed.hear(minor: 1, at: 40)
    try scene.feed.hear(minor: 1, at: 80)
    _ = try scene.client.next("an exit") { $0.name == "RegionEvent" && $0.arguments[1] == "exit" }
    #expect(!scene.client.signals.dropFirst(heard).contains { $0.name == "Ranged" })
    guard case .error(let name, _) = try scene.client.range(Self.everything, on: session) else { throw TimeoutError("no error") }
    #expect(name == "org.freedesktop.DBus.Error.UnknownObject")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a client that leaves the bus closes its sessions`() throws {
    let scene = try SessionScene()
    var leaver: BusClient? = try scene.stranger()
    let name = try #require(leaver?.name)
    let session = try #require(try leaver?.openSession())
    _ = try leaver?.range(Self.everything, on: session)
    _ = try leaver?.nextRanged()
    // A monitor also sees messages to clients that have left.
    let monitor = try RunningProgram(
      "/usr/bin/dbus-monitor", ["--address", scene.stage.bus.address, "member='Ranged'", "member='RegionEvent'"])
    _ = try monitor.output.next("the monitor's readiness") { $0.contains("member=NameLost") }
    leaver = nil
    try wait(for: "the end of \(name)") {
      let reply = try scene.client.call(
        "org.freedesktop.DBus", "NameHasOwner", at: "/", signature: "s", .text(name), destination: "org.freedesktop.DBus")
      return reply == .values([false])
    }
    // The daemon's answer shows that it has noticed the end of the connection.
    try scene.client.ping()
    try scene.feed.hear(minor: 1, at: 5)
    try scene.feed.hear(minor: 1, at: 80)
    _ = try monitor.output.next("an exit") { $0.contains("string \"exit\"") }
    #expect(!monitor.output.lines.contains { $0.contains("member=Ranged") })
    scene.daemon.signal(SIGTERM)
  }

  @Test(
    arguments: [
      (["uuid": .text(CaptureOctets.uuid), "minr": 3], "unknown key \"minr\"; a constraint has uuid, major and minor"),
      (["uuid": "8ec76ea3-6668-48da-9866-75be8bc86f4"], "uuid: a UUID has 36 characters (8-4-4-4-12), this has 35"),
      ([:], "uuid is missing; specify a string of 8-4-4-4-12 hexadecimal digits"),
      (["uuid": .text(CaptureOctets.uuid), "minor": 3], "a minor requires a major"),
      (["uuid": .text(CaptureOctets.uuid), "major": 65_536], "major must be an integer from 0 to 65535"),
    ] as [(JSON, String)])
  func `an invalid constraint is refused with its reason`(constraint: JSON, reason: String) throws {
    let scene = try SessionScene()
    let session = try scene.client.openSession()
    #expect(
      try scene.client.range(constraint, on: session) == .error("\(BusClient.busName).Error.InvalidConstraint", message: reason))
    scene.daemon.signal(SIGTERM)
  }

  @Test(
    arguments: [
      ("StartRanging", ["uuid": 5], "uuid must be a string (s), but is of type "),
      ("StopRanging", ["uuid": .text(CaptureOctets.uuid), "major": "one"], "major must be an integer, but is of type s"),
      ("StartMonitoring", ["identifier": "a", "uuid": 5], "uuid must be a string (s), but is of type "),
      ("StartMonitoring", ["identifier": ["a"]], "identifier must be a string (s), but is of type a"),
      ("RegisterRegion", ["identifier": "a", "exitDelay": 30], "exitDelay must be a string (s), but is of type "),
      ("StartUpdatingLocation", ["significantChanges": 1], "significantChanges must be a boolean (b), but is of type "),
      ("StartUpdatingLocation", ["distanceFilter": "5m"], "distanceFilter must be a number (d, or an integer), but is of type s"),
      (
        "RequestLocation", ["desiredAccuracy": true],
        "desiredAccuracy must be a string (s) or a number (d, or an integer), but is of type b"
      ),
      ("SetManualLocation", ["latitude": "1", "longitude": 2], "latitude must be a number (d, or an integer), but is of type s"),
    ] as [(String, JSON, String)])
  func `a wrongly typed option is InvalidArgs, with its key and both types`(method: String, options: JSON, message: String) throws {
    let scene = try SessionScene()
    let session = try scene.client.openSession(["purpose": "a test", "appId": "org.example.Guide"])
    let reply = try scene.client.call(BusClient.session, method, at: session, signature: "a{sv}", options)
    guard case .error(let name, let reason) = reply else { throw TimeoutError("\(options) was accepted") }
    #expect(name == "org.freedesktop.DBus.Error.InvalidArgs" && reason.hasPrefix(message), "\(name): \(reason)")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `an unknown option is refused`() throws {
    let scene = try SessionScene()
    let reply = try scene.client.call(BusClient.manager, "CreateSession", signature: "a{sv}", ["speed": 3])
    #expect(
      reply
        == .error(
          "\(BusClient.busName).Error.InvalidOptions",
          message: "unknown option \"speed\"; CreateSession has purpose, appId, require and passive"))
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a client may have sixteen sessions, and another one after closing one`() throws {
    let scene = try SessionScene()
    let sessions = try (1...16).map { _ in try scene.client.openSession() }
    #expect(Set(sessions).count == 16)
    guard case .error(let name, _) = try scene.client.call(BusClient.manager, "CreateSession", signature: "a{sv}", ["purpose": "a test"])
    else {
      throw TimeoutError("a seventeenth session")
    }
    #expect(name == "\(BusClient.busName).Error.LimitsExceeded")
    _ = try scene.stranger().openSession()
    _ = try scene.client.call(BusClient.session, "Close", at: sessions[0])
    _ = try scene.client.openSession()
    scene.daemon.signal(SIGTERM)
  }

  @Test func `stopping a constraint that is not ranged is an error`() throws {
    let scene = try SessionScene()
    let session = try scene.client.openSession()
    guard
      case .error(let name, _) = try scene.client.call(BusClient.session, "StopRanging", at: session, signature: "a{sv}", Self.everything)
    else { throw TimeoutError("the constraint was stopped") }
    #expect(name == "\(BusClient.busName).Error.NotRanging")
    scene.daemon.signal(SIGTERM)
  }
}
