/// Digits and a few letters that are several rows high, so that they are readable from a distance.
struct BigText {
  /// The rows of a character before scaling.
  /// A dot of a character is two columns wide, because a column is about half as wide as a row is high.
  static let rows = 5

  let text: String

  /// Returns the largest scale at which the text fits, at most `most`; zero if it does not fit.
  func scale(width: Int, rows: Int, most: Int = 4) -> Int {
    Swift.max(0, Swift.min(most, rows / Self.rows, width / Swift.max(1, columns(scale: 1))))
  }

  /// Returns `5 * scale` lines; a character without a picture is a blank.
  func lines(scale: Int, ink: Character) -> [String] {
    (0..<Self.rows).flatMap { row -> [String] in
      let line = text.map { character in
        let picture = Self.pictures[character] ?? Self.blank
        return picture[row].map { String(repeating: $0 == "#" ? ink : " ", count: 2 * scale) }.joined()
      }.joined(separator: String(repeating: " ", count: 2 * scale))
      return Array(repeating: line, count: scale)
    }
  }

  private func columns(scale: Int) -> Int {
    text.reduce(-2 * scale) { $0 + 2 * scale * ((Self.pictures[$1] ?? Self.blank)[0].count + 1) }
  }

  private static let blank = Array(repeating: "  ", count: 5)

  private static let pictures: [Character: [String]] = [
    "0": ["###", "# #", "# #", "# #", "###"],
    "1": [" # ", "## ", " # ", " # ", "###"],
    "2": ["###", "  #", "###", "#  ", "###"],
    "3": ["###", "  #", "###", "  #", "###"],
    "4": ["# #", "# #", "###", "  #", "  #"],
    "5": ["###", "#  ", "###", "  #", "###"],
    "6": ["###", "#  ", "###", "# #", "###"],
    "7": ["###", "  #", "  #", "  #", "  #"],
    "8": ["###", "# #", "###", "# #", "###"],
    "9": ["###", "# #", "###", "  #", "###"],
    ".": [" ", " ", " ", " ", "#"],
    "-": ["  ", "  ", "##", "  ", "  "],
    ">": ["#  ", " # ", "  #", " # ", "#  "],
    "m": ["     ", "     ", "#####", "# # #", "# # #"],
  ]
}
