import Terminal
import Testing

@Suite struct ScreenPainterTests {
  private let size = TerminalSize(columns: 80, rows: 3)

  @Test func `each frame overwrites the previous one`() {
    var painter = ScreenPainter()
    #expect(painter.paint(["a", "b"], size: size) == "\n\n\u{1B}[?25l\u{1B}[Ha\u{1B}[K\r\nb\u{1B}[K\r\n\u{1B}[J")
    #expect(painter.paint(["c"], size: size) == "\u{1B}[?25l\u{1B}[Hc\u{1B}[K\r\n\u{1B}[J")
  }

  @Test func `the cursor is restored once, and only if it was hidden`() {
    var painter = ScreenPainter()
    #expect(painter.finish() == "")
    _ = painter.paint([], size: size)
    #expect(painter.finish() == "\u{1B}[?25h")
    #expect(painter.finish() == "")
  }
}
