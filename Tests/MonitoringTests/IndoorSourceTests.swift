import BeaconAdvertising
import Beacons
import Geodesy
import IndoorPositioning
import Instants
import LocationArbitration
import Locations
import Positioning
import Testing
import Venues

@testable import IndoorPositioning
@testable import Monitoring
@testable import Proximity

@Suite struct IndoorSourceTests {
  /// A source at 100 s of its clock, and its reports.
  private final class Scene {
    let source: IndoorSource
    var switches: [Bool] = []
    var fixes: [Location] = []
    var states: [LocationHealth.State] = []

    init() {
      source = IndoorSource(StoppedClock())
      source.onSwitch = { [unowned self] in switches.append($0) }
      source.onLocation = { [unowned self] in fixes.append($0) }
      source.onHealthChange = { [unowned self] in states.append($0.state) }
    }

    func take(_ absence: IndoorAbsence?, latitude: Double? = 48, age: Double = 0) {
      let estimate = IndoorEstimate(
        level: 2, levelProbability: 1, point: PlanPoint(x: 1, y: 2), radius: 1, accuracy: 2.5, heard: 7, levelDeviation: 0)
      let output = IndoorOutput(time: .at(0), estimate: absence == nil ? estimate : nil, absence: absence)
      let coordinate = latitude.flatMap { Coordinate(latitude: $0, longitude: 11) }
      source.take(
        IndoorPosition(venue: "gallery", coordinate: absence == nil ? coordinate : nil, output: output), age: .seconds(age),
        time: .at(1_000_000 - age))
    }
  }

  private final class StoppedClock: LocationClock {
    let now = Instant.at(100)
    let speed = 4.0
    func wallClock(_ instant: Instant) -> Instant { instant }
  }

  @Test func `a source that is on is unavailable until the device is in a venue, and again outside`() throws {
    let scene = Scene()
    scene.source.start(for: .best)
    scene.take(.outside)
    scene.take(nil, age: 0.5)
    scene.take(.outside)
    #expect(scene.states == [.away, .fixing, .away] && scene.switches == [true])
    let fix = try #require(scene.fixes.first)
    #expect(scene.fixes.count == 1 && fix.floor == 2 && abs((fix.horizontalAccuracy ?? 0) - 2.5 / 1.5096) < 0.001 && fix.source == .indoor)
    // The age is on the same clock, whatever the speed of the recording.
    #expect(fix.measured == .at(99.5) && fix.time == .at(999_999.5))
  }

  @Test(arguments: [
    (IndoorAbsence.tooFewTransmitters, "fewer than 4 beacons"), (.inaccurate, "more inaccurate than 8 m"), (.inconsistent, "does not fit"),
    (.uncertainLevel, "floor is uncertain"),
  ])
  func `a position that is missing in a venue makes the source silent, with the reason`(absence: IndoorAbsence, reason: String) {
    let scene = Scene()
    scene.source.start(for: .best)
    scene.take(absence)
    #expect(scene.source.health.state == .silent && scene.source.health.reason?.contains(reason) == true)
    #expect(scene.fixes.isEmpty)
  }

  @Test func `a venue without a location on the earth makes the source silent, with the remedy`() {
    let scene = Scene()
    scene.source.start(for: .best)
    scene.take(nil, latitude: nil)
    #expect(scene.source.health.state == .silent && scene.source.health.reason?.contains("[frame]") == true)
  }

  @Test func `a source that is off delivers nothing`() {
    let scene = Scene()
    scene.take(nil)
    scene.source.start(for: .best)
    scene.source.stop()
    scene.take(nil)
    #expect(scene.fixes.isEmpty && scene.states == [.away, .off] && scene.switches == [true, false])
  }
}
