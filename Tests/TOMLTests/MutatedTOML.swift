import TestSupport

/// Texts that are nearly valid TOML.
struct MutatedTOML {
  private var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  private static let statements = [
    "[a]", "[a.b]", "[[a]]", "[[a.b]]", "[ b . \"a\" ]", "a = 1", "a.b = 1.5", "b.a = true", "b = [1, 2.0, [\"x\"], {a = 1}]",
    "a = { b = 1, c.d = 'x' }",
    "c = \"a\\tb\\u00e9\\\\\"", "d = '''\nx''y\n'''", "e = \"\"\"\na \\\n  b\"\"\"\"", "f = 1979-05-27T07:32:00.5Z",
    "g = 1979-05-27 07:32:00", "h = 0xff_ff",
    "i = -1_000.5e-3", "j = -inf # comment", "k = [\n  1, # one\n  2,\n]", "\"k e\" . 'y' = 0b11", "l = 07:32:00", "m = +0o17", "# comment",
  ]
  private static let tokens = [
    "[", "]", "[[", "]]", "{", "}", "=", ",", ".", "\"", "'", "\"\"\"", "'''", "\\", "#", "\n", "\r\n", " ", "\t", "\u{1}", "true", "nan",
    "inf", "+", "-", "_", "0",
    "1", "1e5", "0x", "é", "a", "b", "\\n", "\\u0041", "\\U0001F44B", "\\\n", "T", ":", "Z",
  ]

  func texts(count: Int) -> [String] {
    var copy = self
    return (0..<count).map { _ in copy.text() }
  }

  private mutating func text() -> String {
    let lines = (0..<Int.random(in: 1...4, using: &random)).map { _ in Self.statements.randomElement(using: &random) ?? "" }
    var text = Array(lines.joined(separator: "\n").unicodeScalars)
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let place = Int.random(in: 0...text.count, using: &random)
      let end = Swift.min(text.count, place + Int.random(in: 0...3, using: &random))
      let token = (Self.tokens.randomElement(using: &random) ?? "").unicodeScalars
      switch Int.random(in: 0..<3, using: &random) {
      case 0: text.removeSubrange(place..<end)
      case 1: text.replaceSubrange(place..<end, with: token)
      default: text.insert(contentsOf: token, at: place)
      }
    }
    var result = String.UnicodeScalarView()
    result.append(contentsOf: text)
    return String(result)
  }
}
