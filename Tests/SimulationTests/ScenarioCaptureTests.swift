import BeaconAdvertising
import Beacons
import Instants
import Records
import Testing

@testable import Simulation

@Suite struct ScenarioCaptureTests {
  /// Returns the octets of the capture, and the sightings of the same run.
  private func record(_ scenario: Scenario) -> (octets: [UInt8], sightings: [Sighting], heard: Int) {
    var simulator = Simulator(scenario, seed: 1, hasCrowd: true)
    var capture = ScenarioCapture(scenario, seed: 1)
    var octets: [UInt8] = []
    var sightings: [Sighting] = []
    var heardCount = 0
    while let step = simulator.next() {
      capture.take(step)
      capture.drain { chunk in chunk.withUnsafeBytes { octets += $0 } }
      guard case .heard(let heard, _) = step else { continue }
      heardCount += heard.count
      sightings += heard.compactMap(scenario.sighting).map { sighting in
        // A simulated sighting has no address; the capture gives one to each beacon.
        var sighting = sighting
        sighting.transmitter = AdvertisingReport(sighting).address.transmitter
        return sighting
      }
    }
    capture.end()
    capture.drain { chunk in chunk.withUnsafeBytes { octets += $0 } }
    return (octets, sightings, heardCount)
  }

  private func decode(_ octets: [UInt8]) throws -> (decoder: CaptureDecoder, sightings: [Sighting]) {
    var decoder = CaptureDecoder()
    var sightings: [Sighting] = []
    try decoder.decode(octets.span.bytes, into: &sightings)
    try decoder.finish()
    return (decoder, sightings)
  }

  @Test func `the capture contains the sightings of the engine and all other packets`() throws {
    var scenario = SimulatorTests.busy
    scenario.faults.removeAll { $0.kind == .clockStep(by: .seconds(-30)) }
    let (octets, sightings, heard) = record(scenario)
    let capture = try decode(octets)
    #expect(capture.sightings == sightings && sightings.count > 200)
    #expect(capture.decoder.counts.reports == heard)
    #expect(capture.decoder.counts.malformed.total == 0)
    #expect(capture.decoder.period == Scenario.start...scenario.end)
    #expect(capture.decoder.roster.name(of: 0) == "hci0" && capture.decoder.roster.name(of: 1) == "hci1")
  }

  @Test func `a crowd sends the packets of phones and tags, and no iBeacon`() throws {
    var scenario = SimulatorTests.busy
    scenario.beacons = []
    scenario.crowd?.devices = 200
    scenario.duration = .seconds(60)
    let counts = try decode(record(scenario).octets).decoder.counts
    #expect(counts.iBeacons == 0 && counts.malformed.total == 0)
    #expect([.apple, .manufacturer, .eddystone, .other].allSatisfy { counts.kinds[$0] > 0 })
  }

  @Test func `packets after a clock is set back have earlier timestamps`() throws {
    let (octets, sightings, _) = record(SimulatorTests.busy)
    let late = sightings.count { $0.time >= .at(120) && $0.time < .at(150) }
    let capture = try decode(octets)
    // The decoder replaces earlier times, so that its own time does not run backward.
    #expect(late > 50 && capture.decoder.counts.heldTimes >= late)
    #expect(capture.decoder.period?.upperBound == .at(370))
  }
}
