import Beaconmon
import Foundation
import TestSupport
import Testing

/// Circles that the Swift library monitors through a real daemon with a live receiver.
@Suite(.serialized, .ownThread) struct ClientCircleTests {
  /// A daemon whose region clock follows the sightings, because it plays at maximum speed.
  private final class Scene {
    let receiver = Receiver()
    let scene: LocationScene
    private var second = 0.0

    init() throws {
      scene = try LocationScene(receiver.config, speed: "max")
      try scene.feed.hear(at: 0)
    }

    /// Keeps the device `metres` north of the circles' center for longer than a hold.
    func stay(metres: Double) throws {
      try receiver.say(52.52 + metres / 111_276, 13.405, until: scene.client)
      second += 30
      try scene.feed.hear(at: second)
      try scene.feed.waitUntilRead(by: scene.client)
    }
  }

  private let center = LocationCoordinate2D(latitude: 52.52, longitude: 13.405)
  private var square: CircularRegion { CircularRegion(center: center, radius: 200, identifier: "square") }

  @Test func `a client receives a circle's states, enters and exits with the deciding fix`() async throws {
    let scene = try Scene()
    let manager = scene.scene.manager()
    let diary = DelegateRecorder.of(manager)
    var updates = manager.regionUpdates.makeAsyncIterator()
    manager.startMonitoring(for: square)
    manager.startMonitoring(for: CircularRegion(center: center, radius: 50, identifier: "fountain"))
    try diary.wait(for: "began fountain")
    try scene.stay(metres: 600)
    try diary.wait(for: "square is outside")
    let setOut = Date()
    try scene.stay(metres: 100)
    let elapsed = Date().timeIntervalSince(setOut)
    try diary.wait(for: "entered square")
    try diary.wait(for: "square is inside")
    let count = diary.lines.count
    manager.requestState(for: square)
    try diary.wait(for: "square is inside", after: count)
    try scene.stay(metres: -100)
    try diary.wait(for: "crossed fountain")
    try scene.stay(metres: -600)
    try diary.wait(for: "exited square")
    #expect(diary.lines.last == "square is outside" || diary.lines.last == "exited square")
    #expect(!diary.lines.contains("entered fountain"))
    var told: [RegionEvent] = []
    while told.last?.kind != .exited, case .event(let event)? = await updates.next() { told.append(event) }
    #expect(
      told.filter { $0.region.identifier == "square" }.map(\.kind) == [.stateChanged, .entered, .stateChanged, .exited])
    #expect(told.filter { $0.region.identifier == "fountain" }.map(\.kind) == [.stateChanged, .crossed])
    let entry = try #require(told.first { $0.kind == .entered })
    let fix = try #require(entry.location)
    #expect(square.contains(fix.coordinate) && fix.horizontalAccuracy.map { $0 > 4 && $0 < 6 } == true && entry.beacon == nil)
    // The capture's time stood still, and advanced by twenty seconds after the fix.
    let age = entry.date.timeIntervalSince(fix.timestamp)
    #expect(age >= 20 && age < 20 + elapsed)
    manager.stopMonitoring(for: square)
    #expect(manager.monitoredRegions.map(\.identifier) == ["fountain"])
    scene.scene.daemon.signal(SIGTERM)
  }

  @Test func `a monitor reports states that differ from its assumption, and no others`() async throws {
    let scene = try Scene()
    let monitor = await Monitor("squares", purpose: "Shows you on the map", bus: scene.scene.bus)
    var events = await monitor.events.makeAsyncIterator()
    let condition = Monitor.CircularGeographicCondition(center: center, radius: 200)
    await monitor.add(condition, identifier: "away", assuming: .unsatisfied)
    await monitor.add(condition, identifier: "here", assuming: .satisfied)
    await monitor.add(Monitor.CircularGeographicCondition(center: center, radius: 0), identifier: "point")
    let refused = await events.next()
    #expect(refused?.identifier == "point" && refused?.state == .unmonitored && refused?.error?.code == .regionMonitoringFailure)
    try scene.stay(metres: 600)
    let left = await events.next()
    #expect(left?.identifier == "here" && left?.state == .unsatisfied && left?.refinement == nil)
    try scene.stay(metres: 100)
    let back = [await events.next(), await events.next()]
    #expect(back.allSatisfy { $0?.state == .satisfied } && Set(back.map { $0?.identifier }) == ["away", "here"])
    let record = await monitor.record(for: "away")
    #expect(record?.lastEvent.state == .satisfied && record?.condition as? CircularGeographicCondition == condition)
    scene.scene.daemon.signal(SIGTERM)
  }

  @Test func `an invalid circle is refused with its reason`() throws {
    let scene = try LocationScene(LocationScene.fixed)
    let manager = scene.manager()
    let diary = DelegateRecorder.of(manager)
    manager.startMonitoring(for: CircularRegion(center: center, radius: 0, identifier: "point"))
    manager.startMonitoring(
      for: CircularRegion(center: LocationCoordinate2D(latitude: 91, longitude: 0), radius: 100, identifier: "nowhere"))
    manager.startMonitoring(
      for: CircularRegion(center: LocationCoordinate2D(latitude: .nan, longitude: 0), radius: 100, identifier: "nothing"))
    manager.startMonitoring(
      for: CircularRegion(center: center, radius: LocationManager.maximumRegionMonitoringDistance, identifier: "everywhere"))
    try diary.wait(for: "began everywhere")
    #expect(diary.lines.contains { $0.hasPrefix("point failed: radius: ") })
    #expect(diary.lines.contains { $0.hasPrefix("nowhere failed: latitude: ") })
    #expect(diary.lines.contains { $0.hasPrefix("nothing failed: missing key \"latitude\"") }, "\(diary.lines)")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `after a restart of the daemon, only devices that moved meanwhile exit or enter`() throws {
    let scene = try Scene()
    let manager = scene.scene.manager()
    let diary = DelegateRecorder.of(manager)
    manager.startMonitoring(for: square)
    let other = LocationCoordinate2D(latitude: center.latitude - 500 / 111_276, longitude: center.longitude)
    manager.startMonitoring(for: CircularRegion(center: other, radius: 200, identifier: "other"))
    try diary.wait(for: "began other")
    try scene.stay(metres: 100)
    try diary.wait(for: "entered square")
    try diary.wait(for: "other is outside")
    let count = diary.lines.count
    let (daemon, feed) = try scene.scene.restart(speed: "max")
    try diary.wait(for: "available again", after: count)
    try scene.receiver.say(center.latitude - 500 / 111_276, center.longitude, until: scene.scene.client)
    for second in [100.0, 130, 160] { try feed.hear(at: second) }
    try diary.wait(for: "exited square", after: count)
    try diary.wait(for: "entered other", after: count)
    #expect(!diary.lines.dropFirst(count).contains { $0 == "entered square" || $0.hasPrefix("began") })
    daemon.signal(SIGTERM)
  }

  @Test func `an app that registers a circle and ends is woken by a real fix`() async throws {
    let receiver = Receiver()
    let scene = try WakingScene(isInstalled: false, tables: receiver.config)
    try scene.installGApplication()
    try scene.feed.hear(minor: 9, at: 0)
    do {
      let manager = LocationManager(purpose: "Opens at the square", appID: WakingScene.app, bus: .address(scene.stage.bus.address))
      let diary = DelegateRecorder.of(manager)
      manager.register(square)
      try diary.wait(for: "registered square")
      #expect(try await manager.registeredRegionIdentifiers() == ["square"])
    }
    for (metres, second) in [(600.0, 30.0), (100, 60), (600, 90)] {
      try receiver.say(52.52 + metres / 111_276, 13.405, until: scene.client)
      try scene.feed.hear(minor: 9, at: second)
      try scene.feed.waitUntilRead(by: scene.client)
    }
    let events = try scene.printedWakings(3).map { try #require(RegisteredEvent(details: $0)) }
    #expect(events.map(\.kind) == [.stateChanged, .entered, .exited] && events.map(\.state) == [.outside, .inside, .outside])
    #expect(events.allSatisfy { $0.identifier == "square" && $0.beacon == nil })
    #expect(events[1].location.map { square.contains($0.coordinate) } == true)
    #expect(events[2].location.map { square.contains($0.coordinate) } == false)
    scene.daemon.signal(SIGTERM)
  }
}
