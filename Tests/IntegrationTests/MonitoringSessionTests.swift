import Foundation
import TestSupport
import Testing

/// Regions that a session defines, as a Python client sees them.
@Suite struct MonitoringSessionTests {
  private static let desk: JSON = ["identifier": "desk", "uuid": .text(CaptureOctets.uuid), "major": 1, "minor": 2]
  private static let refusal = "\(BusClient.busName).Error.InvalidRegion"

  @Test func `the state of a monitored region follows the answer at once, and then come its changes, numbered from 1`() throws {
    let scene = try SessionScene()
    let session = try scene.client.openSession()
    let known = scene.client.signals.count
    #expect(try scene.client.monitor(Self.desk, on: session) == .values([]))
    // The bus keeps the order, so the session's signals follow the answer.
    #expect(!scene.client.signals.dropFirst(known).contains { $0.interface == BusClient.session })
    let state = try scene.client.next("the state") { $0.name == "RegionState" }
    #expect(state.destination == scene.client.name && state.path == session)
    #expect(state.arguments == ["desk", ["state": "unknown", "since": .number(1_600_000_000_000_000)]])
    #expect(state.types == ["s", ["state": "s", "since": "t"]])
    try scene.feed.hear(minor: 2, at: 5)
    try scene.feed.hear(minor: 1, at: 60)
    let events = try [scene.client.nextSessionEvent(), scene.client.nextSessionEvent()]
    #expect(events.map { Array($0.arguments.prefix(3)) } == [[1, "enter", "desk"], [2, "exit", "desk"]])
    #expect(events.map(\.destination) == [scene.client.name, scene.client.name])
    let details = try #require(events.first?.details)
    #expect(details["region"] == "desk" && details["sequence"] == 1 && details["time"] == .number(1_600_000_005_000_000))
    #expect(details["durable"] == false && details["journal"] == nil)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `events of a session's region reach only the session, and are not in the journal`() throws {
    let scene = try SessionScene()
    let stranger = try scene.stranger()
    let session = try scene.client.openSession()
    _ = try scene.client.monitor(["identifier": "hall", "uuid": .text(CaptureOctets.uuid)], on: session)
    try scene.feed.hear(minor: 1, at: 1)
    try scene.feed.hear(minor: 1, at: 60)
    let mine = try (1...3).map { _ in try scene.client.nextSessionEvent().arguments[1] }
    #expect(mine == ["enter", "exit", "enter"])
    try stranger.ping()
    let told = stranger.signals.filter { $0.name == "RegionEvent" }
    #expect(told.map(\.interface) == [BusClient.manager, BusClient.manager])
    #expect(told.map { $0.arguments[0] } == [2, 3])
    #expect(!stranger.signals.contains { $0.path == session })
    let journal = try #require(try stranger.property("Journal", "Manager"))
    let reply = try stranger.call(BusClient.manager, "EventsSince", signature: "stu", journal, 0, 100)
    guard case .values(let values) = reply else { throw TimeoutError("\(reply)") }
    #expect(values.first?.list?.map { $0["event"] } == ["enter", "exit", "enter"])
    scene.daemon.signal(SIGTERM)
  }

  @Test func `RequestState returns the reported state, and MonitoredRegions lists the regions`() throws {
    let scene = try SessionScene()
    let session = try scene.client.openSession()
    _ = try scene.client.monitor(["identifier": "all", "uuid": .text(CaptureOctets.uuid)], on: session)
    _ = try scene.client.monitor(Self.desk, on: session)
    try scene.feed.hear(minor: 7, at: 3)
    _ = try scene.client.nextSessionEvent()
    #expect(
      try scene.client.call(BusClient.session, "RequestState", at: session, signature: "s", "all")
        == .values([
          [
            "state": "inside", "since": .number(1_600_000_003_000_000), "lastSeen": .number(1_600_000_003_000_000),
            "beacon": ["uuid": .text(CaptureOctets.uuid), "major": 1, "minor": 7],
          ]
        ]))
    #expect(try scene.client.property("MonitoredRegions", "Session", at: session) == ["all", "desk"])
    // A client without the right to receive broadcasts could not receive this signal.
    #expect(!scene.client.signals.contains { $0.path == session && $0.name == "PropertiesChanged" })
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a region with the same identifier replaces the previous one without an event`() throws {
    let scene = try SessionScene()
    let session = try scene.client.openSession()
    let all: JSON = ["identifier": "all", "uuid": .text(CaptureOctets.uuid)]
    _ = try scene.client.monitor(all, on: session)
    try scene.feed.hear(minor: 1, at: 1)
    _ = try scene.client.nextSessionEvent()
    _ = try scene.client.monitor(["identifier": "all", "uuid": .text(CaptureOctets.uuid), "exitDelay": "5s"], on: session)
    let state = try scene.client.next("the state") { $0.name == "RegionState" && $0.arguments[1]["state"] == "inside" }
    #expect(state.arguments[0] == "all")
    try scene.feed.hear(minor: 1, at: 20)
    let events = try [scene.client.nextSessionEvent(), scene.client.nextSessionEvent()]
    #expect(events.map { $0.arguments[1] } == ["exit", "enter"])
    #expect(events.map { $0.arguments[0] } == [2, 3])
    #expect(events[0].details?["time"] == .number(1_600_000_006_000_000))
    #expect(try scene.client.property("MonitoredRegions", "Session", at: session) == ["all"])
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a region of the config is monitored by its identifier, with its state, delays and events`() throws {
    let scene = try SessionScene(config: Stage.hall + "exit-delay = \"5s\"\n")
    let session = try scene.client.openSession()
    #expect(try scene.client.monitor(["identifier": "hall"], on: session) == .values([]))
    let state = try scene.client.next("the state") { $0.name == "RegionState" }
    #expect(state.arguments[0] == "hall" && state.arguments[1]["state"] == "inside")
    #expect(try scene.client.property("MonitoredRegions", "Session", at: session) == ["hall"])
    try scene.feed.hear(minor: 1, at: 60)
    let mine = try [scene.client.nextSessionEvent(), scene.client.nextSessionEvent()]
    #expect(mine.map { $0.arguments[1] } == ["exit", "enter"] && mine.allSatisfy { $0.path == session })
    // The exit comes after the configured delay, with the number and the details of the config's region.
    #expect(mine[0].details?["time"] == .number(1_600_000_005_000_000))
    let all = scene.client.signals.filter { $0.name == "RegionEvent" && $0.interface == BusClient.manager }.suffix(2)
    #expect(all.map { $0.arguments[0] } == mine.map { $0.arguments[0] } && all.map(\.details) == mine.map(\.details))
    let asked = try scene.client.call(BusClient.session, "RequestState", at: session, signature: "s", "hall")
    guard case .values(let values) = asked else { throw TimeoutError("\(asked)") }
    #expect(values.first?["state"] == "inside")
    #expect(try scene.client.call(BusClient.session, "StopMonitoring", at: session, signature: "s", "hall") == .values([]))
    let count = scene.client.signals.count
    try scene.feed.hear(minor: 1, at: 120)
    _ = try scene.client.next("an enter") { $0.name == "RegionEvent" && $0.details?["time"] == .number(1_600_000_120_000_000) }
    #expect(!scene.client.signals.dropFirst(count).contains { $0.path == session })
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a removed region of the config is unknown to a session that monitors it, until it returns`() throws {
    let scene = try SessionScene()
    let session = try scene.client.openSession()
    _ = try scene.client.monitor(["identifier": "hall"], on: session)
    _ = try scene.client.next("the state") { $0.name == "RegionState" }
    _ = try scene.stage.file("config.toml", "")
    scene.daemon.signal(SIGHUP)
    let gone = try scene.client.next("its end") { $0.name == "RegionState" && $0.arguments[1]["state"] == "unknown" }
    #expect(gone.arguments[0] == "hall" && gone.arguments[1]["note"] == "this region is no longer in beaconmon.toml")
    _ = try scene.stage.file("config.toml", Stage.hall)
    scene.daemon.signal(SIGHUP)
    let back = try scene.client.next("its return") {
      $0.name == "RegionState" && $0.arguments[1]["note"] == nil && $0.path == session && $0.arguments[1]["state"] == "unknown"
    }
    #expect(back.arguments[0] == "hall")
    try scene.feed.hear(minor: 1, at: 100)
    #expect(try scene.client.nextSessionEvent().arguments[2] == "hall")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a region of the session and one of the config replace each other under one identifier`() throws {
    let scene = try SessionScene()
    let session = try scene.client.openSession()
    _ = try scene.client.monitor(["identifier": "hall", "uuid": .text(CaptureOctets.uuid), "minor": 9, "major": 1], on: session)
    _ = try scene.client.next("its own state") { $0.name == "RegionState" && $0.arguments[1]["state"] == "unknown" }
    _ = try scene.client.monitor(["identifier": "hall"], on: session)
    _ = try scene.client.next("the config's state") { $0.name == "RegionState" && $0.arguments[1]["state"] == "inside" }
    #expect(try scene.client.property("MonitoredRegions", "Session", at: session) == ["hall"])
    _ = try scene.client.monitor(["identifier": "hall", "uuid": .text(CaptureOctets.uuid), "minor": 9, "major": 1], on: session)
    try scene.feed.hear(minor: 1, at: 5)
    try scene.feed.hear(minor: 9, at: 6)
    let event = try scene.client.nextSessionEvent()
    #expect(event.arguments[1] == "enter" && event.details?["beacon"]?["minor"] == 9)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `an unknown identifier is refused, and only after consent`() throws {
    let scene = try SessionScene()
    let session = try scene.client.openSession()
    #expect(
      try scene.client.monitor(["identifier": "attic"], on: session)
        == .error(
          Self.refusal,
          message: "identifier: beaconmon.toml has no region \"attic\"; specify uuid, or latitude, longitude and radius, to define one"))
    scene.daemon.signal(SIGTERM)
  }

  @Test func `the path of a session reveals neither its number nor another session's`() throws {
    let scene = try SessionScene()
    let paths = try (0..<8).map { _ in try scene.client.openSession() }
    #expect(Set(paths).count == 8)
    #expect(paths.allSatisfy { $0.wholeMatch(of: /\/org\/beaconmon\/Monitor1\/session\/[0-9a-f]{32}/) != nil }, "\(paths)")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a region that is no longer monitored has no events, and stopping it again is an error`() throws {
    let scene = try SessionScene()
    let session = try scene.client.openSession()
    _ = try scene.client.monitor(Self.desk, on: session)
    #expect(try scene.client.call(BusClient.session, "StopMonitoring", at: session, signature: "s", "desk") == .values([]))
    try scene.feed.hear(minor: 2, at: 1)
    try scene.feed.hear(minor: 1, at: 60)
    _ = try scene.client.next("an exit") { $0.name == "RegionEvent" && $0.arguments[1] == "exit" }
    #expect(!scene.client.signals.contains { $0.name == "RegionEvent" && $0.interface == BusClient.session })
    for method in ["StopMonitoring", "RequestState"] {
      #expect(
        try scene.client.call(BusClient.session, method, at: session, signature: "s", "desk")
          == .error(
            "\(BusClient.busName).Error.NotMonitoring",
            message: "this session does not monitor \"desk\"; see MonitoredRegions"))
    }
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a new config does not affect the regions of a session`() throws {
    let scene = try SessionScene()
    let session = try scene.client.openSession()
    _ = try scene.client.monitor(["identifier": "hall", "uuid": .text(CaptureOctets.uuid)], on: session)
    try scene.feed.hear(minor: 1, at: 1)
    _ = try scene.client.nextSessionEvent()
    _ = try scene.stage.file("config.toml", "")
    scene.daemon.signal(SIGHUP)
    _ = try scene.daemon.log.next("the reload") { $0.contains("0 regions") }
    try scene.feed.hear(minor: 1, at: 60)
    #expect(try scene.client.nextSessionEvent().arguments[1] == "exit")
    scene.daemon.signal(SIGTERM)
  }

  @Test(
    arguments: [
      (["uuid": .text(CaptureOctets.uuid)], "missing key \"identifier\""),
      (["identifier": "", "uuid": .text(CaptureOctets.uuid)], "identifier: is empty; write a name for the region, such as \"entrance\""),
      (["identifier": "a", "uuid": "8ec7"], "uuid: a UUID has 36 characters (8-4-4-4-12), this has 4"),
      (
        ["identifier": "a", "uuid": .text(CaptureOctets.uuid), "minor": 1],
        "minor: requires major, because a minor is only unique within a major"
      ),
      (["identifier": "a", "uuid": .text(CaptureOctets.uuid), "within": 0], "within: 0 is not between 0.1 and 100"),
      (
        ["identifier": "a", "uuid": .text(CaptureOctets.uuid), "exit-delay": "5s"],
        "unknown key \"exit-delay\"; did you mean \"exitDelay\"?"
      ),
    ] as [(JSON, String)])
  func `an invalid region is refused with its reason, and nothing changes`(region: JSON, reason: String) throws {
    let scene = try SessionScene()
    let session = try scene.client.openSession()
    #expect(try scene.client.monitor(region, on: session) == .error(Self.refusal, message: reason))
    #expect(try scene.client.property("MonitoredRegions", "Session", at: session) == [])
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a session may have twenty regions, and a replacement does not count`() throws {
    let scene = try SessionScene()
    let session = try scene.client.openSession()
    func region(_ number: Int) -> JSON { ["identifier": .text("region \(number)"), "uuid": .text(CaptureOctets.uuid)] }
    for number in 1...20 { #expect(try scene.client.monitor(region(number), on: session) == .values([])) }
    #expect(try scene.client.monitor(region(20), on: session) == .values([]))
    #expect(
      try scene.client.monitor(region(21), on: session)
        == .error(
          "\(BusClient.busName).Error.LimitsExceeded", message: "this session already monitors 20 regions; stop one, or monitor a wider one"
        )
    )
    _ = try scene.client.call(BusClient.session, "StopMonitoring", at: session, signature: "s", "region 1")
    #expect(try scene.client.monitor(region(21), on: session) == .values([]))
    scene.daemon.signal(SIGTERM)
  }
}
