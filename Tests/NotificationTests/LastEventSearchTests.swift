import Events
import Notification
import Records
import TestSupport
import Testing

@Suite struct LastEventSearchTests {
  private func event(_ sequence: UInt64, _ region: String) -> Event {
    Event.of(["sequence": .count(sequence), "event": .text("enter"), "region": .text(region)])
  }

  /// Returns the sequences that are found in a journal, and the pages that were requested.
  private func search(
    _ regions: Set<String>, in journal: [Event], last: UInt64, pageSize: Int
  ) -> (found: [UInt64], pages: [JournalPages.Page]) {
    var search = LastEventSearch(of: regions, to: last, pageSize: pageSize)
    var pages: [JournalPages.Page] = []
    while let page = search.nextPage, pages.count < 100 {
      pages.append(page)
      let end = page.after + UInt64(page.limit)
      search = search.taking(journal.filter { $0.sequence > page.after && $0.sequence <= end })
    }
    return (search.found.map(\.sequence), pages)
  }

  @Test func `the newest event of each region is found, each sequence in one page`() {
    let journal = (1...10).map { event($0, $0.isMultiple(of: 5) ? "door" : "hall") }
    let (found, pages) = search(["door", "hall"], in: journal, last: 10, pageSize: 4)
    #expect(found == [10, 9])
    #expect(pages.map(\.after) == [6] && pages.map(\.limit) == [4])
  }

  @Test func `pages meet without gap or overlap down to the first event`() {
    let (found, pages) = search(["door"], in: [event(1, "door"), event(10, "hall")], last: 10, pageSize: 4)
    #expect(found == [1])
    #expect(pages.map(\.after) == [6, 2, 0] && pages.map(\.limit) == [4, 4, 2])
  }

  @Test func `the search ends with the events that it has if the journal was replaced`() {
    let search = LastEventSearch(of: ["door", "hall"], to: 10, pageSize: 4).taking([event(9, "hall"), event(10, "hall")])
    #expect(search.nextPage != nil)
    let end = search.taking(nil)
    #expect(end.nextPage == nil && end.found.map(\.sequence) == [10])
  }

  @Test func `the search ends after four pages, and begins with none in an empty journal`() {
    let (found, pages) = search(["door"], in: [event(1, "door")], last: 100, pageSize: 10)
    #expect(found == [] && pages.count == 4)
    #expect(search(["door"], in: [], last: 0, pageSize: 10).pages == [])
    #expect(search([], in: [event(1, "door")], last: 1, pageSize: 10).pages == [])
    // A daemon that reports the last possible sequence.
    #expect(search(["door"], in: [], last: .max, pageSize: 10).pages == [])
  }
}
