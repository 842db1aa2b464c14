import Instants
import Records

/// The progress of a replay as one line on a terminal.
public struct ProgressBar: Sendable {
  private let style: TerminalStyle

  public init(style: TerminalStyle) {
    self.style = style
  }

  /// Moves the cursor back and erases the line.
  public static let erase = "\r\u{1B}[K"

  /// Returns the line, which covers the line before.
  ///
  /// - Parameters:
  ///   - done: octets.
  ///   - total: octets; nil for a pipe, whose length is unknown.
  ///   - captured: the capture's own time that has passed.
  ///   - rate: advertisements per second of real time.
  public func text(done: Int64, total: Int64?, captured: Span, rate: Double, columns: Int) -> String {
    // The last column stays free: some terminals wrap after it.
    let width = Swift.max(0, columns - 1)
    let facts = "\(Self.clock(captured))  \(Self.count(rate)) adv/s"
    guard let total, total > 0 else { return Self.erase + "\(Self.size(done))  \(facts)".clipped(width, ellipsis: style.ellipsis) }
    let share = Swift.min(1, Swift.max(0, Double(done) / Double(total)))
    let percent = "\(Int(share * 100)) %".padded(5, isRight: true)
    let room = Swift.min(40, width - facts.count - percent.count - 6)
    guard room >= 5 else { return Self.erase + "\(percent)  \(facts)".clipped(width, ellipsis: style.ellipsis) }
    let filled = Int(share * Double(room))
    let bar =
      String(repeating: style.hasUnicode ? "█" : "#", count: filled) + String(repeating: style.hasUnicode ? "░" : ".", count: room - filled)
    return Self.erase + "[\(bar)]\(percent)  \(facts)"
  }

  /// Returns hours, minutes and seconds: `1:02:03`.
  static func clock(_ span: Span) -> String {
    let seconds = Swift.max(0, span.microseconds / 1_000_000)
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
  }

  /// Returns a number with three digits at most: `1.2 M`.
  private static func count(_ value: Double) -> String {
    switch value {
    case 1e6...: "\(Decimal.text(value / 1e6, decimals: 1) ?? "?") M"
    case 1e3...: "\(Decimal.text(value / 1e3, decimals: 0) ?? "?") k"
    default: Decimal.text(value, decimals: 0) ?? "?"
    }
  }

  private static func size(_ octets: Int64) -> String { "\(Decimal.text(Double(octets) / 1_048_576, decimals: 1) ?? "?") MiB" }
}

/// The times at which a progress bar is painted.
public struct ProgressPace: Sendable {
  /// The shortest time between two paints. A command that takes less shows no bar.
  private static let interval = Span.milliseconds(100)

  private var painted = Span.zero
  private var isVisible = false

  public init() {}

  /// Returns whether to paint the bar after a time from the start; a bar that other text has replaced returns at once.
  public mutating func show(at elapsed: Span) -> Bool {
    guard !isVisible && painted > .zero || elapsed > painted + Self.interval else { return false }
    (painted, isVisible) = (elapsed, true)
    return true
  }

  /// Returns whether to erase the bar, before text that may go to the same terminal.
  public mutating func hide() -> Bool {
    defer { isVisible = false }
    return isVisible
  }
}
