import FleetMessages
import Instants
import TestSupport
import Testing

@testable import FleetReporting

/// The batches of a store that has room for two of them.
@Suite struct DigestBatchesTests {
  private static let half = DigestBacklog.storeSize / 2
  private static let start = Instant(microseconds: 1_000_000_000)

  private let store = FakeStore()
  private let lines = LogLines()
  private let message = FleetMessage(
    journal: DigestBacklogTests.journal, sequence: 1, floor: 0, time: 0, body: .digest([DigestBacklogTests.sighting]))

  init() { store.size = Self.half }

  private func batches(_ count: Int) throws -> DigestBatches {
    var batches = DigestBatches(store, log: lines.logger)
    for _ in 0..<count { try write(&batches) }
    return batches
  }

  private func write(_ batches: inout DigestBatches, size: Int = half) throws {
    try batches.write([message, message], size: size, replacesOldest: false)
  }

  private var numbers: [Int64] { store.content.map(\.batch.number) }

  @Test func `the store is used up to its size, and beyond it the oldest batches give way`() throws {
    var batches = try batches(2)
    #expect(numbers == [1, 2] && batches.lost == 0)
    try write(&batches)
    #expect(numbers == [2, 3] && batches.lost == 2)
    try write(&batches, size: Self.half + 1)
    #expect(numbers == [4] && batches.lost == 6)
  }

  @Test func `the oldest batch is lost first, whether it was opened or waits`() throws {
    var batches = try batches(2)
    #expect(batches.open(at: Self.start)?.number == 1)
    batches.noteSent(of: 1)
    try write(&batches)
    #expect(numbers == [2, 3] && !batches.isOpen(1) && batches.lost == 1, "the hub has one digest of the batch")
    store.closed = [2]
    #expect(batches.open(at: Self.start)?.number == 3)
    try write(&batches)
    #expect(numbers == [3, 4] && batches.isOpen(3) && batches.lost == 3)
  }

  @Test func `a batch that cannot be opened later does not postpone the attempt for an earlier one`() throws {
    var batches = try batches(1)
    store.closed = [1, 2]
    #expect(batches.open(at: Self.start) == nil)
    try write(&batches)
    #expect(batches.open(at: Self.start + .seconds(30)) == nil)
    #expect(batches.nextRetry == Self.start + .seconds(60))
    store.closed = []
    #expect(batches.open(at: Self.start + .seconds(59)) == nil)
    #expect(batches.open(at: Self.start + .seconds(60))?.number == 1)
  }
}
