public import Instants

/// Finds the new rows of a table that several writers number, where a row with a lower number may become visible later.
///
/// A writer takes numbers before its transaction ends. The reader therefore asks again for the numbers of the last half minute, which is
/// longer than a transaction of a writer, and drops those that it has had.
public struct RecentNumbers: Sendable {
  static let overlap = Span.seconds(30)

  /// The number beyond which to read.
  public private(set) var mark: Int64
  private var known: Set<Int64> = []
  /// The highest numbers of the last half minute, the oldest first.
  private var highest: [(number: Int64, time: Instant)] = []

  /// - Parameter mark: The highest number at the start.
  public init(from mark: Int64) { self.mark = mark }

  /// Returns the numbers that are new.
  ///
  /// - Parameter highest: The highest number of the table, also of rows that the reader does not want: the mark rises without a wanted row
  ///   as well.
  public mutating func take(_ numbers: [Int64], highest number: Int64, at now: Instant) -> Set<Int64> {
    let new = Set(numbers.filter { $0 > mark }).subtracting(known)
    known.formUnion(new)
    if number > highest.last?.number ?? mark { highest.append((number, now)) }
    let settled = highest.prefix { now - $0.time >= Self.overlap }
    if let last = settled.last {
      mark = last.number
      highest.removeFirst(settled.count)
      known = known.filter { $0 > mark }
    }
    return new
  }
}
