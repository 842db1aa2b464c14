import Beacons
import Instants

/// Regular expressions for quantities with a unit in a range.
///
/// Whole numbers are accepted exactly within the range. A fraction is accepted if the whole numbers around it touch the range.
enum QuantityPattern {
  static func durations(_ range: ClosedRange<Span>) -> String {
    let units: [(String, Int)] = [("ms", 1000), ("s", 1_000_000), ("m", 60_000_000), ("h", 3_600_000_000), ("d", 86_400_000_000)]
    return pattern(Int(range.lowerBound.microseconds), Int(range.upperBound.microseconds), units, hasFractions: true)
  }

  static func sizes(_ range: ClosedRange<UInt64>) -> String {
    let units = [("B", 1), ("kB", 1000), ("KiB", 1 << 10), ("MB", 1_000_000), ("MiB", 1 << 20), ("GB", 1_000_000_000), ("GiB", 1 << 30)]
    return pattern(Int(clamping: range.lowerBound), Int(clamping: range.upperBound), units, hasFractions: false)
  }

  private static func pattern(_ least: Int, _ most: Int, _ units: [(String, Int)], hasFractions: Bool) -> String {
    let alternatives = units.compactMap { name, size in
      numbers(least, most, size, hasFractions: hasFractions).map { "\($0)\(name)" }
    }
    return "^0*(\(alternatives.joined(separator: "|")))$"
  }

  /// Returns a pattern for the numbers of a unit, or nil if there is none.
  private static func numbers(_ least: Int, _ most: Int, _ size: Int, hasFractions: Bool) -> String? {
    let (first, last) = ((least + size - 1) / size, most / size)
    let fraction = "(\\.[0-9]+)?"
    guard hasFractions else { return first <= last ? "(\(integers(first, last)))" : nil }
    var parts: [String] = []
    // The numbers below the first whole one, such as 0.5m from 1s on.
    if first * size > least, first > 0 { parts.append("\(first - 1)\\.[0-9]+") }
    if first < last { parts.append("(\(integers(first, last - 1)))\(fraction)") }
    if first <= last { parts.append(last * size == most ? "\(last)(\\.0+)?" : "\(last)\(fraction)") }
    return parts.isEmpty ? nil : "(\(parts.joined(separator: "|")))"
  }

  /// Returns a pattern for the whole numbers of a range, without leading zeros.
  static func integers(_ first: Int, _ last: Int) -> String {
    // The range is cut where the number of free digits changes: 5 to 9, 10 to 99, 100 to 249, 250 to 255.
    var ends: Set<Int> = [last]
    var power = 10
    while case let end = first / power * power + power - 1, end < last {
      ends.insert(end)
      power *= 10
    }
    power = 10
    while case let end = (last + 1) / power * power - 1, end > first {
      ends.insert(end)
      power *= 10
    }
    var start = first
    var parts: [String] = []
    for end in ends.sorted() where end >= start {
      parts.append(digits(start, end))
      start = end + 1
    }
    return parts.joined(separator: "|")
  }

  /// Returns a pattern for numbers of the same length whose digits vary independently.
  private static func digits(_ first: Int, _ last: Int) -> String {
    zip("\(first)", "\(last)").map { a, b in a == b ? "\(a)" : "[\(a)-\(b)]" }.joined()
  }
}
