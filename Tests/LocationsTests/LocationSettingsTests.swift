import Locations
import Testing

@Suite struct LocationSettingsTests {
  private static let receiver = LocationSettings(nmea: .serial(path: "/dev/ttyACM0", baud: 9600))

  @Test func `a source that measures has the clock of the machine`() {
    let live = [LocationSettings(gpsd: GPSDSettings()), LocationSettings(geoClue: GeoClueSettings()), Self.receiver]
    #expect(live.allSatisfy { $0.hasLiveSource })
    #expect(!LocationSettings().hasLiveSource && !LocationSettings(capture: RecordedWalk(path: "walk.nmea")).hasLiveSource)
  }

  @Test func `receivers and their recordings have satellites`() {
    let receivers = [LocationSettings(gpsd: GPSDSettings()), Self.receiver, LocationSettings(capture: RecordedWalk(path: "walk.nmea"))]
    #expect(receivers.allSatisfy { $0.hasSatelliteReceiver })
    #expect(!LocationSettings().hasSatelliteReceiver && !LocationSettings(geoClue: GeoClueSettings()).hasSatelliteReceiver)
  }
}
