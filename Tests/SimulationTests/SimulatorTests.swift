import BeaconAdvertising
import Instants
import Testing
import Venues

@testable import Simulation

@Suite struct SimulatorTests {
  /// A venue with every feature: visitors who carry beacons, walls, two adapters, a crowd and faults.
  static let busy: Scenario = {
    var scenario = Scenario.passer(Scenario.region())
    scenario.radio = RadioModel(loss: BurstLoss(loss: 0.3, burst: .seconds(2)))
    scenario.walls = [VenueWall(from: PlanPoint(x: 5, y: -2), to: PlanPoint(x: 5, y: 2), attenuation: 8)]
    scenario.receivers[0].adapters = 2
    scenario.crowd = Crowd(devices: 30, from: PlanPoint(x: -20, y: -20), to: PlanPoint(x: 20, y: 20))
    scenario.faults = [
      Fault(.outage(adapter: 1, noticedAfter: .seconds(5)), at: .seconds(100), lasts: .seconds(20)),
      Fault(.clockStep(by: .seconds(-30)), at: .seconds(120)),
    ]
    return scenario
  }()

  /// Returns FNV-1a over all advertisements.
  private func checksum(_ heard: [HeardAdvertisement]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for heard in heard {
      let sender: UInt64 =
        switch heard.sender {
        case .beacon(let index): UInt64(index)
        case .crowd(let index, let address): UInt64(index) << 48 ^ address
        }
      for word in [sender, UInt64(UInt8(bitPattern: heard.rssi)), UInt64(heard.adapter), UInt64(heard.time.microseconds)] {
        hash = (hash ^ word) &* 0x100_0000_01B3
      }
    }
    return hash
  }

  @Test func `a seed always gives the same result on every machine`() {
    var (first, second, other) = (
      Simulator(Self.busy, seed: 42, hasCrowd: true), Simulator(Self.busy, seed: 42, hasCrowd: true),
      Simulator(Self.busy, seed: 43, hasCrowd: true)
    )
    let heard = first.all()
    #expect(heard == second.all() && heard != other.all())
    #expect(checksum(heard) == 14_364_006_477_605_069_880)
  }

  @Test func `steps are in the order of time, and each contains the sightings up to its time`() {
    var simulator = Simulator(Self.busy, seed: 1, hasCrowd: true)
    var latest = Scenario.start
    var count = 0
    while let step = simulator.next() {
      switch step {
      case .heard(let heard, let through):
        for heard in heard {
          #expect(heard.time >= latest && heard.time <= through)
          latest = heard.time
        }
        latest = through
        count += heard.count
      case .located(_, let time), .changed(_, let time):
        #expect(time >= latest)
        latest = time
      }
    }
    #expect(latest == Self.busy.end && count > 1000)
  }

  @Test func `a crowd does not change the sightings of beacons`() {
    var (alone, among) = (Simulator(Self.busy, seed: 1, hasCrowd: false), Simulator(Self.busy, seed: 1, hasCrowd: true))
    let heard = among.all()
    #expect(alone.all() == heard.filter { if case .beacon = $0.sender { true } else { false } })
    #expect(heard.count > 2 * alone.heard)
  }

  @Test func `an adapter hears nothing during an outage, and the same as without it afterwards`() {
    var without = Self.busy
    without.faults = []
    var (faulty, sound) = (Simulator(Self.busy, seed: 1, hasCrowd: true), Simulator(without, seed: 1, hasCrowd: true))
    let outage = Instant.at(100)..<Instant.at(120)
    #expect(faulty.all() == sound.all().filter { !($0.adapter == 1 && outage.contains($0.time)) })
  }

  @Test func `a beacon sends once per interval and delay until its battery is empty`() {
    var scenario = Scenario.still(metres: 1, duration: .seconds(20_000))
    scenario.beacons[0].batteryDeath = .seconds(10_000)
    var simulator = Simulator(scenario, seed: 3, hasCrowd: false)
    let times = simulator.all().map(\.time)
    let gaps = zip(times, times.dropFirst()).map { ($1 - $0).microseconds }
    #expect(gaps.allSatisfy { (1_000_000...1_010_000).contains($0) })
    #expect(abs(Double(gaps.reduce(0, +)) / Double(gaps.count) - 1_005_000) < 150)
    #expect(times.last.map { $0 < .at(10_000) && $0 > .at(9998) } == true)
    #expect(simulator.sent == times.count && simulator.heard == times.count)
  }

  @Test func `a beacon that is away sends nothing`() {
    var simulator = Simulator(.passer(Scenario.region()), seed: 1, hasCrowd: false)
    let times = simulator.all().map(\.time)
    #expect(times.allSatisfy { $0 >= .at(10) && $0 <= .at(210) } && !times.isEmpty)
    // 200 s at five a second, with a mean delay of 5 ms.
    #expect(abs(simulator.sent - 976) <= 5)
  }
}
