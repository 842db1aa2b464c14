/// A number of things in a message.
public enum Count {
  /// Returns the number with its noun: `1 region`, `2 regions`.
  ///
  /// - Parameters:
  ///   - singular: The noun for 1, with a verb if one follows: `row was`.
  ///   - plural: The same for other numbers; nil for the singular with an "s".
  public static func text(_ count: some BinaryInteger, _ singular: String, plural: String? = nil) -> String {
    "\(count) \(count == 1 ? singular : plural ?? singular + "s")"
  }
}
