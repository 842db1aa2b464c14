/// Converts frames to terminal output, so that each covers the one before and the last one stays when the program ends.
///
/// Control sequences: ECMA-48 and, for the cursor, DEC's private mode 25. The texts go to the terminal whole.
public struct ScreenPainter: Sendable {
  private var hasBegun = false

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
    // A shell that had the terminal in between has shown the cursor.
    text += Self.hideCursor + Self.home
    for line in lines { text += line + Self.clearToEndOfLine + "\r\n" }
    return text + Self.clearBelow
  }

  /// Returns the output that releases the terminal; the cursor moves below the last frame.
  public mutating func finish() -> String {
    defer { hasBegun = false }
    return hasBegun ? Self.showCursor : ""
  }

  private static let home = "\u{1B}[H"
  private static let clearToEndOfLine = "\u{1B}[K"
  private static let clearBelow = "\u{1B}[J"
  private static let hideCursor = "\u{1B}[?25l"
  private static let showCursor = "\u{1B}[?25h"
}
