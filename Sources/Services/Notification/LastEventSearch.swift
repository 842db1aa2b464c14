import Events

/// A search for the last event of each region, backwards through the newest pages of a journal.
public struct LastEventSearch: Sendable {
  /// A part of the journal.
  public struct Page: Hashable, Sendable {
    /// The sequence before the first event.
    public let after: UInt64
    /// The number of sequences, at least 1.
    public let limit: Int
  }

  /// The number of pages that are searched at most. A broker gets no older event of a region.
  private static let mostPages = 4

  /// The events that were found, the newest first.
  public private(set) var found: [Event] = []
  private var missing: Set<String>
  /// The sequence after the events that were not searched yet.
  private var end: UInt64
  private var remainingPages = Self.mostPages
  private let pageSize: Int

  /// Creates a search whose first page ends with the last event of the journal.
  ///
  /// - Parameter lastSequence: The sequence of this event; 0 for an empty journal.
  public init(of regions: Set<String>, to lastSequence: UInt64, pageSize: Int) {
    missing = regions
    end = lastSequence &+ 1
    self.pageSize = pageSize
  }

  /// The page to request next; nil at the end of the search.
  public var nextPage: Page? {
    guard !missing.isEmpty, remainingPages > 0, end > 1 else { return nil }
    return Page(after: start, limit: Int(end - start - 1))
  }

  /// Returns the search after the events of `nextPage`, which may have gaps.
  public func taking(_ events: [Event]) -> LastEventSearch {
    var search = self
    for event in events.reversed() {
      if let region = event.region, search.missing.remove(region) != nil { search.found.append(event) }
    }
    search.end = start + 1
    search.remainingPages -= 1
    return search
  }

  private var start: UInt64 {
    let size = UInt64(pageSize)
    return end > size + 1 ? end - size - 1 : 0
  }
}
