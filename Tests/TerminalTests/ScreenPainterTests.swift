import Terminal
import Testing

@Suite struct ScreenPainterTests {
  private let size = TerminalSize(columns: 80, rows: 3)

  @Test func `each frame overwrites the previous one`() {
    var painter = ScreenPainter()
    #expect(painter.paint(["a", "b"], size: size) == "\n\n\u{1B}[?25l\u{1B}[Ha\u{1B}[K\r\nb\u{1B}[K\r\n\u{1B}[J")
    #expect(painter.paint(["c"], size: size) == "\u{1B}[?25l\u{1B}[Hc\u{1B}[K\r\n\u{1B}[J")
  }

  @Test func `an update has only the lines that changed, and a whole frame after another size or program`() {
    var painter = ScreenPainter()
    let whole = painter.update(["a", "b"], size: size)
    #expect(whole == "\n\n\u{1B}[?25l\u{1B}[Ha\u{1B}[K\r\nb\u{1B}[K\r\n\u{1B}[J")
    #expect(painter.update(["a", "c"], size: size) == "\u{1B}[2;1Hc\u{1B}[K\u{1B}[3;1H\u{1B}[J")
    #expect(painter.update(["a", "c"], size: size) == "")
    #expect(painter.update(["a"], size: size) == "\u{1B}[2;1H\u{1B}[J")
    #expect(painter.update(["a", "d"], size: size) == "\u{1B}[2;1Hd\u{1B}[K\u{1B}[3;1H\u{1B}[J")
    #expect(painter.update(["a"], size: TerminalSize(columns: 40, rows: 3)).hasPrefix("\u{1B}[?25l\u{1B}[Ha"))
    painter.forget()
    #expect(painter.update(["a"], size: TerminalSize(columns: 40, rows: 3)).hasPrefix("\u{1B}[?25l\u{1B}[Ha"))
  }

  @Test func `the cursor is restored once, and only if it was hidden`() {
    var painter = ScreenPainter()
    #expect(painter.finish() == "")
    _ = painter.paint([], size: size)
    #expect(painter.finish() == "\u{1B}[?25h")
    #expect(painter.finish() == "")
  }
}
