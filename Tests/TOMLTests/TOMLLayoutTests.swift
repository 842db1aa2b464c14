import ConfigurationTree
import TOML
import Testing

@Suite struct TOMLLayoutTests {
  private let text = """
    a = "ä" # b = "c"
      [t."x.y"]  # comment
    d.e = ['f', '''
    [[g]]
    ''', { h = "\\u00e4" }]

    [[g]]
    """

  private func part(_ octets: Range<Int>) -> String { String(decoding: Array(text.utf8)[octets], as: UTF8.self) }

  @Test func `statements are found without the comments after them`() throws {
    let layout = try TOMLParser.layout(of: text).layout
    #expect(
      layout.statements.map { part($0.octets) } == [
        "a = \"ä\"", "[t.\"x.y\"]", "d.e = ['f', '''\n[[g]]\n''', { h = \"\\u00e4\" }]", "[[g]]",
      ])
    #expect(layout.statements.map(\.isHeader) == [false, true, false, true])
    #expect(layout.statements.map(\.position.line) == [1, 2, 3, 7])
    #expect(layout.statements[1].position.column == 3)
  }

  @Test func `the values of a layout are those of lists and tables in braces, too, and texts have their quotes`() throws {
    let layout = try TOMLParser.layout(of: text).layout
    #expect(
      layout.values.sorted { $0.value.lowerBound < $1.value.lowerBound }.map { part($0.value) } == [
        "\"ä\"", "['f', '''\n[[g]]\n''', { h = \"\\u00e4\" }]", "'f'", "'''\n[[g]]\n'''", "{ h = \"\\u00e4\" }",
        "\"\\u00e4\"",
      ])
  }

  @Test func `a text that is not TOML has no layout`() {
    #expect(throws: TOMLSyntaxError.self) { try TOMLParser.layout(of: "a = ") }
  }
}
