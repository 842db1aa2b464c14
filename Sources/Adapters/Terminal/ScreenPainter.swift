/// Turns frames into what a terminal has to be sent, so that each covers the one before and the last one stays when the program ends.
///
/// Control sequences: ECMA-48 and, for the cursor, DEC's private mode 25. The texts go to the terminal whole.
public struct ScreenPainter: Sendable {
  private var hasBegun = false

  public init() {}

  /// - Parameters:
  ///   - lines: fewer than the window has rows, none wider than it.
  ///   - size: of the window now.
  public mutating func paint(_ lines: [String], size: TerminalSize) -> String {
    var text = ""
    if !hasBegun {
      // What is on the screen moves up and away instead of being overwritten.
      text += String(repeating: "\n", count: Swift.max(0, size.rows - 1))
      hasBegun = true
    }
    // A shell that had the terminal in between has shown the cursor.
    text += Self.hideCursor + Self.home
    for line in lines { text += line + Self.clearToEndOfLine + "\r\n" }
    return text + Self.clearBelow
  }

  /// Gives the terminal back; the cursor stands below the last frame.
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
