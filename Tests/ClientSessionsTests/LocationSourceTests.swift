import TestSupport
import Positioning
import ClientSessions
import Consent
import Instants
import LocationArbitration
import Locations
import Testing

/// Updates and searches of sessions while sources come and go.
@Suite struct LocationSourceTests {
  @Test func `a new source serves the sessions with consent, and no other one`() throws {
    let scene = SessionScene(hasSource: false)
    try scene.decide(.whenInUse)
    let (client, stranger) = (try scene.open(), try scene.open(1001, on: ":1.2"))
    try scene.decide(.denied, 1001)
    #expect(client.update().refusal == .noLocationSource && client.search().refusal == .noLocationSource)
    for client in [client, stranger] {
      client.session.manualLocation = try scene.manual(50)
      #expect(client.update().value != nil)
      #expect(client.drain().compactMap(\.latitude) == [50])
    }
    scene.positioning.replaceSources([scene.source])
    let capabilities = ["beaconRanging", "beaconRegions", "circularRegions", "location", "significantLocationChanges"]
    #expect(client.drain() == [.capabilitiesChanged(capabilities)] && stranger.drain() == [.capabilitiesChanged(capabilities)])
    #expect(scene.source.isOn)
    try scene.fix(10)
    #expect(client.drain().map(\.latitude) == [10] && stranger.signals.isEmpty)
    // A second change of the sources announces nothing, and the stranger still has the stated location.
    scene.positioning.replaceSources([scene.source])
    scene.service.locations.reportManual(stranger.session)
    #expect(client.signals.isEmpty && stranger.drain().map(\.latitude) == [50])
    // The source goes: the updates remain, and a new start has only the stated location.
    scene.positioning.replaceSources([])
    #expect(client.drain().contains(.capabilitiesChanged(["beaconRanging", "beaconRegions"])))
    let other = try scene.open()
    #expect(other.update().refusal == .noLocationSource)
    scene.positioning.replaceSources([scene.source])
    try scene.fix(11)
    #expect(client.drain().compactMap(\.latitude).last == 11)
  }

  @Test func `an unserved session whose consent returned is not moved to a later source`() throws {
    let scene = SessionScene()
    try scene.decide(.whenInUse)
    let client = try scene.open()
    client.update()
    try scene.decide(.denied)
    try scene.decide(.whenInUse)
    scene.positioning.replaceSources([scene.source])
    try scene.fix(10)
    #expect(!scene.source.isOn && client.signals.compactMap(\.latitude).isEmpty)
  }

  @Test func `denied sources are reported once to updates, and fail searches`() throws {
    let scene = SessionScene()
    try scene.decide(.whenInUse)
    let client = try scene.open()
    client.update()
    let call = client.search()
    scene.source.report(.denied, "no permission")
    scene.scheduler.settle()
    #expect(client.drain() == [.locationUnknown])
    #expect(call.refusal == .locationUnknown("no source has a fix: gpsd: no permission"))
    scene.source.report(.denied, "no permission")
    scene.scheduler.settle()
    #expect(client.signals.isEmpty)
    #expect(client.search().refusal == .locationUnknown("no source has a fix: gpsd: no permission"))
    // After a fix, the next denial is reported again.
    scene.source.report(.fixing)
    scene.scheduler.settle()
    try scene.fix(10)
    scene.scheduler.advance(by: .seconds(600))
    _ = client.drain()
    scene.source.report(.denied, "no permission")
    scene.scheduler.settle()
    #expect(client.drain() == [.locationUnknown])
  }

  @Test func `a session that a signal ends gets no second answer, and is not moved to a source`() throws {
    let scene = SessionScene()
    try scene.decide(.whenInUse)
    let client = try scene.open()
    client.update()
    let call = client.search()
    client.onSignal = { if $0 == .locationUnknown { client.close() } }
    scene.source.report(.denied, "no permission")
    scene.scheduler.settle()
    #expect(call.refusal == .closed)

    scene.positioning.replaceSources([])
    let (first, second) = (try scene.open(), try scene.open())
    for client in [first, second] {
      client.session.manualLocation = try scene.manual(50)
      client.update()
    }
    first.onSignal = { if $0.latitude != nil { second.close() } }
    scene.positioning.replaceSources([scene.source])
    #expect(!scene.service.isOpen(second.session))
    first.close()
    #expect(!scene.source.isOn && scene.uses == [false])
  }

  @Test func `a search without a fix ends at its timeout`() throws {
    let scene = SessionScene()
    try scene.decide(.whenInUse)
    let client = try scene.open()
    let call = client.search(timeout: .seconds(5))
    scene.scheduler.advance(by: .seconds(4))
    #expect(call.isWaiting)
    scene.scheduler.advance(by: .seconds(2))
    #expect(call.refusal == .locationUnknown("no source has a fix; see \"beaconmon status\""))
  }

  @Test func `an answer has the accuracy of its search, and updates that of the last start`() throws {
    let scene = SessionScene()
    try scene.decide(.whenInUse)
    let client = try scene.open()
    client.update(LocationRequest(accuracy: .hundredMeters), locale: "de")
    let call = client.search(within: 20)
    try scene.fix(10)
    #expect(call.value?.latitude == 10 && scene.monitoring.prepared == 1)
    _ = scene.service.locations.report(of: try scene.manual(1), for: client.session)
    #expect(scene.monitoring.reports.map(\.wanted) == [20, 100])
    #expect(scene.monitoring.reports.map(\.locale) == ["de", "de"] && scene.monitoring.reports.map(\.isHidden) == [false, true])
  }

  @Test func `stopped updates send nothing more, and are stopped once`() throws {
    let scene = SessionScene()
    try scene.decide(.whenInUse)
    let client = try scene.open()
    client.update()
    let call = client.search(within: 0.01)
    try scene.service.locations.stop(client.session)
    #expect(client.dropped == [.location] && scene.source.isOn)
    #expect(throws: SessionRefusal.notUpdatingLocation) { try scene.service.locations.stop(client.session) }
    scene.service.locations.cancelSearches(of: client.session)
    #expect(call.refusal == .searchCancelled && !scene.source.isOn)
  }

  @Test func `a session waits for four locations, and for another one after an answer`() throws {
    let scene = SessionScene()
    try scene.decide(.whenInUse)
    let (client, other) = (try scene.open(), try scene.open())
    client.update()
    let calls = (0..<4).map { _ in client.search(within: 0.01) }
    #expect(client.search().refusal?.text == "this session already waits for 4 locations; wait for an answer")
    #expect(other.search().isWaiting)
    scene.service.locations.cancelSearches(of: client.session)
    #expect(calls.allSatisfy { $0.refusal == .searchCancelled })
    #expect(client.search().isWaiting)
    // The updates do not count as a search, and continue.
    try scene.fix(10)
    #expect(client.signals.compactMap(\.latitude).contains(10))
  }
}
