import Events

/// A search for the last event of each region, backwards through the newest pages of a journal.
public struct LastEventSearch: JournalSearch, Sendable {
  /// The number of pages that are searched at most. A broker gets no older event of a region.
  private static let mostPages = 4

  /// The events that were found, the newest first.
  public private(set) var found: [Event] = []
  private var missing: Set<String>
  private var pages: JournalPages

  /// Creates a search whose first page ends with the last event of the journal.
  ///
  /// - Parameter lastSequence: the sequence of this event; 0 for an empty journal.
  public init(of regions: Set<String>, to lastSequence: UInt64, pageSize: Int) {
    missing = regions
    pages = JournalPages(before: lastSequence &+ 1, size: pageSize, most: Self.mostPages)
  }

  /// The page to request next; nil at the end of the search.
  public var nextPage: JournalPages.Page? { missing.isEmpty ? nil : pages.next() }

  /// Returns the search after the answer for `nextPage`, which ends at a journal that is not in use.
  public func taking(_ answer: [Event]?) -> LastEventSearch {
    var search = self
    guard let events = answer else {
      search.missing = []
      return search
    }
    for event in events.reversed() {
      if let region = event.region, search.missing.remove(region) != nil { search.found.append(event) }
    }
    if let page = pages.next() { search.pages.advance(past: page) }
    return search
  }
}
