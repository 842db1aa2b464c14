/// Converts frames to terminal output: each one covers the previous one, and the last one remains when the program ends.
///
/// Control sequences: ECMA-48 and, for the cursor, DEC's private mode 25. The texts go to the terminal whole.
public struct ScreenPainter: Sendable {
  private var hasBegun = false
  /// The last frame with the size of its window; nil if the terminal may show something else.
  private var last: (lines: [String], size: TerminalSize)?

  public init() {}

  /// Returns the output that shows a frame.
  ///
  /// - Parameters:
  ///   - lines: fewer than the window has rows, none wider than it.
  ///   - size: of the window now.
  public mutating func paint(_ lines: [String], size: TerminalSize) -> String {
    var text = ""
    if !hasBegun {
      // Earlier output scrolls away instead of being overwritten.
      text += String(repeating: "\n", count: Swift.max(0, size.rows - 1))
      hasBegun = true
    }
    last = (lines, size)
    // A shell that had the terminal in between has shown the cursor.
    text += Self.hideCursor + Self.home
    for line in lines { text += line + Self.clearToEndOfLine + "\r\n" }
    return text + Self.clearBelow
  }

  /// Returns the output that changes the last frame into this one: only the lines that differ.
  public mutating func update(_ lines: [String], size: TerminalSize) -> String {
    guard hasBegun, let last, last.size == size else { return paint(lines, size: size) }
    self.last = (lines, size)
    var text = ""
    for (row, line) in lines.enumerated() where row >= last.lines.count || last.lines[row] != line {
      text += Self.move(toRow: row) + line + Self.clearToEndOfLine
    }
    guard !text.isEmpty || lines.count != last.lines.count else { return "" }
    return text + Self.move(toRow: lines.count) + Self.clearBelow
  }

  /// Makes the next frame a whole one, because the terminal may show something else.
  public mutating func forget() {
    last = nil
  }

  /// Returns the output that releases the terminal; the cursor moves below the last frame.
  public mutating func finish() -> String {
    defer { (hasBegun, last) = (false, nil) }
    return hasBegun ? Self.showCursor : ""
  }

  /// Rows count from one in the sequence.
  private static func move(toRow row: Int) -> String { "\u{1B}[\(row + 1);1H" }

  private static let home = "\u{1B}[H"
  private static let clearToEndOfLine = "\u{1B}[K"
  private static let clearBelow = "\u{1B}[J"
  private static let hideCursor = "\u{1B}[?25l"
  private static let showCursor = "\u{1B}[?25h"
}
