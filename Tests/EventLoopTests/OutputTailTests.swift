import TestSupport
import Testing

@testable import EventLoop

@Suite struct OutputTailTests {
  @Test(arguments: [0, 1, 5, 4096])
  func `output in pieces of any size keeps its last octets`(limit: Int) {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    var tail = OutputTail(limit: limit)
    var all: [UInt8] = []
    for _ in 0..<200 {
      let piece = (0..<Int.random(in: 0..<100, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      tail.append(piece)
      all += piece
      #expect(tail.bytes == all.suffix(limit), "seed \(seed)")
    }
    #expect(tail.total == all.count)
    #expect(tail.isTruncated == (all.count > limit))
  }

  @Test func `a character that the limit splits becomes a replacement character`() {
    var tail = OutputTail(limit: 2)
    tail.append(Array("aé".utf8))
    #expect(tail.text == "é")
    tail.append(Array("b".utf8))
    #expect(tail.text == "\u{FFFD}b")
  }
}
