/// The comparison of problems of a device, whose texts contain counts and times.
public enum ProblemText {
  /// Returns the problems that are not among the former ones, apart from digits.
  public static func added(_ problems: [String], to former: [String]) -> [String] {
    let known = Set(former.map(form))
    return problems.filter { !known.contains(form($0)) }
  }

  private static func form(_ problem: String) -> String { String(problem.filter { !("0"..."9").contains($0) }) }
}
