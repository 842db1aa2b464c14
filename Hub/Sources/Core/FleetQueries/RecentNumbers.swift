public import Instants

/// Finds the new rows of a table that several writers number, where a row with a lower number may become visible later.
///
/// A writer takes numbers before its transaction ends. The reader therefore asks again for the numbers of the last half minute, which is longer
/// than a transaction of a writer, and drops those that it has had.
public struct RecentNumbers: Sendable {
  static let overlap = Span.seconds(30)

  /// The number beyond which to read.
  public private(set) var mark: Int64
  private var known: [Int64: Instant] = [:]

  /// - Parameter mark: The highest number at the start.
  public init(from mark: Int64) { self.mark = mark }

  /// Returns the numbers that are new.
  public mutating func take(_ numbers: [Int64], at now: Instant) -> Set<Int64> {
    let new = Set(numbers.filter { $0 > mark && known[$0] == nil })
    for number in new { known[number] = now }
    let settled = known.filter { now - $0.value >= Self.overlap }.keys.max()
    if let settled, settled > mark {
      mark = settled
      known = known.filter { $0.key > settled }
    }
    return new
  }
}
