import Records

/// The values of a minute as bars, with a scale of whole steps.
struct HistoryPlot {
  /// A value for each second, the latest last; nil for a second without one.
  let values: [Double?]
  /// The steps to which the ends of the scale are rounded, ascending.
  let steps: [Double]
  /// The lower end of the scale; nil for the least value.
  var lowest: Double?
  let style: TerminalStyle

  private static let labelWidth = 6

  /// Returns `rows` lines of at most `width` columns.
  func lines(width: Int, rows: Int) -> [String] {
    let columns = width - Self.labelWidth - 1
    guard rows > 0, columns > 0 else { return [] }
    let (bottom, top) = scale
    let levels = resampled(columns).map { value in
      value.map { Swift.max(1, Int((($0 - bottom) / (top - bottom) * Double(rows * Self.levels)).rounded())) } ?? 0
    }
    let wall = style.hasUnicode ? "│" : "|"
    return (0..<rows).map { row in
      let below = (rows - 1 - row) * Self.levels
      let cells = String(levels.map { bar(Swift.min(Self.levels, $0 - below)) })
      let label = row == 0 ? text(top) : row == rows - 1 ? text(bottom) : ""
      return label.padded(Self.labelWidth, isRight: true) + wall + cells
    }
  }

  /// The heights of a bar in one row.
  private static let levels = 8

  private func bar(_ level: Int) -> Character {
    guard level > 0 else { return " " }
    if style.hasUnicode { return style.bars[level - 1] }
    // Without part blocks a cell is full, half or empty.
    return level > 5 ? "#" : level > 2 ? ":" : "."
  }

  private func text(_ value: Double) -> String { Decimal.text(value, decimals: value == value.rounded() ? 0 : 1) ?? "" }

  /// The ends of the scale: multiples of the smallest step that makes at most six of them.
  private var scale: (bottom: Double, top: Double) {
    let known = values.compactMap { $0 }.filter(\.isFinite)
    let least = Swift.min(lowest ?? known.min() ?? 0, known.min() ?? 0)
    let most = known.max() ?? 1
    let step = steps.first { (most - least) / $0 <= 6 } ?? steps.last ?? 1
    let bottom = (least / step).rounded(.down) * step
    let top = (most / step).rounded(.up) * step
    return (bottom, top > bottom ? top : bottom + step)
  }

  /// Returns the values for a number of columns: means of several seconds, or repeated values.
  private func resampled(_ columns: Int) -> [Double?] {
    let count = values.count
    guard count > 0 else { return [] }
    return (0..<columns).map { column in
      let first = column * count / columns
      let end = Swift.max(first + 1, (column + 1) * count / columns)
      let known = values[first..<end].compactMap { $0 }.filter(\.isFinite)
      return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
    }
  }
}
