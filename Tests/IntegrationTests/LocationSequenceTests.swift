import Beaconmon
import Foundation
import TestSupport
import Testing

/// The Swift library's sequences, and its `Monitor`.
@Suite(.serialized, .ownThread) struct LocationSequenceTests {
  @Test func `a sequence ranges while it is iterated, and a slow reader gets the latest results`() async throws {
    let scene = try ClientScene()
    let manager = scene.manager()
    let diary = DelegateRecorder.of(manager)
    manager.startRangingBeacons(satisfying: scene.constraint)
    var updates = manager.rangingUpdates(satisfying: scene.constraint).makeAsyncIterator()
    #expect(try await updates.next()?.constraint == scene.constraint)
    for second in 1...30 { try scene.feed.hear(minor: second == 30 ? 4 : 3, at: Double(second), rssi: -50) }
    try scene.feed.hear(minor: 4, at: 32, rssi: -50)
    try wait(for: "the last beacon") { diary.lines.contains { $0.contains("4 ") } }
    let start = Date(timeIntervalSince1970: Double(CaptureOctets.start) / 1e6)
    // The delegate may have received others before.
    var count = 0
    while let update = try await updates.next(), update.date < start + 30 { count += 1 }
    #expect(count < 20)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a sequence that is cancelled or released ends its request`() async throws {
    let scene = try ClientScene()
    let calls = try RunningProgram("/usr/bin/dbus-monitor", ["--address", scene.stage.bus.address, "member='StopRanging'"])
    _ = try calls.output.next("dbus-monitor") { $0.contains("NameAcquired") || $0.contains("NameLost") }
    let manager = scene.manager()
    let updates = manager.rangingUpdates(satisfying: scene.constraint)
    try await withThrowingTaskGroup { group in
      group.addTask { for try await _ in updates {} }
      var service = manager.serviceUpdates.makeAsyncIterator()
      while let status = await service.next(), status != .available(after: nil) {}
      group.cancelAll()
      try await group.waitForAll()
    }
    // The sequence can start again, and ends when it is released.
    for try await update in updates {
      #expect(update.constraint == scene.constraint)
      break
    }
    _ = try calls.output.next("the end of the ranging") { $0.contains("member=StopRanging") }
    #expect(manager.rangedBeaconConstraints == [])
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a sequence without consent throws the reason`() async throws {
    let scene = try ClientScene()
    let manager = scene.manager()
    var statuses = manager.authorizationUpdates.makeAsyncIterator()
    while let status = await statuses.next(), status != .authorizedAlways {}
    try scene.decide("revoke", "root")
    #expect(await statuses.next() == .denied)
    let error = await #expect(throws: LocationError.self) {
      for try await _ in manager.rangingUpdates(satisfying: scene.constraint) {}
    }
    #expect(error?.code == .denied && error?.message == manager.authorizationReason)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `region updates contain the event and the deciding beacon`() async throws {
    let scene = try ClientScene()
    let manager = scene.manager()
    var updates = manager.regionUpdates.makeAsyncIterator()
    manager.startMonitoring(for: BeaconRegion(uuid: scene.uuid, identifier: "hall"))
    let hall = manager.monitoredRegions.first.map { AnyHashable($0) }
    func next() async throws -> RegionEvent {
      guard case .event(let event) = await updates.next() else { throw TimeoutError("no event came") }
      return event
    }
    manager.requestState(for: BeaconRegion(uuid: scene.uuid, identifier: "hall"))
    #expect(try await next().kind == .stateChanged)
    try scene.feed.hear(minor: 7, at: 5)
    let entry = try await next()
    #expect(AnyHashable(entry.region) == hall && entry.kind == .entered && entry.state == .inside)
    #expect(entry.beacon == BeaconIdentityCondition(uuid: scene.uuid, major: 1, minor: 7))
    #expect(entry.date == Date(timeIntervalSince1970: Double(CaptureOctets.start) / 1e6 + 5))
    #expect(entry.reason?.cause == .sighting && entry.reason?.lastSeen == entry.date && entry.reason?.adapter != nil)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a monitor starts with its assumption, and reports changes with the deciding beacon`() async throws {
    let scene = try ClientScene()
    let monitor = await Monitor("gallery", purpose: "Shows the exhibit", bus: scene.bus)
    var events = await monitor.events.makeAsyncIterator()
    await monitor.add(scene.constraint, identifier: "all", assuming: .unsatisfied)
    await monitor.add(
      Monitor.BeaconIdentityCondition(uuid: scene.uuid, major: 1, minor: 9), identifier: "desk", assuming: .satisfied)
    #expect(await monitor.identifiers == ["all", "desk"])
    #expect(await monitor.record(for: "desk")?.lastEvent.state == .satisfied)
    var service = monitor.serviceUpdates.makeAsyncIterator()
    while let status = await service.next(), status != .available(after: nil) {}
    // The bus keeps the order, so all earlier requests were made before the daemon answers this one.
    let manager = scene.manager()
    manager.startMonitoring(for: BeaconRegion(uuid: scene.uuid, identifier: "later"))
    try DelegateRecorder.of(manager).wait(for: "began later")
    // The beacon at the wall never falls silent, so the region "all" stays inside while the desk's beacon is silent.
    for second in stride(from: 1, through: 300, by: 5) { try scene.feed.hear(minor: 7, at: Double(second)) }
    var told: [String: Monitor.Event] = [:]
    while told.count < 2, let event = await events.next() { told[event.identifier] = event }
    #expect(told["all"]?.state == .satisfied)
    #expect(told["all"]?.refinement as? BeaconIdentityCondition == BeaconIdentityCondition(uuid: scene.uuid, major: 1, minor: 7))
    #expect(told["desk"]?.state == .unsatisfied)
    #expect(await monitor.record(for: "all")?.lastEvent.state == .satisfied)
    await monitor.remove("all")
    #expect(await monitor.identifiers == ["desk"])
    #expect(await monitor.record(for: "all") == nil)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a monitor follows a region of the config under its identifier`() async throws {
    let scene = try ClientScene(config: Stage.hall)
    let monitor = await Monitor("gallery", purpose: "Shows the exhibit", bus: scene.bus)
    var events = await monitor.events.makeAsyncIterator()
    // The assumed state does not affect the region of the config, which is already inside.
    await monitor.add(Monitor.ConfiguredCondition(), identifier: "hall", assuming: .unsatisfied)
    let event = await events.next()
    #expect(event?.identifier == "hall" && event?.state == .satisfied)
    #expect(event?.refinement as? BeaconIdentityCondition == BeaconIdentityCondition(uuid: scene.uuid, major: 1, minor: 1))
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a condition that the service refuses is unmonitored, with its reason`() async throws {
    let scene = try ClientScene()
    let monitor = await Monitor("gallery", purpose: "Shows the exhibit", bus: scene.bus)
    var events = await monitor.events.makeAsyncIterator()
    await monitor.add(scene.constraint, identifier: "")
    let event = await events.next()
    #expect(event?.state == .unmonitored)
    #expect(event?.error?.message == "identifier: is empty; write a name for the region, such as \"entrance\"")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `the state of location services can be read before any other request`() async throws {
    let scene = try ClientScene()
    try scene.stage.listener().waitForDaemon()
    #expect(try await LocationManager.locationServicesEnabled(bus: scene.bus))
    try scene.decide("off")
    #expect(try await !LocationManager.locationServicesEnabled(bus: scene.bus))
    let error = await #expect(throws: LocationError.self) {
      try await LocationManager.locationServicesEnabled(bus: .address("unix:path=/nonexistent/bus"))
    }
    #expect(error?.code == .network)
    scene.daemon.signal(SIGTERM)
  }
}
