import BeaconAdvertising
import Beacons
import Instants
import Setup
import Surveys
import Testing

@Suite struct SetupSurroundingsTests {
  private static func beacon(_ minor: UInt16) -> BeaconIdentity {
    BeaconIdentity(uuid: BeaconUUID(high: 1, low: 2), major: 1, minor: minor)
  }

  private static func sighting(_ minor: UInt16, rssi: Int8?) -> Sighting {
    Sighting(beacon: beacon(minor), measuredPower: -59, rssi: rssi, time: Instant(microseconds: 0))
  }

  private var surroundings = SetupSurroundings(source: "the test", canListen: false)

  @Test mutating func `a beacon of a recording has its strongest signal`() {
    surroundings.hear([
      Self.sighting(2, rssi: -80), Self.sighting(1, rssi: -70), Self.sighting(2, rssi: -60), Self.sighting(2, rssi: nil),
      Self.sighting(3, rssi: nil),
    ])
    #expect(surroundings.beacons == [.init(Self.beacon(1), rssi: -70), .init(Self.beacon(2), rssi: -60), .init(Self.beacon(3))])
  }

  @Test mutating func `setup offers the beacons of a survey that the list expects, with the suggested offsets`() {
    func surveyed(_ minor: UInt16, _ verdict: SurveyVerdict.Kind?) -> SurveyedBeacon {
      var beacon = SurveyedBeacon(Self.beacon(minor))
      beacon.name = "beacon \(minor)"
      (beacon.measuredPower, beacon.suggestedMeasuredPower) = (-59, -65)
      beacon.rssi = SignalRange()
      beacon.rssi?.median = -70
      beacon.verdicts = verdict.map { kind in
        var verdict = SurveyVerdict()
        verdict.kind = kind
        return [verdict]
      }
      return beacon
    }
    var report = SurveyReport()
    var unknown = surveyed(4, nil)
    unknown.minor = nil
    report.beacons = [surveyed(1, nil), surveyed(2, .wrongPower), surveyed(3, .unexpected), unknown, surveyed(5, .foreign)]
    surroundings.hear(report)
    #expect(
      surroundings.beacons == [
        .init(Self.beacon(1), rssi: -70, name: "beacon 1"), .init(Self.beacon(2), rssi: -70, name: "beacon 2", offset: 6),
      ])
  }
}
