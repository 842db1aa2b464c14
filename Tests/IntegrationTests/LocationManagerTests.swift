import Beaconmon
import Foundation
import TestSupport
import Testing

/// The Swift library on a real daemon.
@Suite struct LocationManagerTests {
  private static let away = "away: beaconmond is not running; the session waits for it"

  @Test func `a delegate receives ranged beacons, nearest first, until it stops ranging`() throws {
    let scene = try ClientScene()
    let manager = scene.manager()
    let diary = DelegateRecorder.of(manager)
    manager.startRangingBeacons(satisfying: scene.constraint)
    #expect(manager.rangedBeaconConstraints == [scene.constraint])
    try diary.wait(for: "available")
    try diary.wait(for: "may authorizedAlways")
    try diary.wait(for: "ranged ")
    for second in 1...5 {
      try scene.feed.hear(minor: 3, at: Double(second), rssi: -50)
      try scene.feed.hear(minor: 2, at: Double(second) + 0.1, rssi: -75)
    }
    try diary.wait(for: "ranged 3 immediate, 2 far")
    manager.stopRangingBeacons(satisfying: scene.constraint)
    #expect(manager.rangedBeaconConstraints == [])
    // The answer to another start follows every earlier signal.
    let region = BeaconRegion(uuid: scene.uuid, identifier: "hall")
    manager.startMonitoring(for: region)
    try diary.wait(for: "began hall")
    let count = diary.lines.count
    for second in 6...20 { try scene.feed.hear(minor: 3, at: Double(second), rssi: -50) }
    try diary.wait(for: "entered hall")
    #expect(!diary.lines.dropFirst(count).contains { $0.hasPrefix("ranged") })
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a delegate receives enters, exits and states of a region, on each change and on request`() throws {
    let scene = try ClientScene()
    let manager = scene.manager()
    let diary = DelegateRecorder.of(manager)
    let desk = BeaconRegion(uuid: scene.uuid, major: 1, minor: 2, identifier: "desk")
    var muted = BeaconRegion(uuid: scene.uuid, major: 1, minor: 2, identifier: "muted")
    muted.notifyOnEntry = false
    manager.startMonitoring(for: desk)
    manager.startMonitoring(for: muted)
    #expect(manager.monitoredRegions.map(\.identifier) == ["desk", "muted"])
    try diary.wait(for: "began muted")
    try scene.feed.hear(minor: 2, at: 5)
    try diary.wait(for: "muted is inside")
    try scene.feed.hear(minor: 1, at: 300)
    try diary.wait(for: "muted is outside")
    let told = diary.lines.filter { $0.contains("desk") || $0.contains("muted") }
    #expect(
      told.filter { $0.contains("desk") } == ["began desk", "entered desk", "desk is inside", "exited desk", "desk is outside"])
    #expect(told.filter { $0.contains("muted") } == ["began muted", "muted is inside", "exited muted", "muted is outside"])
    manager.requestState(for: desk)
    try diary.wait(for: "desk is outside", after: diary.lines.count - 1)
    manager.stopMonitoring(for: desk)
    #expect(manager.monitoredRegions.map(\.identifier) == ["muted"])
    manager.requestState(for: muted)
    try diary.wait(for: "muted is outside", after: diary.lines.count - 1)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a region of the config is monitored by its identifier alone, over a restart of the service`() throws {
    // The service remembers the visit: the library assumes no state for a region of the config.
    let scene = try ClientScene(config: "[journal]\npath = \"FOLDER/journal.db\"\n" + Stage.hall + "exit-delay = \"5s\"\n")
    let manager = scene.manager()
    let diary = DelegateRecorder.of(manager)
    let hall = ConfiguredRegion(identifier: "hall")
    manager.startMonitoring(for: hall)
    try diary.wait(for: "hall is inside")
    // The region exits after the delay in the config.
    try scene.feed.hear(minor: 1, at: 60)
    try diary.wait(for: "entered hall")
    #expect(diary.lines.filter { $0.contains("hall") }.prefix(4) == ["began hall", "hall is inside", "exited hall", "hall is outside"])
    manager.startMonitoring(for: ConfiguredRegion(identifier: "attic"))
    try diary.wait(
      for:
        "attic failed: identifier: beaconmon.toml has no region \"attic\"; specify uuid, or latitude, longitude and radius, to define one")
    manager.stopMonitoring(for: ConfiguredRegion(identifier: "attic"))
    let count = diary.lines.count
    let (next, feed) = try scene.restart(feed: "next")
    try diary.wait(for: "available again", after: count)
    try feed.hear(minor: 1, at: 70)
    try feed.hear(minor: 9, at: 200)
    try diary.wait(for: "entered hall", after: count)
    // The visit continued over the restart, so only the sighting after the silence is an enter.
    #expect(diary.lines.dropFirst(count).first { $0.hasSuffix("ed hall") } == "exited hall", "\(diary.lines)")
    next.signal(SIGTERM)
  }

  @Test func `a program chooses whether it receives enters into a region of the config`() throws {
    let scene = try ClientScene(config: Stage.hall + "exit-delay = \"5s\"\n")
    let manager = LocationManager(purpose: "Shows the exhibit", appID: "org.example.Guide", bus: scene.bus)
    let diary = DelegateRecorder.of(manager)
    var hall = ConfiguredRegion(identifier: "hall")
    hall.notifyOnEntry = false
    manager.register(hall)
    let advice = "register a BeaconRegion, a CircularRegion or a PlaceRegion instead"
    try diary.wait(for: "hall failed: a region of the config may change before it wakes the app; \(advice)")
    manager.startMonitoring(for: hall)
    try diary.wait(for: "hall is inside")
    let count = diary.lines.count
    try scene.feed.hear(minor: 1, at: 60)
    try diary.wait(for: "hall is inside", after: count)
    #expect(diary.lines.dropFirst(count).filter { $0.contains("hall") } == ["exited hall", "hall is outside", "hall is inside"])
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a refusal of the service is reported with its reason`() throws {
    let scene = try ClientScene()
    let manager = scene.manager()
    let diary = DelegateRecorder.of(manager)
    var region = BeaconRegion(uuid: scene.uuid, identifier: "hall")
    region.within = 0
    manager.startMonitoring(for: region)
    try diary.wait(for: "hall failed: within: 0 is not between 0.1 and 100")
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a denied client is notified, and its requests start when it is authorized`() throws {
    let scene = try ClientScene()
    let manager = scene.manager()
    let diary = DelegateRecorder.of(manager)
    manager.startRangingBeacons(satisfying: scene.constraint)
    manager.startMonitoring(for: BeaconRegion(uuid: scene.uuid, identifier: "hall"))
    try diary.wait(for: "began hall")
    try scene.decide("revoke", "root")
    try diary.wait(for: "may denied")
    try diary.wait(for: "ranging failed: denied")
    try wait(for: "the refusal") { diary.lines.contains { $0.hasPrefix("hall failed: ") } }
    #expect(manager.authorizationStatus == .denied && !manager.authorizationReason.isEmpty)
    let count = diary.lines.count
    try scene.decide("grant", "root")
    try diary.wait(for: "may authorizedWhenInUse", after: count)
    try diary.wait(for: "ranged ", after: count)
    for second in 1...3 { try scene.feed.hear(minor: 3, at: Double(second), rssi: -50) }
    try diary.wait(for: "ranged 3 immediate", after: count)
    scene.daemon.signal(SIGTERM)
  }

  @Test func `after a restart of the daemon, only visitors who moved cause events, and the gap is reported`() throws {
    let scene = try ClientScene()
    let manager = scene.manager()
    let diary = DelegateRecorder.of(manager)
    manager.startRangingBeacons(satisfying: scene.constraint)
    for minor in [1, 2] as [UInt16] {
      manager.startMonitoring(for: BeaconRegion(uuid: scene.uuid, major: 1, minor: minor, identifier: "beacon \(minor)"))
    }
    try diary.wait(for: "began beacon 2")
    for minor in [1, 2] as [UInt16] { try scene.feed.hear(minor: minor, at: 3) }
    try diary.wait(for: "beacon 2 is inside")
    let (before, count) = (Date(), diary.lines.count)
    let (daemon, feed) = try scene.restart(feed: "second")
    try diary.wait(for: Self.away, after: count)
    try feed.hear(minor: 1, at: 100)
    try diary.wait(for: "available again", after: count)
    let gap = try #require(diary.gaps.first)
    #expect(before <= gap.from && gap.from < gap.to && gap.to <= Date() && gap.cause == .serviceLost)
    for second in 101...400 { try feed.hear(minor: 1, at: Double(second)) }
    try diary.wait(for: "exited beacon 2", after: count)
    try diary.wait(for: "beacon 2 is outside", after: count)
    // The queue of a busy program keeps only the latest report of ranging, which then comes after the exit.
    try wait(for: "ranging") { diary.lines.dropFirst(count).contains { $0.hasPrefix("ranged 1 ") } }
    let told = diary.lines.dropFirst(count)
    #expect(!told.contains { $0.hasPrefix("entered") || $0.hasPrefix("began") || $0.contains("beacon 1") })
    daemon.signal(SIGTERM)
  }

  @Test func `all requests resume after a restart of the bus`() throws {
    let scene = try ClientScene()
    let manager = scene.manager()
    let diary = DelegateRecorder.of(manager)
    manager.startRangingBeacons(satisfying: scene.constraint)
    try diary.wait(for: "ranged ")
    let count = diary.lines.count
    try scene.stage.bus.restart()
    try diary.wait(for: "available again", after: count)
    for second in 1...3 { try scene.feed.hear(minor: 3, at: Double(second), rssi: -50) }
    try diary.wait(for: "ranged 3 immediate", after: count)
    #expect(diary.lines.contains { $0.hasPrefix("away: ") })
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a manager that is created before the daemon reports its absence, and starts when it appears`() throws {
    let stage = try Stage()
    let manager = LocationManager(purpose: "Shows the exhibit", bus: .address(stage.bus.address))
    let diary = DelegateRecorder.of(manager)
    manager.startRangingBeacons(satisfying: BeaconIdentityConstraint(uuid: try .ofCaptures))
    try diary.wait(for: Self.away)
    #expect(manager.authorizationStatus == .notDetermined)
    let feed = try CaptureFeed(stage)
    let daemon = try stage.daemon(config: try stage.file("config.toml", ""), source: feed.path)
    try feed.hear(at: 0)
    try diary.wait(for: "available")
    try diary.wait(for: "ranged ")
    for second in 1...3 { try feed.hear(minor: 3, at: Double(second), rssi: -50) }
    try diary.wait(for: "ranged 3 immediate")
    #expect(diary.gaps.isEmpty)
    daemon.signal(SIGTERM)
  }

  @Test func `a manager without a bus reports the reason`() throws {
    let manager = LocationManager(purpose: "Shows the exhibit", bus: .address("unix:path=/nonexistent/bus"))
    let diary = DelegateRecorder.of(manager)
    try wait(for: "the reason") { diary.lines.contains { $0.contains("/nonexistent/bus: No such file or directory (ENOENT)") } }
    guard case .away = manager.serviceStatus else { throw TimeoutError("the status is \(manager.serviceStatus)") }
  }

  @Test func `a delegate that is set late receives earlier events first`() throws {
    let scene = try ClientScene()
    let manager = scene.manager()
    manager.startMonitoring(for: BeaconRegion(uuid: scene.uuid, identifier: "hall"))
    try wait(for: "the service") { manager.serviceStatus == .available(after: nil) && manager.authorizationStatus != .notDetermined }
    let diary = DelegateRecorder.of(manager)
    try diary.wait(for: "began hall")
    #expect(diary.lines.suffix(3) == ["available", "may authorizedAlways", "began hall"])
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a hundred released managers leave nothing behind`() throws {
    let scene = try ClientScene()
    let probe = try RunningProgram(Programs.clientProbe, [scene.stage.bus.address])
    let lines = try probe.output.all() + probe.log.all()
    #expect(lines == ["threads 0 descriptors as before"])
    scene.daemon.signal(SIGTERM)
  }

  @Test func `a manager with an invalid bus address reports it`() throws {
    let probe = try RunningProgram(
      Programs.clientProbe, [], environment: ["DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": ""])
    #expect(try probe.output.next("the answer").hasPrefix("no session bus: "))
  }
}
