import BeaconAdvertising
import Instants
import Proximity
import Regions
import Testing

@Suite struct EngineDriverTests {
  @Test func `what is ranged before the source's clock is known gets its first snapshot a second after the start, not after the epoch`() {
    let constraint = BeaconConstraint(uuid: Venue.uuid)
    let start = Instant(microseconds: 1_581_252_284_000_000)
    var driver = EngineDriver(engine: ProximityEngine(at: Instant(microseconds: 0)))
    driver.adjust { $0.startRanging(constraint) }
    driver.start(at: start)
    let times = driver.step([], through: start + .seconds(2)).map { output in
      if case .snapshots(_, let time) = output { time } else { Instant.never }
    }
    #expect(times == [start + .seconds(1), start + .seconds(2)])
  }
}
