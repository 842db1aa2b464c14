import BeaconAdvertising
import Beacons
import IndoorPositioning
import Proximity
import Ranging
import Status
import TestSupport
import Testing
import Venues

@testable import Monitoring

/// The learned offsets of receivers after a reload of the config.
@Suite struct LearnedReloadTests {
  private static let address = "00:00:00:00:00:01"

  private static func venue(_ id: String, major: UInt16) -> Venue {
    let beacons = (0..<6).map { number in
      PlannedBeacon(
        identity: BeaconIdentity(uuid: Scene.uuid, major: major, minor: UInt16(number)), position: PlanPoint(x: Double(number) * 3, y: 0))
    }
    return Venue(id: id, beacons: beacons)
  }

  private static func adapters(_ offset: Double) throws -> [AdapterSettings] {
    [AdapterSettings(address: try #require(BluetoothAddress(address)), rssiOffset: offset, isCalibrated: true)]
  }

  @Test func `offsets keep the level at which they were learned when a reload changes a venue and an adapter`() throws {
    let level = ConfiguredLevel(offset: 2, isCalibrated: true)
    let stored = LearnedReceiver(venue: "hall", adapter: Self.address, level: level, radio: LearnedRadio(isDistrusted: true))
    let file = FakeLearnedFile([stored])
    let scene = Scene(catalogue: Catalogue([Self.venue("hall", major: 1)]), adapters: try Self.adapters(2), learned: file)
    scene.source.begin()
    let note = scene.monitoring.venueReports.first?.receivers?.first?.note ?? ""
    #expect(note.contains("does not fit"))
    let venues = [Self.venue("hall", major: 1), Self.venue("shop", major: 2)]
    func reload(_ offset: Double) throws {
      scene.monitoring.reconfigure(
        MonitoringSettings(regions: [], adapters: try Self.adapters(offset), ranging: RangingSettings(), catalogue: Catalogue(venues)))
    }
    try reload(8)
    // The receiver is believed again, and nothing is learned at the new level.
    #expect(scene.monitoring.driver.tracker?.learned["hall"]?.isEmpty == true)
    scene.monitoring.saveLearned()
    #expect(file.stored.map(\.level) == [level])
    // At the level before, the stored finding applies again.
    try reload(2)
    #expect(scene.monitoring.driver.tracker?.learned["hall"]?[0]?.isDistrusted == true)
  }
}
