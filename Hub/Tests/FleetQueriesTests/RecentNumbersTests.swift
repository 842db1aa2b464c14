import FleetQueries
import Instants
import Testing

@Suite struct RecentNumbersTests {
  private let start = Instant(microseconds: 0)

  @Test func `a row is new once`() {
    var numbers = RecentNumbers(from: 10)
    let first = numbers.take([9, 10, 11, 12], highest: 12, at: start)
    let second = numbers.take([11, 12, 13], highest: 13, at: start + .seconds(1))
    #expect(first == [11, 12] && second == [13] && numbers.mark == 10)
  }

  @Test func `a lower number that becomes visible later is new`() {
    var numbers = RecentNumbers(from: 10)
    let first = numbers.take([12], highest: 12, at: start)
    let later = numbers.take([11, 12], highest: 12, at: start + .seconds(20))
    #expect(first == [12] && later == [11])
  }

  @Test func `the mark rises after the overlap, and memory does not grow`() {
    var numbers = RecentNumbers(from: 0)
    for second in 1...1000 {
      let rows = Array(numbers.mark + 1...Int64(second))
      #expect(rows.count <= 31)
      let new = numbers.take(rows, highest: Int64(second), at: start + .seconds(Double(second)))
      #expect(new == [Int64(second)])
    }
  }

  @Test func `the mark rises with numbers that the reader does not want`() {
    var numbers = RecentNumbers(from: 0)
    for second in 1...1000 { #expect(numbers.take([], highest: Int64(second), at: start + .seconds(Double(second))).isEmpty) }
    #expect(numbers.mark == 970)
    let late = numbers.take([969, 999], highest: 1000, at: start + .seconds(1001))
    #expect(late == [999])
  }
}
