/// The pages of a journal from its end backwards, which meet without a gap or an overlap.
public struct JournalPages: Sendable {
  /// A part of the journal.
  public struct Page: Hashable, Sendable {
    /// The sequence before the first event.
    public let after: UInt64
    /// The number of sequences, at least 1.
    public let limit: Int
  }

  /// The sequence after the events of the pages that are still to be read.
  public private(set) var end: UInt64
  private var remaining: Int
  private let size: Int

  /// Creates pages whose first one ends before a sequence.
  ///
  /// - Parameters:
  ///   - size: The maximum number of sequences of a page.
  ///   - most: The maximum number of pages.
  public init(before end: UInt64, size: Int, most: Int) {
    (self.end, self.size, remaining) = (end, size, most)
  }

  /// Whether the journal has no event before the pages that were read.
  public var isAtBeginning: Bool { end <= 1 }

  /// Returns the page to read next; nil at the beginning of the journal, after the last page, and for a limit of 0.
  ///
  /// - Parameter limit: The maximum number of sequences that the reader still needs.
  public func next(limit: Int = .max) -> Page? {
    guard !isAtBeginning, remaining > 0, limit > 0 else { return nil }
    let size = UInt64(min(size, limit))
    let start = end > size + 1 ? end - size - 1 : 0
    return Page(after: start, limit: Int(end - start - 1))
  }

  /// Continues before a page that was read.
  public mutating func advance(past page: Page) {
    end = page.after + 1
    remaining -= 1
  }
}

/// A search through the pages of a journal, which its reader drives.
public protocol JournalSearch {
  /// The page to read next; nil at the end of the search.
  var nextPage: JournalPages.Page? { get }
  /// Returns the search after the answer for `nextPage`.
  ///
  /// - Parameter answer: The events of the page, which may have gaps; nil if the journal has no more events and is not in use.
  func taking(_ answer: [Event]?) -> Self
}
