import Beaconmon
import Foundation
import TestSupport
import Testing

/// Locations that the Swift library receives from a real daemon.
@Suite(.serialized, .ownThread) struct ClientLocationTests {
  @Test func `a delegate receives the location at once and as the device moves, until it stops updates`() throws {
    let receiver = Receiver()
    let scene = try LocationScene(receiver.config)
    let manager = scene.manager()
    manager.distanceFilter = 10
    let diary = DelegateRecorder.of(manager)
    manager.startUpdatingLocation()
    // The steps are 5.6 m, so every second fix is ten metres from the last.
    for step in 0..<7 { try receiver.say(52 + 5e-5 * Double(step), 13, knots: 11, until: scene.client) }
    try diary.wait(for: "at 52.0003")
    #expect(diary.lines.filter { $0.hasPrefix("at ") } == ["at 52.0", "at 52.0001", "at 52.0002", "at 52.0003"])
    let last = try #require(diary.locations.last)
    #expect(last.source == .nmea && last.altitude == 40 && last.horizontalAccuracy.map { $0 > 4 && $0 < 6 } == true)
    #expect(last.speed.map { abs($0 - 5.66) < 0.01 } == true && last.course == 90 && last.floor == nil)
    #expect(abs(last.timestamp.timeIntervalSinceNow) < 20 && last.age < .seconds(20) && manager.location == last)
    #expect(diary.locations[0].distance(from: last) > 33 && diary.locations[0].distance(from: last) < 34)
    // Without the filter every fix is delivered, and after the stop none.
    manager.distanceFilter = nil
    // The change takes time to reach the daemon.
    try wait(for: "all") {
      receiver.say(52.00031, 13)
      // The pace of the receiver. The wait ends when the location is delivered.
      usleep(100_000)
      return diary.lines.contains("at 52.00031")
    }
    manager.stopUpdatingLocation()
    let count = diary.lines.count
    let region = BeaconRegion(uuid: try .ofCaptures, identifier: "hall")
    manager.startMonitoring(for: region)
    try diary.wait(for: "began hall")
    #expect(try scene.client.property("LocationSources", "Manager")?.list?.first?["isOn"] == false)
    #expect(!diary.lines.dropFirst(count).contains { $0.hasPrefix("at ") || $0.hasPrefix("no location") })
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a delegate or sequence that starts later receives the known location`() async throws {
    let scene = try LocationScene(LocationScene.fixed)
    let manager = scene.manager()
    var updates = manager.locationUpdates.makeAsyncIterator()
    let first = try #require(try await updates.next()?.location)
    #expect(first.coordinate == LocationCoordinate2D(latitude: 52.52, longitude: 13.405) && first.floor == 2 && first.source == .fixed)
    #expect(try await updates.next() == .stationary(true))
    let diary = DelegateRecorder.of(manager)
    manager.startUpdatingLocation()
    try diary.wait(for: "at 52.52")
    try diary.wait(for: "stationary true")
    var others = manager.locationUpdates.makeAsyncIterator()
    #expect(try await others.next()?.location == first)
    #expect(try await others.next() == .stationary(true))
    // There is no compass.
    #expect(manager.capabilities == Set(Capability.allCases).subtracting([.heading]))
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a device that starts to move is no longer stationary`() async throws {
    let receiver = Receiver()
    let scene = try LocationScene(LocationScene.fixed)
    let manager = scene.manager()
    var updates = manager.locationUpdates.makeAsyncIterator()
    #expect(try await updates.next()?.location != nil)
    #expect(try await updates.next() == .stationary(true))
    try scene.reload(receiver.config)
    #expect(try await updates.next() == .stationary(false))
    try receiver.say(52, 13, until: scene.client)
    #expect(try await updates.next()?.location?.source == .nmea)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a sequence that ends or is released switches the source off`() async throws {
    let scene = try LocationScene(LocationScene.fixed)
    let manager = scene.manager()
    for try await update in manager.locationUpdates {
      #expect(update.location != nil)
      break
    }
    try await withThrowingTaskGroup { group in
      group.addTask { for try await _ in manager.locationUpdates {} }
      try await eventually("the source to be on") { try isOn(scene) }
      group.cancelAll()
      try await group.waitForAll()
    }
    try await eventually("the source to be off") { try !isOn(scene) }
    scene.daemon.signal(SIGTERM)
  }

  private func knows(_ latitude: Double, _ scene: LocationScene) throws -> Bool {
    // The pause lets the receiver's octets through.
    usleep(50_000)
    return try scene.client.property("Location", "Manager")?["latitude"]?.number.map { abs($0 - latitude) < 1e-6 } ?? false
  }

  private func isOn(_ scene: LocationScene) throws -> Bool {
    try scene.client.property("LocationSources", "Manager")?.list?.first?["isOn"] == true
  }

  @Test func `a walk is reported about every ten metres, to slow and fast readers`() async throws {
    let receiver = Receiver()
    let scene = try LocationScene(receiver.config)
    let manager = scene.manager()
    let diary = DelegateRecorder.of(manager)
    manager.startUpdatingLocation()
    var slow = manager.locationUpdates.makeAsyncIterator()
    try receiver.say(52, 13, until: scene.client)
    #expect(try await slow.next()?.location?.coordinate.latitude == 52)
    for step in 1...20 { try receiver.say(52 + 1e-4 * Double(step), 13, knots: 11, until: scene.client) }
    try diary.wait(for: "at 52.002")
    // Only the latest location is kept. The delegate may have received others before.
    var count = 0
    while case let update? = try await slow.next() {
      if update.location?.coordinate.latitude == 52.002 { break }
      count += 1
    }
    #expect(count < 10)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `significant location changes omit small moves`() throws {
    let receiver = Receiver()
    let scene = try LocationScene(receiver.config)
    let manager = scene.manager()
    let diary = DelegateRecorder.of(manager)
    manager.startMonitoringSignificantLocationChanges()
    try receiver.say(52, 13, until: scene.client)
    try diary.wait(for: "at 52.0")
    try receiver.say(52.001, 13, knots: 11, until: scene.client)
    #expect(!diary.lines.contains("at 52.001"))
    // A client that also starts updates receives every location, and first the change that was too small.
    manager.startUpdatingLocation()
    try diary.wait(for: "at 52.001")
    try wait(for: "all") {
      receiver.say(52.002, 13, knots: 11)
      // The pace of the receiver. The wait ends when the location is delivered.
      usleep(100_000)
      return diary.lines.contains("at 52.002")
    }
    manager.stopUpdatingLocation()
    manager.stopMonitoringSignificantLocationChanges()
    try wait(for: "the source to be off") { try !isOn(scene) }
    scene.daemon.signal(SIGTERM)
  }

  // MARK: Searches

  @Test func `currentLocation returns the first fix of the desired accuracy`() async throws {
    let receiver = Receiver()
    let scene = try LocationScene(receiver.config)
    let manager = scene.manager()
    let diary = DelegateRecorder.of(manager)
    manager.desiredAccuracy = .nearestTenMeters
    manager.requestLocation(timeout: .seconds(600))
    manager.requestLocation(timeout: .seconds(600))
    async let found = manager.currentLocation(timeout: .seconds(600))
    for (hdop, latitude) in [(20.0, 52.0001), (8, 52.0002), (1, 52.0003)] {
      try await eventually("the place to be known") {
        receiver.say(latitude, 13, hdop: hdop)
        return try knows(latitude, scene)
      }
    }
    #expect(try await found.coordinate.latitude == 52.0003)
    try diary.wait(for: "at 52.0003")
    #expect(diary.lines.count { $0.hasPrefix("at ") } == 1)
    #expect(manager.location?.coordinate.latitude == 52.0003)
    #expect(try !isOn(scene))
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a request for one location ends with the best fix at its timeout, or an error without any`() async throws {
    let (receiver, clocks) = (Receiver(), try TestClocks())
    let scene = try LocationScene(receiver.config, clocks: clocks)
    let manager = scene.manager()
    let diary = DelegateRecorder.of(manager)
    // Before the session opens, the error has another reason.
    try diary.wait(for: "may authorizedAlways")
    let error = await #expect(throws: LocationError.self) { try await manager.currentLocation(timeout: .milliseconds(200)) }
    #expect(error?.code == .timeout)
    manager.requestLocation(timeout: .milliseconds(200))
    try diary.wait(for: "no location: timeout")
    manager.desiredAccuracy = .metres(1)
    manager.requestLocation(timeout: .seconds(20))
    for (hdop, latitude) in [(20.0, 52.0001), (8, 52.0002), (16, 52.0003)] {
      try receiver.say(latitude, 13, hdop: hdop, until: scene.client)
    }
    #expect(diary.locations.isEmpty)
    // The time is short enough that the best fix is not too old.
    clocks.pass(seconds: 20)
    try scene.client.ping()
    try diary.wait(for: "at 52.0002")
    #expect(diary.locations.count == 1 && diary.locations.first?.horizontalAccuracy.map { $0 > 30 } == true)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a cancelled task ends at once, and the source is off`() async throws {
    let receiver = Receiver()
    let scene = try LocationScene(receiver.config)
    let manager = scene.manager()
    await #expect(throws: LocationError.self) {
      try await withThrowingTaskGroup { group in
        group.addTask { _ = try await manager.currentLocation(timeout: .seconds(600)) }
        try await eventually("the source to be on") { try isOn(scene) }
        group.cancelAll()
        try await group.waitForAll()
      }
    }
    try await eventually("the source to be off") { try !isOn(scene) }
    manager.requestLocation(timeout: .seconds(600))
    try await eventually("the source to be on again") { try isOn(scene) }
    manager.stopUpdatingLocation()
    try await eventually("the source to be off again") { try !isOn(scene) }
    scene.daemon.signal(SIGTERM)
  }

  @Test func `currentLocation without the service throws at its timeout`() async throws {
    let stage = try Stage()
    let manager = LocationManager(purpose: "Shows you on the map", bus: .address(stage.bus.address))
    try await eventually("the manager to know") {
      if case .away = manager.serviceStatus { true } else { false }
    }
    let error = await #expect(throws: LocationError.self) { try await manager.currentLocation(timeout: .milliseconds(300)) }
    #expect(error?.code == .network && error?.message == "beaconmond is not running; the session waits for it")
  }

  // MARK: Obstacles

  @Test func `a denied client is notified, and its updates start when it is authorized`() async throws {
    let scene = try LocationScene(LocationScene.fixed)
    let manager = scene.manager()
    let diary = DelegateRecorder.of(manager)
    manager.startUpdatingLocation()
    try diary.wait(for: "at 52.52")
    try scene.decide("revoke", "root")
    try diary.wait(for: "no location: denied")
    let error = await #expect(throws: LocationError.self) { for try await _ in manager.locationUpdates {} }
    #expect(error?.code == .denied && error?.message == manager.authorizationReason)
    let refused = await #expect(throws: LocationError.self) { try await manager.currentLocation() }
    #expect(refused?.code == .denied)
    // The user may still state a location.
    var count = diary.lines.count
    manager.manualLocation = Location(latitude: 48.1, longitude: 11.5)
    try diary.wait(for: "at 48.1", after: count)
    #expect(manager.location?.source == .manual)
    count = diary.lines.count
    try scene.decide("grant", "root")
    try diary.wait(for: "at 52.52", after: count)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a client without a source is notified, and receives locations once the config has one`() async throws {
    let scene = try LocationScene("")
    let manager = scene.manager()
    let diary = DelegateRecorder.of(manager)
    let error = await #expect(throws: LocationError.self) { try await manager.currentLocation() }
    #expect(error?.code == .noLocationSource)
    manager.startUpdatingLocation()
    try diary.wait(for: "no location: noLocationSource")
    #expect(manager.capabilities == [.beaconRanging, .beaconRegions])
    try scene.reload(LocationScene.fixed)
    try diary.wait(for: "at 52.52")
    #expect(manager.capabilities?.contains(.circularRegions) == true)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `after a restart of the daemon, locations continue and the gap is reported`() async throws {
    let scene = try LocationScene(LocationScene.fixed)
    let manager = scene.manager()
    let diary = DelegateRecorder.of(manager)
    manager.startUpdatingLocation()
    var updates = manager.locationUpdates.makeAsyncIterator()
    try diary.wait(for: "stationary true")
    #expect(try await updates.next()?.location != nil)
    #expect(try await updates.next() == .stationary(true))
    let count = diary.lines.count
    let (daemon, feed) = try scene.restart()
    try diary.wait(for: "available again", after: count)
    try diary.wait(for: "at 52.52", after: count)
    // Both come after the answer, in any order.
    var (hasGap, hasLocation) = (false, false)
    while !hasGap || !hasLocation {
      switch try await updates.next() {
      case .gap(let gap)?: hasGap = gap == diary.gaps.first
      case .location?: hasLocation = true
      default: break
      }
    }
    feed.end()
    daemon.signal(SIGTERM)
  }
}
