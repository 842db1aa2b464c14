/// A table on a terminal: columns are as wide as their cells, and narrower or dropped if the window is too narrow.
struct TextTable {
  struct Column {
    let title: String
    /// The width to which a cell is cut before a column is dropped; nil for a column that is never cut.
    var leastWidth: Int? = nil
    /// The order in which columns are dropped, ascending; nil for a column that stays.
    var dropOrder: Int? = nil
    /// Whether the last column's cells are broken between words and continue below, instead of being cut.
    var isWrapped = false
    var emphasis: (String) -> TerminalStyle.Emphasis? = { _ in nil }
  }

  private static let gap = 2

  let style: TerminalStyle
  let columns: [Column]
  /// Texts without control characters, one for each column.
  var rows: [[String]] = []
  /// Indented sentences on lines of their own below each row, in the order of `rows`.
  var notes: [[String]] = []

  init(style: TerminalStyle, _ columns: [Column]) {
    self.style = style
    self.columns = columns
  }

  /// Returns the header and the rows.
  ///
  /// - Parameter width: of the window; nil for as wide as the cells are.
  func lines(_ width: Int?) -> [String] {
    let layout = layout(width)
    let header = line(layout.map { ($0.index, $0.width, columns[$0.index].title, nil) }, width)
    var lines = header.map { style.emphasise($0, .faint) }
    for (index, row) in rows.enumerated() {
      lines += line(layout.map { ($0.index, $0.width, row[$0.index], columns[$0.index].emphasis(row[$0.index])) }, width)
      lines += (index < notes.count ? notes[index] : []).flatMap { note in
        note.wrapped(width.map { $0 - 2 }).map { "  \($0)" }
      }
    }
    return lines
  }

  private typealias Cell = (index: Int, width: Int, text: String, emphasis: TerminalStyle.Emphasis?)

  private func line(_ cells: [Cell], _ width: Int?) -> [String] {
    let start = cells.dropLast().reduce(0) { $0 + $1.width + Self.gap }
    guard let last = cells.last else { return [] }
    let texts = cells.dropLast().map { cell in
      style.emphasise(cell.text.fitted(cell.width, ellipsis: style.ellipsis), cell.emphasis) + String(repeating: " ", count: Self.gap)
    }
    let end =
      columns[last.index].isWrapped
      ? last.text.wrapped(width == nil ? nil : last.width) : [last.text.clipped(last.width, ellipsis: style.ellipsis)]
    let first = (texts + [style.emphasise(end.first ?? "", last.emphasis)]).joined().withoutTrailingBlanks
    return [first] + end.dropFirst().map { String(repeating: " ", count: start) + $0 }
  }

  /// Returns the columns that are shown, and their widths.
  private func layout(_ width: Int?) -> [(index: Int, width: Int)] {
    let natural = columns.indices.map { index in
      rows.reduce(columns[index].title.columns) { Swift.max($0, $1[index].columns) }
    }
    var shown = Array(columns.indices)
    guard let width else { return shown.map { ($0, natural[$0]) } }
    func gaps() -> Int { Self.gap * Swift.max(0, shown.count - 1) }
    func least(_ index: Int) -> Int { columns[index].leastWidth.map { Swift.min($0, natural[index]) } ?? natural[index] }
    while shown.reduce(0, { $0 + least($1) }) + gaps() > width {
      let dispensable = shown.compactMap { index in columns[index].dropOrder.map { (rank: $0, index: index) } }
      guard let leaving = dispensable.min(by: { $0.rank < $1.rank }) else { break }
      shown.removeAll { $0 == leaving.index }
    }
    var widths = Dictionary(uniqueKeysWithValues: shown.map { ($0, natural[$0]) })
    var excess = widths.values.reduce(0, +) + gaps() - width
    // The widest column shrinks first; in a window that is too narrow for all, those that are never cut shrink as well.
    for limit in [least, { _ in 1 }] {
      while excess > 0, let widest = shown.filter({ (widths[$0] ?? 0) > limit($0) }).max(by: { (widths[$0] ?? 0) < (widths[$1] ?? 0) }) {
        widths[widest, default: 0] -= 1
        excess -= 1
      }
    }
    return shown.map { ($0, widths[$0] ?? 0) }
  }
}
