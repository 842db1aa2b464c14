/// The numbers of the events that cannot be read, by journal.
struct DamagedEvents {
  /// The maximum number of ranges; further ones are not counted.
  private static let most = 4096

  private var ranges: [String: [ClosedRange<UInt64>]] = [:]

  /// The number of damaged events.
  var count: UInt64 {
    ranges.values.joined().reduce(0) { total, range in
      let (sum, overflow) = total.addingReportingOverflow(UInt64(range.count))
      return overflow ? .max : sum
    }
  }

  /// Returns whether some of the numbers are new.
  @discardableResult mutating func add(_ sequences: ClosedRange<UInt64>, of journal: String) -> Bool {
    var known = ranges[journal] ?? []
    guard !known.contains(where: { $0.lowerBound <= sequences.lowerBound && $0.upperBound >= sequences.upperBound }) else { return false }
    var merged = sequences
    known.removeAll { range in
      // Adjacent ranges merge.
      guard range.lowerBound <= merged.upperBound || range.lowerBound - 1 == merged.upperBound,
        merged.lowerBound <= range.upperBound || merged.lowerBound - 1 == range.upperBound
      else { return false }
      merged = min(range.lowerBound, merged.lowerBound)...max(range.upperBound, merged.upperBound)
      return true
    }
    guard known.count < Self.most else { return false }
    known.append(merged)
    known.sort { $0.lowerBound < $1.lowerBound }
    ranges[journal] = known
    return true
  }

  mutating func formUnion(_ other: DamagedEvents) {
    for (journal, known) in other.ranges { for range in known { add(range, of: journal) } }
  }

  /// Returns the first ten ranges, such as `3, 17 to 20`.
  func text(of journal: String) -> String {
    let known = ranges[journal] ?? []
    let texts = known.prefix(10).map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)" }
    return texts.joined(separator: ", ") + (known.count > 10 ? " and others" : "")
  }

  var journals: [String] { ranges.keys.sorted() }
}
