import Regions
import TestSupport
import Testing

@Suite struct SlotIndexTests {
  /// Returns hashes that often collide, in their slots and in their tags.
  func hash(_ key: Int) -> Int { key % 7 | key % 3 << 60 }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `the index agrees with a dictionary on any history`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var index = SlotIndex()
    var keys: [Int] = []
    var slots: [Int: Int] = [:]
    for step in 0..<3000 {
      let key = Int.random(in: 0...90, using: &random)
      let found = index.slot(hash: hash(key)) { keys[$0] == key }
      #expect(found == slots[key], "seed \(seed), step \(step)")
      if let slot = slots[key] {
        if Bool.random(using: &random) {
          index.remove(slot, hash: hash(key)) { hash(keys[$0]) }
          slots[key] = nil
        } else {
          keys.append(key)
          index.replace(slot, by: keys.count - 1, hash: hash(key))
          slots[key] = keys.count - 1
        }
      } else {
        keys.append(key)
        index.insert(keys.count - 1, hash: hash(key)) { hash(keys[$0]) }
        slots[key] = keys.count - 1
      }
    }
    for key in 0...90 { #expect(index.slot(hash: hash(key)) { keys[$0] == key } == slots[key], "seed \(seed)") }
  }

  @Test func `removing an absent key changes nothing`() {
    var index = SlotIndex()
    index.insert(3, hash: 5) { _ in 5 }
    index.remove(4, hash: 5) { _ in 5 }
    #expect(index.slot(hash: 5) { _ in true } == 3)
  }
}
