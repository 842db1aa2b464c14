/// A pair of numbers such as `12.5,8@first`, which is a point of a plan or a coordinate.
///
/// Metres on a plan have at most two decimals, and a coordinate has four or more. A pair between them could be either, so it is refused.
public struct PointText: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case plan(x: Double, y: Double)
    case coordinate(latitude: Double, longitude: Double)
  }

  public let kind: Kind
  /// The words behind the @; nil without one.
  public let level: String?

  /// A pair that could be metres or a coordinate. Its description says how to write either.
  public struct Ambiguity: Error, Hashable, CustomStringConvertible {
    public let text: String

    public var description: String {
      "\"\(text)\" could be metres on a plan or a coordinate; write metres with at most two decimals, "
        + "or latitude and longitude with at least four each, such as 48.1370,11.5750"
    }
  }

  private static let mostOfMetres = 2
  private static let leastOfDegrees = 4

  /// Returns nil for a text that is not a pair of numbers.
  public init?(_ text: String) throws(Ambiguity) {
    let halves = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let parts = halves[0].split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0) }.filter(\.isFinite)
    guard parts.count == 2, numbers.count == 2 else { return nil }
    level = halves.count > 1 ? String(halves[1]) : nil
    let decimals = parts.map { $0.split(separator: ".", omittingEmptySubsequences: false).dropFirst().first?.count ?? 0 }
    if decimals.allSatisfy({ $0 <= Self.mostOfMetres }) {
      kind = .plan(x: numbers[0], y: numbers[1])
    } else if decimals.allSatisfy({ $0 >= Self.leastOfDegrees }) {
      kind = .coordinate(latitude: numbers[0], longitude: numbers[1])
    } else {
      throw Ambiguity(text: text)
    }
  }
}
