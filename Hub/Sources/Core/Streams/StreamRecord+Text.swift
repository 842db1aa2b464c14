extension StreamRecord {
  /// The gaps as PostgreSQL reads a multirange, such as `{[3,3],[7,9]}`.
  public var gapsText: String { "{" + gaps.map { "[\($0.lowerBound),\($0.upperBound)]" }.joined(separator: ",") + "}" }

  /// Parses the gaps as PostgreSQL writes a multirange, such as `{[3,4),[7,10)}`; nil for any other text.
  public static func gaps(_ text: String) -> [ClosedRange<Int64>]? {
    guard text.first == "{", text.last == "}" else { return nil }
    let bounds = text.split { "{}[),".contains($0) }.map { Int64($0) }
    guard bounds.count.isMultiple(of: 2) else { return nil }
    var gaps: [ClosedRange<Int64>] = []
    for index in stride(from: 0, to: bounds.count, by: 2) {
      guard let lower = bounds[index], let end = bounds[index + 1], lower < end else { return nil }
      gaps.append(lower...end - 1)
    }
    return gaps
  }
}
