import Foundation
import TestSupport
import Testing

/// Circles that a session monitors, with a receiver that the test moves.
@Suite struct CircleSessionTests {
  private static let square: JSON = ["identifier": "square", "latitude": 52.52, "longitude": 13.405, "radius": 200, "dwell": "30s"]

  @Test func `the state of a monitored circle comes at once, and its events reach only the session`() throws {
    let scene = try CircleScene("")
    let stranger = try scene.stage.listener()
    let session = try scene.client.openSession()
    #expect(try scene.client.monitor(Self.square, on: session) == .values([]))
    let state = try scene.client.next("the state") { $0.name == "RegionState" }
    #expect(state.arguments[0] == "square" && state.arguments[1]["state"] == "unknown")
    #expect(state.arguments[1]["note"] == "no location source has a fix; see [location] in the config")
    // Only the circle requests locations, with the accuracy that it needs.
    let source = try #require(try scene.client.property("LocationSources", "Manager")?.list?.first)
    #expect(source["isOn"] == true)
    #expect(
      try scene.client.property("LocationSwitches", "Manager")?.list?.map { $0["reason"] } == ["100 m are requested"])
    try scene.stand(52.53, 13.405)
    try scene.stand(52.52, 13.405)
    try scene.pass(52)
    try scene.stand(52.53, 13.405)
    try scene.pass(22)
    let events = scene.client.signals.filter { $0.name == "RegionEvent" }
    #expect(events.allSatisfy { $0.interface == BusClient.session && $0.path == session && $0.destination == scene.client.name })
    #expect(
      events.compactMap { $0.details?.inBrief } == [
        "state outside fix", "enter inside approach", "dwell inside stay", "exit outside departure",
      ])
    #expect(events.map { $0.arguments[0] } == [1, 2, 3, 4] && events.allSatisfy { $0.arguments[2] == "square" })
    #expect(events.compactMap { $0.details?["location"]?["latitude"]?.number } == [52.53, 52.52, 52.52, 52.53])
    #expect(try scene.journal() == [])
    let reply = try scene.client.call(BusClient.session, "RequestState", at: session, signature: "s", "square")
    guard case .values(let values) = reply, let now = values.first else { throw TimeoutError("\(reply)") }
    #expect(now["state"] == "outside" && now["location"]?["latitude"] == 52.53 && (now["boundaryDistance"]?.number ?? 0) > 900)
    try stranger.ping()
    #expect(stranger.signals.isEmpty)
    #expect(try scene.client.call(BusClient.session, "StopMonitoring", at: session, signature: "s", "square") == .values([]))
    #expect(try scene.client.property("LocationSources", "Manager")?.list?.first?["isOn"] == false)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `the answer to StartMonitoring comes before the event of a known fix`() throws {
    let scene = try CircleScene("")
    let session = try scene.client.openSession()
    _ = try scene.client.updateLocation(on: session)
    try scene.stand(52.53, 13.405)
    #expect(try scene.client.monitor(Self.square, on: session) == .values([]))
    _ = try scene.client.next("the event") { $0.name == "RegionEvent" }
    let told = scene.client.signals.filter { $0.name.hasPrefix("Region") }
    #expect(told.map(\.name) == ["RegionState", "RegionEvent"])
    #expect(told.first?.arguments[1]["state"] == "unknown" && told.last?.details?.inBrief == "state outside fix")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a circle that is monitored long after the last fix starts then, and is entered 20 seconds later`() throws {
    let scene = try CircleScene(CircleScene.circle("far", 53, 13.405, radius: 200))
    try scene.stand(52.52, 13.405)
    try scene.pass(100)
    let session = try scene.client.openSession()
    let before = scene.traveller.now
    _ = try scene.client.monitor(Self.square, on: session)
    let after = scene.traveller.now
    try scene.pass(8)
    let reply = try scene.client.call(BusClient.session, "RequestState", at: session, signature: "s", "square")
    guard case .values(let values) = reply, let now = values.first else { throw TimeoutError("\(reply)") }
    #expect(now["state"] == "unknown" && now["note"] == "the device is inside; the enter follows after 20s")
    try scene.pass(13)
    let events = scene.client.signals.filter { $0.interface == BusClient.session && $0.name == "RegionEvent" }.compactMap(\.details)
    #expect(events.map(\.inBrief) == ["enter inside approach"])
    let (time, fixTime) = (events.first?["time"]?.number ?? 0, events.first?["reason"]?["fixTime"]?.number ?? 0)
    #expect(time > before + 19e6 && time < after + 21e6 && fixTime < before - 100e6)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a circle that replaces one of the same identifier restarts, and enters and exits still alternate`() throws {
    let scene = try CircleScene("")
    let session = try scene.client.openSession()
    _ = try scene.client.monitor(Self.square, on: session)
    try scene.stand(52.52, 13.405)
    try scene.pass(22)
    let moved: JSON = ["identifier": "square", "latitude": 52.53, "longitude": 13.405, "radius": 200]
    #expect(try scene.client.monitor(moved, on: session) == .values([]))
    try scene.stand(52.52, 13.405)
    try scene.pass(22)
    try scene.stand(52.53, 13.405)
    try scene.pass(22)
    let kinds = scene.client.signals.compactMap(\.details).map(\.inBrief)
    #expect(kinds == ["enter inside approach", "exit outside departure", "enter inside approach"])
    scene.daemon.signal(SIGTERM)
  }
}
