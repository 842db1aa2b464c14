import Beaconmon
import Foundation
import TestSupport
import Testing

/// Events of expected beacons through the Swift library.
@Suite(.serialized, .ownThread) struct ExpectedBeaconSequenceTests {
  private static let config =
    "[beacon-health]\nstationary = true\n"
    + (1...4).map { "[[region]]\nidentifier = \"door \($0)\"\nuuid = \"\(CaptureOctets.uuid)\"\nmajor = 1\nminor = \($0)\n" }.joined()

  /// Hears the beacons every ten seconds.
  private static func hear(_ minors: some Sequence<UInt16>, in scene: ClientScene, seconds: ClosedRange<Double>) throws {
    for second in stride(from: seconds.lowerBound, to: seconds.upperBound, by: 10) {
      for minor in minors { try scene.feed.hear(minor: minor, at: second + Double(minor)) }
    }
  }

  @Test func `a program gets the missing beacon and its return, with the evidence, as a sequence and at its delegate`() async throws {
    let scene = try ClientScene(config: Self.config)
    let manager = scene.manager()
    let diary = DelegateRecorder.of(manager)
    let calls = try RunningProgram("/usr/bin/dbus-monitor", ["--address", scene.stage.bus.address, "member='GetAll'"])
    _ = try calls.output.next("dbus-monitor") { $0.contains("NameAcquired") || $0.contains("NameLost") }
    var updates = manager.expectedBeaconUpdates.makeAsyncIterator()
    manager.startMonitoringExpectedBeacons()
    manager.startMonitoring(for: ConfiguredRegion(identifier: "door 2"))
    try diary.wait(for: "began door 2")
    // The events begin with the journal that the library has asked for.
    _ = try calls.output.next("the question for the journal") { $0.contains("org.beaconmon.Monitor1.Manager") }
    try scene.stage.listener().ping()

    try Self.hear(1...4, in: scene, seconds: 0...3700)
    try Self.hear([1, 3, 4], in: scene, seconds: 3700...3900)
    guard case .event(let event) = try await updates.next() else { throw TimeoutError("no event came") }
    #expect(event.problem == .missing && event.change == .began && event.placeName == "door 2" && event.placeID == nil)
    #expect(event.beacon == BeaconIdentityCondition(uuid: scene.uuid, major: 1, minor: 2))
    #expect(event.reason.cause == .silence && (event.reason.longestGap ?? .zero) >= .seconds(10))
    #expect(event.reason.lastSeen == Date(timeIntervalSince1970: Double(CaptureOctets.start) / 1e6 + 3692))
    #expect((event.reason.lastSeenAge ?? .zero) > .seconds(55))
    try Self.hear(1...4, in: scene, seconds: 3900...3920)
    guard case .event(let end) = try await updates.next() else { throw TimeoutError("no event came") }
    #expect(end.problem == .missing && end.change == .ended && end.beacon == event.beacon && end.reason.cause == .sighting)
    try diary.wait(for: "missing began 2")
    try diary.wait(for: "missing ended 2")
    scene.daemon.signal(SIGTERM)
  }

  @Test(.enabled(if: geteuid() == 0, "requires root to run as another user"))
  func `a user who may not receive the events gets the reason`() throws {
    let scene = try ConsentScene()
    let run = try ConsentScene.run(
      Programs.clientProbe, as: ConsentScene.stranger, scene.stage.bus, [scene.stage.bus.address, "expected-beacons"])
    #expect(
      try run.output.all() == [
        "denied: only root and the group beaconmon receive events; to join the group, run \"sudo usermod -aG beaconmon $USER\" and log in again"
      ])
  }
}
