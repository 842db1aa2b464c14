import BeaconAdvertising
import Beacons
import Instants
import Records
import Surveys
import Testing

@Suite struct SurveyTests {
  @Test func `rate, interval, jitter, loss and spread are those of the beacon`() throws {
    var scene = SurveyScene()
    scene.add(SurveyScene.beacon(1), sender: 1, interval: 0.2, loss: 0.25)
    let beacon = try #require(scene.report().beacon(1))
    #expect(abs((beacon.rate ?? 0) - 3.75) < 0.3, "\(beacon)")
    #expect(abs((beacon.interval ?? 0) - 0.2) < 0.002, "\(beacon)")
    // The difference of single intervals by the delay of the standard has a deviation of 2.9 ms.
    #expect((0.002...0.005).contains(beacon.jitter ?? 0), "\(beacon)")
    #expect(abs((beacon.loss ?? 0) - 0.25) < 0.06, "\(beacon)")
    let rssi = try #require(beacon.rssi)
    #expect(abs((rssi.median ?? 0) + 65) <= 1 && abs((rssi.low ?? 0) + 69) <= 1 && abs((rssi.high ?? 0) + 61) <= 1, "\(rssi)")
    #expect(beacon.measuredPower == -59 && beacon.senders == 1 && beacon.verdicts == [])
  }

  @Test func `the time out of range is not loss`() throws {
    var scene = SurveyScene()
    scene.add(SurveyScene.beacon(1), sender: 1) { $0 < 30 || $0 > 90 ? -60 : nil }
    #expect((scene.report().beacon(1)?.loss ?? 1) < 0.02)
  }

  @Test func `a report does not depend on the pieces in which packets come`() {
    var scene = SurveyScene()
    for minor in 1...5 as ClosedRange<UInt16> { scene.add(SurveyScene.beacon(minor), sender: UInt64(minor), seconds: 0...20, loss: 0.3) }
    #expect(scene.report(piece: 1) == scene.report())
    #expect(scene.report(piece: 7) == scene.report())
  }

  @Test func `an advertisement that two adapters receive counts once`() {
    var survey = Survey()
    var sightings: [Sighting] = []
    for number in 0..<100 {
      for adapter in [0, 1] as [UInt16] {
        let time = SurveyScene.start + .milliseconds(Int64(200 * number + 2 * Int(adapter)))
        sightings.append(
          Sighting(beacon: SurveyScene.beacon(1), measuredPower: -59, rssi: -60, adapter: adapter, time: time))
      }
    }
    survey.hear(sightings, from: Array(repeating: BluetoothAddress(value: 1), count: 200))
    let result = survey.report(source: "test") { "adapter \($0)" }
    #expect(result.beacon(1)?.count == 100 && result.packets == 200)
    #expect(result.adapters?.map(\.name) == ["adapter 0", "adapter 1"] && result.adapters?.map(\.packets) == [100, 100])
  }

  @Test func `two senders of one identity are a duplicate, and a changed address is not`() {
    var scene = SurveyScene()
    scene.add(SurveyScene.beacon(1), sender: 1)
    scene.add(SurveyScene.beacon(1), sender: 2)
    scene.add(SurveyScene.beacon(2), sender: 3, seconds: 0...60)
    scene.add(SurveyScene.beacon(2), sender: 4, seconds: 60.2...120)
    let report = scene.report()
    #expect(report.kinds(1) == [.duplicate] && report.kinds(2) == [])
    #expect(report.beacon(1)?.senders == 2 && report.beacon(2)?.senders == 2)
    // Each of both has the interval, not their mixture.
    #expect(abs((report.beacon(1)?.interval ?? 0) - 0.2) < 0.002)
  }

  @Test func `a loud beacon that loses many packets is disturbed, unless all of them do`() {
    var scene = SurveyScene()
    scene.add(SurveyScene.beacon(1), sender: 1, loss: 0.5) { _ in -60 }
    for minor in 2...4 as ClosedRange<UInt16> { scene.add(SurveyScene.beacon(minor), sender: UInt64(minor), loss: 0.05) { _ in -60 } }
    // A faint beacon loses packets by its distance.
    scene.add(SurveyScene.beacon(9), sender: 9, loss: 0.5) { _ in -86 }
    let report = scene.report()
    #expect(report.kinds(1) == [.interference] && report.kinds(2) == [] && report.kinds(9) == [])
    var drowned = SurveyScene()
    for minor in 1...4 as ClosedRange<UInt16> { drowned.add(SurveyScene.beacon(minor), sender: UInt64(minor), loss: 0.5) { _ in -60 } }
    let all = drowned.report()
    #expect((all.interference?.loss ?? 0) > 0.4 && (1...4).allSatisfy { all.kinds($0) == [] })
  }

  @Test func `a silence of all beacons is a pause of the receiver, and walking away from one beacon is not`() {
    var scene = SurveyScene()
    for minor in 1...6 as ClosedRange<UInt16> {
      scene.add(SurveyScene.beacon(minor), sender: UInt64(minor)) { (40..<44).contains($0) ? nil : -60 }
    }
    scene.add(SurveyScene.beacon(7), sender: 7, seconds: 0...30)
    let interference = scene.report().interference
    #expect(interference?.pauses == 1 && abs((interference?.pauseSeconds ?? 0) - 4) < 0.5, "\(String(describing: interference))")
  }

  @Test func `a silence of a single beacon is not a pause of the receiver`() {
    var scene = SurveyScene()
    scene.add(SurveyScene.beacon(1), sender: 1) { (40..<44).contains($0) ? nil : -60 }
    #expect(scene.report().interference?.pauses == 0)
  }

  @Test func `a beacon that is never loud is weak`() {
    var scene = SurveyScene()
    scene.add(SurveyScene.beacon(1), sender: 1) { _ in -94 }
    #expect(scene.report().kinds(1) == [.weak])
  }

  @Test func `the loudest signal at a known distance suggests the power, and shows a wrong one`() throws {
    var scene = SurveyScene()
    // The walk passes at 2 m after a minute: 6 dB below the power at 1 m.
    func level(_ second: Double) -> Double { -71 - 6 - abs(second - 60) / 4 }
    scene.add(SurveyScene.beacon(1), sender: 1, power: -59, level: level)
    scene.add(SurveyScene.beacon(2), sender: 2, power: -71, level: level)
    let report = scene.report(Survey(passingDistance: 2))
    let power = try #require(report.beacon(1)?.suggestedMeasuredPower)
    #expect(abs(power + 71) <= 2, "\(power)")
    #expect(report.kinds(1) == [.wrongPower] && report.kinds(2) == [])
    #expect(scene.report().beacon(1)?.suggestedMeasuredPower == nil)
  }

  @Test func `random beacons do not grow a survey without bound`() {
    var survey = Survey()
    let sightings = (0..<60_000).map { number in
      Sighting(
        beacon: BeaconIdentity(uuid: BeaconUUID(high: UInt64(number), low: 0), major: 0, minor: 0), measuredPower: 127, rssi: nil,
        time: SurveyScene.start + .milliseconds(Int64(number)))
    }
    survey.hear(sightings, from: [])
    let report = survey.report(source: "test") { _ in nil }
    #expect(report.beacons?.count == Survey.mostBeacons && report.packets == 60_000)
  }

  @Test func `JSON has the same report after it is read again`() throws {
    var scene = SurveyScene()
    scene.add(SurveyScene.beacon(1), sender: 1, seconds: 0...20)
    scene.add(SurveyScene.beacon(1), sender: 2, seconds: 0...20)
    let report = scene.report()
    let read = SurveyReport(try Record(json: report.record.json))
    #expect(read.record.json == report.record.json && read.beacon(1)?.verdicts?.first?.kind == .duplicate)
    #expect(SurveyReport(try Record(json: Survey().report(source: "none") { _ in nil }.record.json)).beacons == [])
  }
}
