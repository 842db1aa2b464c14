import MonitorConfiguration
import Testing

@Suite struct SyntaxErrorTests {
  @Test(
    arguments: [
      ("source = ", "t:1:10: the end of the file is not a value; put text in quotes"),
      ("source = capture:a", "t:1:10: \"capture:a\" is not a value; put text in quotes"),
      ("a = 1\na = 2", "t:2:1: \"a\" is already defined in line 1; remove one of them"),
      ("\n\n[region", "t:3:8: the end of the file is not allowed in a header; write [name]"),
      ("[[region]\n", "t:1:9: \"]\" is not allowed in a header; write [[name]]"),
      ("[.a]", "t:1:2: \".\" is not a key; use letters, digits, - and _, or put the key in quotes"),
      ("a = \"x", "t:1:7: the text never ends; put a \" at its end"),
      ("a = \"x\n\"", "t:1:7: the text does not end on its line; put a quote at its end"),
      ("a = \"\\d\"", "t:1:6: this escape is not one of \\b \\t \\n \\f \\r \\\" \\\\ \\u \\U; write \\\\ for a backslash"),
      ("a = 99999999999999999999", "t:1:5: 99999999999999999999 does not fit into 64 bits; write a smaller number"),
      ("a = [1, 2", "t:1:10: the end of the file is not allowed in a list; write a comma between values and ] at the end"),
      (
        "a = { b = 1\n}", "t:1:12: the end of the line is not allowed in { }; write a comma between keys and } at the end, all on one line"
      ),
      ("a = 1 b = 2", "t:1:7: \"b\" is not allowed here; start a new line"),
      ("a: 1", "t:1:2: \":\" is not =; write key = value"),
      ("# \u{7}", "t:1:3: this is a control character; remove it"),
      ("a = [[[[[[[[[[[[[[[[[", "t:1:21: this is nested deeper than 16 levels, the limit"),
    ])
  func `text that is not TOML is refused with line and column`(text: String, message: String) {
    let error = #expect(throws: ConfigurationError.self) { try Configuration.parse(text: text, name: "t") }
    #expect(error?.description == message)
  }

  @Test(arguments: ["\nsource = \"\\u0000\"", "[[notifier.action]]\ncommand = [\"a\\u0000\"]"])
  func `a zero character is refused`(text: String) {
    let error = #expect(throws: ConfigurationError.self) { try Configuration.parse(text: text, name: "t") }
    #expect(error?.description.hasPrefix("t:2: ") == true)
    #expect(error?.description.hasSuffix("contains a zero character; remove it") == true)
  }
}
