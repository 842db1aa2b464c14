/// The display abilities of a terminal.
public struct TerminalStyle: Hashable, Sendable {
  public var hasColours: Bool
  /// Whether characters other than ASCII can be shown.
  public var hasUnicode: Bool
  /// Whether later lines can cover earlier ones.
  public var canRedraw: Bool

  public init(hasColours: Bool, hasUnicode: Bool, canRedraw: Bool) {
    self.hasColours = hasColours
    self.hasUnicode = hasUnicode
    self.canRedraw = canRedraw
  }

  /// - Parameter environment: a dumb or missing `TERM` can neither redraw nor show colours, and `NO_COLOR` (no-color.org) disables colours;
  ///   the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set selects the character set (POSIX.1-2017, 8.2).
  public init(isTerminal: Bool, environment: (String) -> String?) {
    func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    canRedraw = isTerminal && value("TERM").map { $0 != "dumb" } ?? false
    hasColours = canRedraw && value("NO_COLOR") == nil
    let locale = (value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? "").uppercased()
    let codeset = locale.split(separator: ".").dropFirst().first?.split(separator: "@").first
    hasUnicode = codeset == "UTF-8" || codeset == "UTF8"
  }
}

// MARK: Glyphs

extension TerminalStyle {
  var plusMinus: String { hasUnicode ? "±" : "+-" }
  /// The sign for an unknown value.
  var dash: String { hasUnicode ? "–" : "-" }
  var ellipsis: String { hasUnicode ? "…" : "..." }
  /// Eight heights, lowest first.
  var bars: [Character] { Array(hasUnicode ? "▁▂▃▄▅▆▇█" : "_.,-=+*#") }
}

// MARK: Colours

extension TerminalStyle {
  /// Select Graphic Rendition, ECMA-48, 8.3.117.
  enum Emphasis: String, Sendable {
    case bold = "1"
    case faint = "2"
    case green = "32"
    case cyan = "36"
    case boldGreen = "1;32"
    case reversed = "7"
  }

  func emphasise(_ text: String, _ emphasis: Emphasis?) -> String {
    guard hasColours, let emphasis else { return text }
    return "\u{1B}[\(emphasis.rawValue)m\(text)\u{1B}[0m"
  }
}
