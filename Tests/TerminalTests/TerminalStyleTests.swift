import Terminal
import Testing

@Suite struct TerminalStyleTests {
  @Test(
    arguments: [
      (true, ["TERM": "xterm"], true, true), (true, ["TERM": "xterm", "NO_COLOR": "1"], false, true),
      (true, ["TERM": "xterm", "NO_COLOR": ""], true, true),
      (true, ["TERM": "dumb"], false, false), (true, [:], false, false), (false, ["TERM": "xterm"], false, false),
    ] as [(Bool, [String: String], Bool, Bool)])
  func `colours and redrawing require a capable terminal`(isTerminal: Bool, environment: [String: String], colours: Bool, redraw: Bool) {
    let style = TerminalStyle(isTerminal: isTerminal) { environment[$0] }
    #expect(style.hasColours == colours)
    #expect(style.canRedraw == redraw)
  }

  @Test(
    arguments: [
      (["LANG": "de_DE.UTF-8"], true), (["LANG": "C.utf8"], true), (["LC_ALL": "C", "LANG": "en_US.UTF-8"], false),
      (["LC_ALL": "", "LANG": "C.UTF-8"], true),
      (["LC_CTYPE": "en_US.UTF-8", "LANG": "C"], true), (["LANG": "de_DE.UTF-8@euro"], true), (["LANG": "de_DE"], false),
      (["LANG": "de_DE.ISO-8859-1"], false), ([:], false),
    ] as [([String: String], Bool)])
  func `the locale determines the character set`(environment: [String: String], unicode: Bool) {
    #expect(TerminalStyle(isTerminal: false) { environment[$0] }.hasUnicode == unicode)
  }
}
