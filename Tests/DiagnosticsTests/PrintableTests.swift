import Diagnostics
import Testing

@Suite struct PrintableTests {
  @Test(
    arguments: [
      ("plain é 日本 👩‍👧", "plain é 日本 👩‍👧"), ("a\u{1B}[31mb", "a [31mb"), ("a\nb\r\tc\u{7F}", "a b  c "),
      // C1: a control sequence introducer in one character, and a next line.
      ("a\u{9B}31mb\u{85}c", "a 31mb c"), ("a\u{2028}b\u{2029}c", "a b c"),
      ("\u{202E}exe.\u{2066}x\u{2069}\u{200F}\u{061C}", " exe. x   "),
    ])
  func `terminal control characters become spaces`(text: String, line: String) {
    #expect(text.printableLine == line)
  }
}
