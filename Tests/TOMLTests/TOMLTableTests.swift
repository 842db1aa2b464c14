import ConfigurationTree
import TOML
import Testing

@Suite struct TOMLTableTests {
  /// Returns `a{b=1}` for a table and `[1,2]` for a list, with sorted keys.
  private func outline(_ nodes: [String: ConfigurationNode]) -> String {
    nodes.sorted { $0.key < $1.key }.map { "\($0)\(outline($1.value))" }.joined(separator: " ")
  }

  private func outline(_ value: ConfigurationNode.Value) -> String {
    switch value {
    case .table(let nodes): "{\(outline(nodes))}"
    case .list(let nodes): "[\(nodes.map { outline($0.value) }.joined(separator: ","))]"
    case .integer(let integer): "=\(integer)"
    case .text(let text): "=\(text)"
    case .number(let number): "=\(number)"
    case .flag(let flag): "=\(flag)"
    case .date(let date): "=\(date)"
    }
  }

  @Test(
    arguments: [
      ("", ""), ("a = 1\r\nb=2 # two", "a=1 b=2"), ("\"a b\" = 1\n'c.d' = 2\n\"\" = 3", "=3 a b=1 c.d=2"),
      ("a . b.'c' = 1\na.d = 2", "a{b{c=1} d=2}"),
      ("3.14 = 1", "3{14=1}"), ("a = [ 1, # one\n 2,\n ]", "a[=1,=2]"), ("a = [[1], {}, [ ]]", "a[[=1],{},[]]"),
      ("a = { b.c = 1, d = { } }", "a{b{c=1} d{}}"),
      ("[a]\n[a.b]\nc = 1", "a{b{c=1}}"), ("[a.b]\n[a]\nc = 1", "a{b{} c=1}"), ("[ a . \"b\" ] # comment", "a{b{}}"),
      ("[[a]]\nb = 1\n[[a]]\nb = 2", "a[{b=1},{b=2}]"), ("[[a]]\n[a.b]\nc = 1\n[[a.d]]\n[[a.d]]\n[[a]]", "a[{b{c=1} d[{},{}]},{}]"),
      ("a.b = 1\n[a.c]\nd = 2", "a{b=1 c{d=2}}"), ("[a.b.c]\n[a]\nb.d = 1", "a{b{c{} d=1}}"), ("\u{FEFF}a = 1", "a=1"),
    ])
  func `tables are combined`(text: String, expected: String) throws {
    #expect(outline(try TOMLParser.parse(text)) == expected)
  }

  @Test(
    arguments: [
      ("a = 1\na = 2", 2, 1), ("a.b = 1\na.b.c = 2", 2, 1), ("a = 1\n[a]", 2, 1), ("[a]\n[a]", 2, 1), ("[a]\nb = 1\n[a.b]", 3, 1),
      ("[[a]]\n[a]", 2, 1),
      ("[a]\n[[a]]", 2, 1), ("a = []\n[[a]]", 2, 1), ("a = {}\n[a.b]", 2, 1), ("a.b = 1\n[a]", 2, 1),
      ("[a.b]\n[c]\n[a]\nb.d = 1", 4, 1), ("[a.b.c]\n[a]\nb.d = 1\n[a.b]", 4, 1),
      ("[a]\n[b]\na = 1\nb = [\n1 2]", 5, 3), ("a b = 1", 1, 3), ("= 1", 1, 1), ("a =", 1, 4), ("a = 1 b = 2", 1, 7), ("[a] b = 1", 1, 5),
      ("[.a]", 1, 2),
      ("[]", 1, 2), ("[[a]", 1, 4), ("[a]]", 1, 4), ("[ [a]]", 1, 3), ("a. = 1", 1, 4), ("é = 1", 1, 1), ("'é' = ü", 1, 7),
      ("\"\"\"a\"\"\" = 1", 1, 3), ("a\n= 1", 1, 2),
      ("a = {}\na.b = 1", 2, 1), ("[[a]]\nb = 1\n[[a.b]]", 3, 1), ("[a]\n[a.b]\n[a]", 3, 1), ("a = 1\r", 1, 6),
    ])
  func `text that the specification forbids is refused with its position`(text: String, line: Int, column: Int) {
    let error = #expect(throws: TOMLSyntaxError.self) { try TOMLParser.parse(text) }
    #expect(error.map { [$0.line, $0.column] } == [line, column], "\(error?.message ?? "")")
  }

  @Test(arguments: ["[", "{a=", "[{a="])
  func `unbounded nesting is refused`(piece: String) {
    let error = #expect(throws: TOMLSyntaxError.self) { try TOMLParser.parse("a = " + String(repeating: piece, count: 100_000)) }
    #expect(error?.message == "this is nested deeper than 16 levels, the limit")
  }

  @Test(arguments: ["", "[", "b = {"])
  func `an unbounded key is refused`(before: String) {
    let error = #expect(throws: TOMLSyntaxError.self) { try TOMLParser.parse(before + String(repeating: "a.", count: 100_000)) }
    #expect(error?.message == "this is nested deeper than 16 levels, the limit")
  }

  /// Fails by its time limit if adding a table copies those before it.
  @Test(.timeLimit(.minutes(1))) func `a list of 160,000 tables is read`() throws {
    let top = try TOMLParser.parse(String(repeating: "[[a]]\n", count: 160_000))
    guard case .list(let tables) = top["a"]?.value else {
      Issue.record("no list")
      return
    }
    #expect(tables.count == 160_000)
  }

  @Test func `every value has its line`() throws {
    let text = "\n[a]\nb = [\n1,\n[2]]\n[a.c]\n[[d]]\n[[d]]\ne = '''\n\n'''\n\"ü\" = { \"é\" = 1 }"
    let top = try TOMLParser.parse(text)
    func positions(_ node: ConfigurationNode?) -> [String] {
      let own = node?.position.map { "\($0.line):\($0.column)" } ?? "none"
      return switch node?.value {
      case .list(let nodes): [own] + nodes.flatMap { positions($0) }
      case .table(let nodes): [own] + nodes.sorted { $0.key < $1.key }.flatMap { positions($0.value) }
      default: [own]
      }
    }
    #expect(positions(top["a"]) == ["2:1", "3:5", "4:1", "5:1", "5:2", "6:1"])
    #expect(positions(top["d"]) == ["7:1", "7:1", "8:1", "9:5", "12:7", "12:15"])
  }
}
