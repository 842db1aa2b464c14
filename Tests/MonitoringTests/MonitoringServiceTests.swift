import BeaconAdvertising
import Beacons
import Events
import Geodesy
import Instants
import Locations
import Proximity
import RadioHealth
import Ranging
import Regions
import TestSupport
import Testing

@testable import Monitoring

@Suite struct MonitoringServiceTests {
  @Test func `a source that disappears and returns makes regions unknown, and a visit continues`() throws {
    let scene = Scene(.init(), try Scene.regions(["hall": 1]))
    scene.source.begin()
    scene.source.hear(1)
    scene.source.change(.all(.lost), .gone, at: 5)
    #expect(scene.monitoring.watch("hall", of: .config)?.state == .unknown && scene.bus.sourceChanges == 1)
    scene.source.pass(to: 100)
    scene.source.change(.all(.hearing), .scanning, at: 100)
    scene.source.hear(110)
    #expect(!scene.bus.events.contains { $0.contains("exit") || $0.hasSuffix("2 enter hall") })
    #expect(scene.monitoring.watch("hall", of: .config)?.state == .inside)
  }

  @Test func `an event that the bus does not take is in the journal, and the log names it`() throws {
    let scene = Scene(.init(), try Scene.regions(["hall": 1]))
    scene.source.begin()
    scene.bus.isConnected = false
    scene.source.hear(1)
    #expect(scene.files.journal.events.map(\.region) == ["hall"])
    #expect(scene.lines.all.contains { $0.hasPrefix("event 1 at hall is in the journal only") })
  }

  @Test func `advice for an appointment has the next number among the events of the config's regions`() throws {
    let scene = Scene(.init(), try Scene.regions(["hall": 1]))
    scene.source.begin()
    scene.source.hear(1)
    let before = scene.bus.events.count
    scene.monitoring.publish(Event(sequence: 0, kind: .depart, time: Instant(microseconds: 2_000_000)))
    scene.source.pass(to: 100)
    let numbers = scene.files.journal.events.map(\.sequence)
    #expect(numbers == Array(1...UInt64(numbers.count)) && scene.files.journal.events.contains { $0.kind == .depart && $0.region == nil })
    #expect(scene.bus.events.count > before + 1 && scene.monitoring.eventCounts[.depart] == 1)
    scene.bus.isConnected = false
    scene.monitoring.publish(Event(sequence: 0, kind: .hurry))
    #expect(scene.monitoring.unsentEventCount == 1 && scene.files.journal.events.last?.kind == .hurry)
  }

  @Test func `events of a session's own region are in no journal`() throws {
    let scene = Scene()
    scene.source.begin()
    let constraint = BeaconConstraint(uuid: Scene.uuid, major: 1)
    scene.monitoring.startMonitoring(.beacon(BeaconRegion(identifier: "mine", owner: .session(1), constraint: constraint)))
    scene.source.hear(1)
    #expect(scene.bus.events == ["1 enter mine"] && scene.bus.details.first?.isDurable == false && scene.files.journal.events.isEmpty)
    scene.monitoring.stopMonitoring(["mine"], of: .session(1))
    scene.source.pass(to: 100)
    #expect(scene.bus.events.count == 1)
  }

  @Test func `a congested bus holds the source until it has drained`() throws {
    let scene = Scene()
    scene.source.begin()
    scene.bus.isCongested = true
    scene.source.hear(1)
    #expect(scene.source.isHeld)
    scene.bus.isCongested = false
    scene.bus.onDrained()
    #expect(!scene.source.isHeld)
  }

  @Test func `the source hears only as much as clients and regions need`() throws {
    let scene = Scene()
    scene.source.begin()
    #expect(scene.source.demand == .nothing)
    let constraint = BeaconConstraint(uuid: Scene.uuid)
    scene.monitoring.startRanging(constraint)
    #expect(scene.source.demand == .strength)
    scene.source.hear(1)
    scene.source.pass(to: 3)
    #expect(scene.bus.snapshots.last?.count == 1)
    scene.monitoring.stopRanging(constraint)
    #expect(scene.source.demand == .nothing)
    scene.monitoring.startScanning()
    scene.monitoring.startScanning()
    scene.monitoring.stopScanning()
    #expect(scene.source.demand == .strength)
    scene.monitoring.stopScanning()
    scene.monitoring.isRecording = true
    #expect(scene.source.demand == .strength)
    scene.monitoring.isRecording = false
    #expect(scene.source.demand == .nothing)
  }

  @Test func `far from a circle with scan-only-near the scan pauses, and the status states since when`() throws {
    let place = try #require(Coordinate(latitude: 52.52, longitude: 13.405))
    let circle = try #require(Circle(center: place, radius: 100))
    let mall = Region.circle(CircularRegion(identifier: "mall", circle: circle, gate: CircularRegion.Gate()))
    let scene = Scene(.init(), try Scene.regions(["hall": 1]) + [mall])
    scene.source.begin()
    #expect(scene.source.demand == .presence)
    let reading = LocationReading(latitude: 53.52, longitude: 13.405, horizontalAccuracy: 5)
    scene.monitoring.hold(try Location(reading, from: Location.Source("gpsd"), at: Receipt(recorded: .at(0))))
    scene.source.pass(to: 60)
    scene.source.state = .idle
    #expect(scene.source.demand == .nothing && scene.monitoring.sourceState == .paused)
    #expect(scene.monitoring.sourceNote?.hasPrefix("scanning paused: ") == true)
    #expect(scene.monitoring.sourcePausedSince?.rfc3339.hasPrefix("2027-01-15T08:00:") == true)
    scene.monitoring.forgetFixedPlace()
    // The fix expires after five minutes.
    scene.source.pass(to: 400)
    #expect(scene.source.demand == .presence && scene.monitoring.sourceNote == nil && scene.monitoring.sourcePausedSince == nil)
  }
}
