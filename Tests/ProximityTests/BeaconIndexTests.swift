import BeaconAdvertising
import TestSupport
import Testing

@testable import Proximity

@Suite struct BeaconIndexTests {
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `it agrees with a dictionary on any history`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var index = BeaconIndex()
    var dictionary: [BeaconIdentity: Int] = [:]
    for step in 0..<5000 {
      let beacon = BeaconIdentity(
        uuid: BeaconUUID(high: .random(in: 0...2, using: &random), low: 7), major: .random(in: 0...5, using: &random),
        minor: .random(in: 0...30, using: &random))
      if Int.random(in: 0..<3, using: &random) == 0 {
        index.remove(beacon)
        dictionary[beacon] = nil
      } else {
        index.set(step, of: beacon)
        dictionary[beacon] = step
      }
      #expect(index.position(of: beacon) == dictionary[beacon], "seed \(seed), step \(step)")
    }
    for (beacon, position) in dictionary { #expect(index.position(of: beacon) == position, "seed \(seed)") }
  }
}
