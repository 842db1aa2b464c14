import Beaconmon
import Foundation
import TestSupport
import Testing

/// Regions that the Swift library registers, and the callbacks for their events.
@Suite(.serialized, .ownThread) struct LocationRegistrationTests {
  private func manager(of stage: Stage, appID: String? = WakingScene.app) -> LocationManager {
    LocationManager(purpose: "Greets you at the desk", appID: appID, bus: .address(stage.bus.address))
  }

  private func desk() throws -> BeaconRegion { BeaconRegion(uuid: try .ofCaptures, major: 1, minor: 2, identifier: "desk") }

  @Test func `an app that registers and ends is woken, and reads the event as GApplication passes it`() async throws {
    let scene = try WakingScene(isInstalled: false)
    try scene.installGApplication()
    do {
      let manager = manager(of: scene.stage)
      let diary = DelegateRecorder.of(manager)
      manager.register(try desk())
      try diary.wait(for: "registered desk")
      #expect(try await manager.registeredRegionIdentifiers() == ["desk"])
      #expect(manager.monitoredRegions.isEmpty)
    }
    try scene.feed.hear(minor: 2, at: 5)
    try scene.feed.hear(minor: 1, at: 60)
    let events = try scene.printedWakings(2).map { try #require(RegisteredEvent(details: $0)) }
    #expect(events.map(\.kind) == [.entered, .exited] && events.map(\.state) == [.inside, .outside])
    #expect(events.map(\.id.sequence) == [1, 2] && Set(events.map(\.id.journal)).count == 1)
    #expect(events.allSatisfy { $0.identifier == "desk" })
    #expect(events[0].beacon == BeaconIdentityCondition(uuid: try .ofCaptures, major: 1, minor: 2))
    #expect(events[0].date == Date(timeIntervalSince1970: Double(CaptureOctets.start) / 1e6 + 5))
    // The next run of the program finds the registrations of the first.
    let next = manager(of: scene.stage)
    #expect(try await next.registeredRegionIdentifiers() == ["desk"])
    next.unregister("desk")
    next.unregister("door")
    #expect(try await next.registeredRegionIdentifiers() == [])
    scene.daemon.signal(SIGTERM)
  }

  @Test func `an app is notified that it lacks consent for always, and its region is registered with consent`() async throws {
    let scene = try ClientScene()
    let manager = manager(of: scene.stage)
    let diary = DelegateRecorder.of(manager)
    try diary.wait(for: "may authorizedAlways")
    try scene.decide("grant", "root")
    try diary.wait(for: "may authorizedWhenInUse")
    var updates = manager.regionUpdates.makeAsyncIterator()
    manager.register(try desk())
    guard case .failed(let region?, let error) = await updates.next() else { throw TimeoutError("the region was not refused") }
    #expect(region.identifier == "desk" && error.code == .regionMonitoringDenied && error.message.contains("--always"))
    try diary.wait(for: "desk failed: \(error)")
    #expect(try await manager.registeredRegionIdentifiers() == [])
    try scene.decide("grant", "root", "--always")
    guard case .registered(let registered) = await updates.next() else { throw TimeoutError("the region was not registered") }
    #expect(registered.identifier == "desk")
    try diary.wait(for: "registered desk")
    #expect(try await manager.registeredRegionIdentifiers() == ["desk"])
    scene.daemon.signal(SIGTERM)
  }

  @Test func `an app without an application id is notified of it`() async throws {
    let scene = try ClientScene()
    let manager = manager(of: scene.stage, appID: nil)
    let diary = DelegateRecorder.of(manager)
    var updates = manager.regionUpdates.makeAsyncIterator()
    manager.register(try desk())
    guard case .failed(_, let error) = await updates.next() else { throw TimeoutError("it was registered") }
    #expect(error.code == .regionMonitoringFailure && error.message.contains("appID"))
    try diary.wait(for: "desk failed: \(error)")
    let nameless = await #expect(throws: LocationError.self) { try await manager.registeredRegionIdentifiers() }
    #expect(nameless == error)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a registration while the service is absent is made when it appears`() async throws {
    let stage = try Stage()
    let manager = manager(of: stage)
    let diary = DelegateRecorder.of(manager)
    manager.register(try desk())
    try diary.wait(for: "away: beaconmond is not running; the session waits for it")
    let error = await #expect(throws: LocationError.self) { try await manager.registeredRegionIdentifiers() }
    #expect(error?.code == .network)
    let daemon = try stage.daemon(config: try stage.file("config.toml", ""), source: try CaptureFeed(stage).path)
    try diary.wait(for: "registered desk")
    daemon.signal(SIGTERM)
  }
}
