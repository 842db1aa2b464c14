public import Events
public import Venues

/// A part of a journal.
public struct JournalPage {
  public let journal: String
  /// The oldest first.
  public let events: [Event]
  /// Whether the journal has no older ones.
  public let isComplete: Bool

  public init(journal: String, events: [Event], isComplete: Bool) {
    (self.journal, self.events, self.isComplete) = (journal, events, isComplete)
  }
}

/// The last events of a journal before a sequence, collected from answers of the daemon.
public struct LatestEvents: JournalSearch {
  /// The maximum number of answers of the daemon for one answer of the page.
  private static let mostPages = 16

  private let journal: String
  private let count: Int
  private var events: [Event] = []
  private var pages: JournalPages

  /// Creates a collection without events.
  ///
  /// - Parameters:
  ///   - count: The number of events to collect.
  ///   - lastSequence: The sequence of the last event in the journal; 0 for an empty journal.
  ///   - end: The sequence after the events; nil for the end of the journal.
  ///   - pageSize: The maximum number of events of an answer.
  public init(_ count: Int, of journal: String, lastSequence: UInt64, before end: UInt64?, pageSize: Int) {
    (self.count, self.journal) = (count, journal)
    pages = JournalPages(
      before: min(end ?? .max, lastSequence == .max ? .max : lastSequence + 1), size: pageSize, most: Self.mostPages)
  }

  /// The page to request next; nil if the events are as many as requested or permitted.
  public var nextPage: JournalPages.Page? { pages.next(limit: count - events.count) }

  /// Returns the collection after the answer for `nextPage`.
  public func taking(_ answer: [Event]?) -> LatestEvents {
    guard let nextPage else { return self }
    var result = self
    // Behind a gap of damaged events, the daemon answers with later events than requested.
    result.events = (answer ?? []).filter { $0.sequence < pages.end } + events
    result.pages.advance(past: nextPage)
    return result
  }

  /// The collected events.
  public var page: JournalPage { JournalPage(journal: journal, events: events, isComplete: pages.isAtBeginning) }
}

/// Items that the daemon lists in pages, each from an offset.
public struct PagedItems<Item> {
  public private(set) var all: [Item] = []
  /// Whether no page follows.
  public private(set) var isComplete = false
  /// The number of items of a page before the last one.
  public let pageSize: Int
  private let most: Int

  /// - Parameters:
  ///   - pageSize: The number of items of a page before the last one.
  ///   - most: The number of items after which only one more page follows.
  init(pageSize: Int, most: Int) { (self.pageSize, self.most) = (pageSize, most) }

  /// Returns the items with those of the next page.
  public func adding(_ page: [Item]) -> PagedItems {
    var result = self
    result.isComplete = page.count < pageSize || all.count > most
    result.all += page
    return result
  }
}

extension PagedItems<PlaceReport> {
  /// The places of all venues; their areas make them long.
  public static var places: Self { Self(pageSize: 250, most: 20_000) }
}

extension PagedItems<SurveyReadingReport> {
  /// The readings of the survey of a level. A page has as many as the daemon answers with.
  public static var readings: Self { Self(pageSize: 1000, most: 100_000) }
}
