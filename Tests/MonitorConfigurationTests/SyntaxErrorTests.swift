import MonitorConfiguration
import Testing

@Suite struct SyntaxErrorTests {
  @Test(
    arguments: [
      ("source = ", "t:1:10: the end of the file stands where a value belongs; texts stand in quotes"),
      ("source = capture:a", "t:1:10: \"capture:a\" is no value; texts stand in quotes"),
      ("a = 1\na = 2", "t:2:1: \"a\" is already there in line 1; keep one of them"),
      ("\n\n[region", "t:3:8: the end of the file does not belong in a header; write [name]"),
      ("[[region]\n", "t:1:9: \"]\" does not belong in a header; write [[name]]"),
      ("[.a]", "t:1:2: \".\" stands where a name belongs; it has letters, digits, - and _, or stands in quotes"),
      ("a = \"x", "t:1:7: the text never ends; put a \" at its end"),
      ("a = \"x\n\"", "t:1:7: the text does not end on its line; put a quote at its end"),
      ("a = \"\\d\"", "t:1:6: this escape is none of \\b \\t \\n \\f \\r \\\" \\\\ \\u \\U; write \\\\ for a backslash"),
      ("a = 99999999999999999999", "t:1:5: 99999999999999999999 does not fit into 64 bits; write a smaller number"),
      ("a = [1, 2", "t:1:10: the end of the file does not belong in a list; write a comma between values and ] at the end"),
      (
        "a = { b = 1\n}", "t:1:12: the end of the line does not belong in { }; write a comma between keys and } at the end, all on one line"
      ),
      ("a = 1 b = 2", "t:1:7: \"b\" does not belong here; a new line has to begin"),
      ("a: 1", "t:1:2: \":\" stands where = belongs; write key = value"),
      ("# \u{7}", "t:1:3: a control character stands here; remove it"),
      ("a = [[[[[[[[[[[[[[[[[", "t:1:21: this is nested deeper than 16 levels; nothing needs that"),
    ])
  func `a text that is no TOML is refused with line and column`(text: String, message: String) {
    let error = #expect(throws: ConfigurationError.self) { try Configuration.parse(text: text, name: "t") }
    #expect(error?.description == message)
  }

  @Test(arguments: ["\nsource = \"\\u0000\"", "[[notifier.action]]\ncommand = [\"a\\u0000\"]"])
  func `a zero character is refused`(text: String) {
    let error = #expect(throws: ConfigurationError.self) { try Configuration.parse(text: text, name: "t") }
    #expect(error?.description.hasPrefix("t:2: ") == true)
    #expect(error?.description.hasSuffix("holds a zero character; remove it") == true)
  }
}
