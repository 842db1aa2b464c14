import FleetMessages
import Streams
import Testing

@Suite struct StreamRecordTests {
  private func record(_ sequences: [Int64], floor: Int64 = 1) -> StreamRecord {
    var record = StreamRecord()
    for sequence in sequences { _ = record.take(sequence, floor: floor) }
    return record
  }

  @Test("a repeated number is a copy")
  func copy() {
    var record = record([1, 2, 3])
    #expect(record.take(2, floor: 1) == .copy)
    #expect(record.highest == 3 && record.gaps.isEmpty)
  }

  @Test("a late number fills its gap once")
  func late() {
    var record = record([1, 5])
    #expect(record.missing == 3 && record.lost == 0)
    #expect(record.take(3, floor: 1) == .new)
    #expect(record.gaps == [2...2, 4...4])
    #expect(record.take(3, floor: 1) == .copy)
    #expect(record.take(2, floor: 1) == .new && record.take(4, floor: 1) == .new)
    #expect(record.gaps.isEmpty)
  }

  @Test("numbers below the floor count as lost until they arrive late")
  func floor() {
    var record = record([1, 5])
    #expect(record.take(6, floor: 4) == .new)
    #expect(record.lost == 2 && record.missing == 1)
    #expect(record.take(2, floor: 1) == .new)
    #expect(record.lost == 1 && record.missing == 1)
  }

  @Test("numbers before the first floor are not lost, but may arrive late")
  func origin() {
    var record = record([101], floor: 100)
    #expect(record.lost == 0 && record.missing == 1)
    #expect(record.take(99, floor: 99) == .new)
    #expect(record.take(99, floor: 99) == .copy)
    #expect(record.lost == 0)
  }

  @Test("the record keeps at most 64 gaps and counts the oldest as lost")
  func bounded() {
    var record = record(Array(stride(from: 1, through: 201, by: 2)))
    #expect(record.gaps.count == 64)
    #expect(record.abandoned == 36 && record.lost == 36)
    #expect(record.take(2, floor: 1) == .copy)
    #expect(record.take(200, floor: 1) == .new)
  }

  @Test("a number far ahead is refused and changes nothing", arguments: [[], [1, 2]])
  func future(before: [Int64]) {
    var record = record(before)
    let old = record
    #expect(record.take(1 << 52, floor: 1) == .future)
    #expect(record == old)
  }

  @Test("a floor above the sequence or below 1 is harmless")
  func strangeFloor() {
    var record = record([3], floor: 9)
    #expect(record.origin == 3 && record.highest == 3)
    #expect(record.take(4, floor: -5) == .new)
    #expect(record.floor == 3)
  }

  @Test("every order of numbers with repetitions stores each number once", arguments: 0..<50)
  func shuffled(seed: Int) {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    func random(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1
      return Int(state >> 33) % limit
    }
    // Blocks of 40 numbers arrive in any order, some of them twice.
    var numbers: [Int64] = []
    for block in 0..<5 {
      var arrivals: [(number: Int64, place: Int)] = []
      for number in 1...40 {
        for _ in 0...random(2) { arrivals.append((Int64(block * 40 + number), random(1000))) }
      }
      numbers += arrivals.sorted { $0.place < $1.place }.map(\.number)
    }
    var record = StreamRecord()
    let stored = numbers.filter { record.take($0, floor: 1) == .new }
    #expect(stored.sorted() == Array(1...200))
    #expect(record.gaps.isEmpty && record.lost == 0)
  }

  @Test("gaps are read as PostgreSQL writes them")
  func text() {
    let record = record([1, 3, 8])
    #expect(record.gapsText == "{[2,2],[4,7]}")
    #expect(StreamRecord.gaps("{[2,3),[4,8)}") == record.gaps)
    #expect(StreamRecord.gaps("{}") == [])
    #expect(StreamRecord.gaps("{[4,2)}") == nil && StreamRecord.gaps("empty") == nil && StreamRecord.gaps("{[1,x)}") == nil)
  }
}

@Suite struct NumberingHistoryTests {
  @Test("a device that restarts is not a clone, and two that alternate are one")
  func alternating() {
    var history = NumberingHistory()
    let (first, second) = (StreamJournal(high: 1, low: 1), StreamJournal(high: 2, low: 2))
    let day: Int64 = 86_400_000
    history.note(first, isKnown: false, at: day)
    history.note(second, isKnown: false, at: day)
    history.note(second, isKnown: true, at: day)
    #expect(history.returns == 0 && !history.looksCloned(at: day))
    for journal in [first, second, first] { history.note(journal, isKnown: true, at: day) }
    #expect(history.looksCloned(at: day) && !history.looksCloned(at: 2 * day))
    history.note(second, isKnown: true, at: 2 * day)
    #expect(!history.looksCloned(at: 2 * day))
  }

  @Test("two devices of one identity that only send reports are a clone, and late digests between new reports are not")
  func reports() {
    let (first, second) = (StreamJournal(high: 1, low: 1), StreamJournal(high: 2, low: 2))
    let day: Int64 = 86_400_000
    var clone = NumberingHistory()
    let reports = [first, second, first, second, first]
    for (number, journal) in reports.enumerated() { clone.note(report: journal, isKnown: number > 1, at: day) }
    #expect(clone.looksCloned(at: day))
    var restarted = NumberingHistory()
    restarted.note(report: first, isKnown: false, at: day)
    restarted.note(first, isKnown: false, at: day)
    for _ in 0..<9 {
      restarted.note(report: second, isKnown: true, at: day)
      restarted.note(first, isKnown: true, at: day)
    }
    #expect(restarted.returns == 1 && !restarted.looksCloned(at: day))
  }
}

@Suite struct DeviceClockTests {
  @Test("the hub's time replaces an impossible time of a device", arguments: [0, 1_700_000_000_000 + 3_600_000, -5])
  func wrong(time: Int64) { #expect(DeviceClock.time(ofDevice: time, received: 1_700_000_000_000) == 1_700_000_000_000) }

  @Test("a live message has the hub's time, so that clocks that differ a little do not matter")
  func live() { #expect(DeviceClock.time(ofDevice: 1_699_999_997_000, received: 1_700_000_000_000) == 1_700_000_000_000) }

  @Test("a late message keeps its time")
  func late() { #expect(DeviceClock.time(ofDevice: 1_699_990_000_000, received: 1_700_000_000_000) == 1_699_990_000_000) }
}
