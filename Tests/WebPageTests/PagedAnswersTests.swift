import Events
import Testing
import Venues

@testable import WebPage

/// The answers of the daemon that become one answer of the page.
@Suite struct PagedAnswersTests {
  private func event(_ sequence: UInt64) -> Event { Event(sequence: sequence, kind: .enter, reason: Event.Reason(.test)) }

  /// Returns the collected events of a journal and the requested pages.
  private func collect(
    _ count: Int, from journal: [UInt64], last: UInt64, before: UInt64? = nil, pageSize: Int = 4
  ) -> (page: JournalPage, requests: [JournalPages.Page]) {
    var events = LatestEvents(count, of: "j", lastSequence: last, before: before, pageSize: pageSize)
    var requests: [JournalPages.Page] = []
    while let page = events.nextPage, requests.count < 100 {
      requests.append(page)
      // As the daemon does: the next events, however far away, as many as the page has.
      events = events.taking(journal.filter { $0 > page.after }.prefix(page.limit).map(event))
    }
    return (events.page, requests)
  }

  @Test func `the last events are collected in order, with no more requests than necessary`() {
    let (page, requests) = collect(6, from: Array(1...10), last: 10)
    #expect(page.events.map(\.sequence) == Array(5...10) && !page.isComplete && page.journal == "j")
    #expect(requests.map(\.after) == [6, 4] && requests.map(\.limit) == [4, 2])
  }

  @Test func `events before a sequence are collected down to the first one`() {
    let (page, requests) = collect(100, from: Array(1...10), last: 10, before: 7)
    #expect(page.events.map(\.sequence) == Array(1...6) && page.isComplete)
    #expect(requests.map(\.after) == [2, 0] && requests.map(\.limit) == [4, 2])
    #expect(collect(5, from: Array(1...10), last: 10, before: 100).page.events.map(\.sequence) == Array(6...10))
    #expect(collect(5, from: [], last: 0).page.isComplete)
    #expect(collect(5, from: Array(1...10), last: 10, before: 1).requests.isEmpty)
  }

  @Test func `events behind a gap are collected once`() {
    let (page, _) = collect(8, from: [1, 2, 9, 10], last: 10)
    #expect(page.events.map(\.sequence) == [1, 2, 9, 10] && page.isComplete)
  }

  @Test func `a journal that was replaced during the requests adds no events`() {
    let first = LatestEvents(8, of: "j", lastSequence: 10, before: nil, pageSize: 4).taking([7, 8, 9, 10].map(event))
    let events = first.taking(nil)
    #expect(events.page.events.map(\.sequence) == [7, 8, 9, 10])
    #expect(events.nextPage?.after == 0)
  }

  @Test func `a journal of gaps is read in sixteen pages`() {
    let (page, requests) = collect(10, from: [1], last: 1000)
    #expect(requests.count == 16 && page.events.isEmpty && !page.isComplete)
  }

  @Test func `a journal with the last possible sequence is read from its end`() {
    #expect(collect(1, from: [], last: .max, pageSize: 1).requests.first?.after == UInt64.max - 2)
  }

  @Test func `a list is complete with its first page that is not full, or beyond its limit`() {
    var items = PagedItems<Int>(pageSize: 2, most: 3)
    items = items.adding([1, 2])
    #expect(!items.isComplete)
    #expect(items.adding([3]).isComplete && items.adding([]).isComplete)
    items = items.adding([3, 4])
    #expect(!items.isComplete)
    items = items.adding([5, 6])
    #expect(items.isComplete && items.all == [1, 2, 3, 4, 5, 6])
  }

  @Test func `places come in pages of 250, and readings in those of the daemon`() {
    #expect(PagedItems.places.pageSize == 250 && PagedItems.readings.pageSize == 1000)
    let places = PagedItems.places.adding(Array(repeating: PlaceReport(), count: 250))
    #expect(!places.isComplete && places.adding([PlaceReport()]).isComplete)
  }
}
