import ConfigurationTree
import TOML
import Testing

/// Every text is `a = …` with the value of the case. The values are the examples of toml.io/en/v1.0.0, if it has one.
@Suite struct TOMLValueTests {
  private func value(_ text: String) throws -> ConfigurationNode.Value? { try TOMLParser.parse("a = \(text)")["a"]?.value }

  @Test(
    arguments: [
      (#""""#, ""),
      (
        #""I'm a string. \"You can quote me\". Name\tJos\u00E9\nLocation\tSF.""#,
        "I'm a string. \"You can quote me\". Name\tJosé\nLocation\tSF."
      ),
      (#""\U0001F44B""#, "👋"), ("\"\"\"\nRoses are red\nViolets are blue\"\"\"", "Roses are red\nViolets are blue"),
      ("\"\"\"\r\na\r\nb\"\"\"", "a\nb"),
      ("\"\"\"\nThe quick brown \\\n\n\n  fox jumps over \\\n    the lazy dog.\"\"\"", "The quick brown fox jumps over the lazy dog."),
      ("\"\"\"\\\n       The quick brown \\\n       fox.\\\n       \"\"\"", "The quick brown fox."),
      (#""""Here are two quotation marks: "". Simple enough.""""#, #"Here are two quotation marks: "". Simple enough."#),
      (#"""""This," she said, "is just a pointless statement."""""#, #""This," she said, "is just a pointless statement.""#),
      (#""""Here are fifteen quotation marks: ""\"""\"""\"""\"""\".""""#, #"Here are fifteen quotation marks: """"""""""""""""# + "."),
      ("\"\"\"a\"\"\"\"\"", "a\"\""), (#"'C:\Users\nodejs\templates'"#, #"C:\Users\nodejs\templates"#),
      ("'Tom \"Dubs\" Preston-Werner'", "Tom \"Dubs\" Preston-Werner"),
      (#"'''I [dw]on't need \d{2} apples'''"#, #"I [dw]on't need \d{2} apples"#),
      ("''''That,' she said, 'is still pointless.''''", "'That,' she said, 'is still pointless.'"),
      ("\"\tä # no comment\"", "\tä # no comment"),
    ])
  func `a string is read`(text: String, expected: String) throws {
    #expect(try value(text) == .text(expected))
  }

  @Test(
    arguments: [
      ("+99", 99), ("42", 42), ("0", 0), ("-17", -17), ("+0", 0), ("1_000", 1000), ("5_349_221", 5_349_221), ("1_2_3_4_5", 12345),
      ("0xDEADBEEF", 0xDEAD_BEEF), ("0xdead_beef", 0xDEAD_BEEF), ("0o01234567", 0o1234567), ("0o755", 0o755), ("0b11010110", 0b1101_0110),
      ("9223372036854775807", .max), ("-9223372036854775808", .min),
    ] as [(String, Int)])
  func `an integer is read`(text: String, expected: Int) throws {
    #expect(try value(text) == .integer(expected))
  }

  @Test(
    arguments: [
      ("+1.0", 1), ("3.1415", 3.1415), ("-0.01", -0.01), ("5e+22", 5e22), ("1e06", 1e6), ("-2E-2", -2e-2), ("6.626e-34", 6.626e-34),
      ("224_617.445_991_228", 224_617.445_991_228), ("inf", .infinity), ("+inf", .infinity), ("-inf", -.infinity), ("1e400", .infinity),
    ] as [(String, Double)])
  func `a decimal number is read`(text: String, expected: Double) throws {
    #expect(try value(text) == .number(expected))
  }

  @Test(arguments: ["nan", "+nan", "-nan"])
  func `not a number is read`(text: String) throws {
    guard case .number(let number) = try value(text) else {
      Issue.record("no number")
      return
    }
    #expect(number.isNaN)
  }

  @Test(
    arguments: [
      ("1979-05-27T07:32:00Z", "1979-05-27T07:32:00Z"), ("1979-05-27T00:32:00.999999-07:00", "1979-05-27T00:32:00.999999-07:00"),
      ("1979-05-27 07:32:00Z", "1979-05-27T07:32:00Z"), ("1979-05-27T07:32:00", "1979-05-27T07:32:00"), ("1979-05-27", "1979-05-27"),
      ("1979-05-27 # day", "1979-05-27"), ("07:32:00", "07:32:00"), ("00:32:00.999999", "00:32:00.999999"), ("2000-02-29", "2000-02-29"),
    ])
  func `a date or time is distinguished from other values`(text: String, expected: String) throws {
    #expect(try value(text) == .date(expected))
  }

  @Test(
    arguments: [
      "", "tru", "True", "1__0", "_1", "1_", "01", "-01", "+-1", "0x", "0xg", "+0x1", "0x_1", "1.", ".1", "1.e2", "1e", "1e_1", "1.2.3",
      "Inf",
      "1979-02-29", "1900-02-29", "1979-13-01", "24:00:00", "07:32", "1979-05-27T07:32:00+24:00", "9223372036854775808", "text", "\"a",
      "'a",
      "\"a\nb\"", "\"\\x41\"", "\"\\uD800\"", "\"\\u12\"", "\"\\U00110000\"", "\"\"\"a\"\"", "'''a''", "'''a''''''", "\"a\u{7F}\"",
      "'\u{1}'", "[1, 2", "[1 2]",
      "[,]", "[1,,2]", "{ a = 1, }", "{ a = 1\n}", "{ a }", "{ a = 1, a = 2 }", "{ a.b = 1, a = 2 }", "{ a = {}, a.b = 1 }", "]", ",", "}",
      "[[[[}=", "1 2",
      "1 # \u{1}", "\"a\r\"", "'''\r'''",
    ])
  func `malformed text is not a value`(text: String) {
    #expect(throws: TOMLSyntaxError.self) { try value(text) }
  }
}
