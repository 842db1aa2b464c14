import MonitorConfiguration
import Testing

@Suite struct SyntaxErrorTests {
  @Test(
    arguments: [
      ("source = ", "t:1:10: is not TOML: "), ("a = 1\na = 2", "t:2:5: is not TOML: "), ("\n\n[region", "t:3:8: is not TOML: "),
      ("a = \"x", "t:1:7: is not TOML: "), ("a = 99999999999999999999", "t:1:25: is not TOML: "), ("a = [1, 2", "t:1:10: is not TOML: "),
      ("a = 1 b = 2", "t:1:7: is not TOML: "),
    ])
  func `a text that is no TOML is refused with line and column`(text: String, beginning: String) {
    let error = #expect(throws: ConfigurationError.self) { try Configuration.parse(text: text, name: "t") }
    #expect(error?.description.hasPrefix(beginning) == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("\n") == false)
  }

  @Test(
    arguments: [
      "a = " + String(repeating: "[", count: 10_000), "a = " + String(repeating: "{a=", count: 10_000),
      "a = " + String(repeating: "[{a=", count: 10_000), String(repeating: "a.", count: 300_000) + "a = 1\n!",
      "[" + String(repeating: "a.", count: 300_000) + "a]\n!", "a = {" + String(repeating: "a.", count: 300_000) + "a = 1}\n!",
      "x = 'a'#[\n" + String(repeating: "\"a\".", count: 10_000) + "a = 1",
    ])
  func `nesting without end is refused`(text: String) {
    let line = text.hasPrefix("x") ? 2 : 1
    let error = #expect(throws: ConfigurationError.self) { try Configuration.parse(text: text, name: "t") }
    #expect(error?.description == "t:\(line): is nested deeper than 16 levels; nothing here needs that")
  }

  @Test(arguments: ["[.a]", "[ ]", "[[.a]]", "[", "[[", "[=]", "[]", "[#]", "[\n]", "[[ [a]]"])
  func `a header without a name is refused`(text: String) {
    let error = #expect(throws: ConfigurationError.self) { try Configuration.parse(text: text, name: "t") }
    #expect(error?.description == "t:1: is not TOML: a name belongs after the bracket, as in [ranging]")
  }

  @Test(arguments: ["a = 1\n#\0", "a = 1\nb = \"\\u0000\"", "\nb = [\"\\U00000000\"]", "\n\0"])
  func `a zero character is refused`(text: String) {
    let error = #expect(throws: ConfigurationError.self) { try Configuration.parse(text: text, name: "t") }
    #expect(error?.description == "t:2: holds a zero character; remove it")
  }
}
