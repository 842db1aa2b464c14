import Records

extension ListScreen {
  /// The smallest window for a list.
  static var leastSize: TerminalSize { TerminalSize(columns: 40, rows: 8) }

  /// Returns as many lines as fit with one row to spare, none wider than the window.
  public mutating func lines(size: TerminalSize) -> [String] {
    let rows = Swift.max(1, size.rows - 1)
    guard size.columns >= Self.leastSize.columns, size.rows >= Self.leastSize.rows else {
      return Array(refusal(size).prefix(rows))
    }
    let notes = [note].compactMap(\.self).below(size, ellipsis: style.ellipsis)
    let room = rows - 1 - notes.count - 1
    let body: [String] =
      switch mode {
      case .help: help(width: size.columns)
      case .choosing: options(size, room: room)
      case .detail:
        selection.flatMap { shown.detail(of: $0, size: TerminalSize(columns: size.columns, rows: room)) } ?? table(size, room: room)
      case .list, .filtering: table(size, room: room)
      }
    let bar = statusBar(width: size.columns)
    return ([title(width: size.columns)] + body.prefix(room).map(\.withoutTrailingBlanks) + notes + [bar]).suffix(rows)
  }

  private func refusal(_ size: TerminalSize) -> [String] {
    let least = Self.leastSize
    let text =
      "this window has \(size.columns) columns and \(size.rows) rows; make it at least \(least.columns) by \(least.rows)"
      + (hasKeys ? ", or press q" : "")
    return text.wrapped(Swift.max(1, size.columns)).map { $0.clipped(size.columns, ellipsis: "") }
  }

  /// Returns the parts of the title; a narrow window drops parts from the middle, then from the end.
  private func title(width: Int) -> String {
    var parts = shown.title.map(\.printable)
    while parts.count > 1, parts.map(\.columns).reduce(0, +) + 2 * (parts.count - 1) > width {
      parts.remove(at: parts.count > 2 ? parts.count - 2 : parts.count - 1)
    }
    let first = style.emphasise((parts.first ?? "").clipped(width, ellipsis: style.ellipsis), .bold)
    return first + parts.dropFirst().map { "  \($0)" }.joined()
  }

  // MARK: - Table

  private mutating func table(_ size: TerminalSize, room: Int) -> [String] {
    // The lines below keep a third of the room even if the table is long.
    let table = visible.isEmpty ? 1 : visible.count + 1
    let below = shown.below(width: size.columns, rows: Swift.max(room - table, room / 3)).prefix(Swift.max(room - table, room / 3))
    let tableRoom = room - below.count
    pageRows = Swift.max(1, tableRoom - 1)
    scroll()
    guard !visible.isEmpty else {
      let text = filter.isEmpty ? shown.emptyText : "no \(shown.noun) matches the filter \"\(filter)\""
      return [text.printable.clipped(size.columns, ellipsis: style.ellipsis)] + below
    }
    let columns = shown.columns
    let layout = columns.layout(width: size.columns - Self.margin)
    let header = layout.map { columns[$0.index].title.fitted($0.width, isRight: columns[$0.index].isRight) }
      .joined(separator: [ListColumn].gap)
    let head = String(repeating: " ", count: Self.margin) + header.withoutTrailingBlanks
    let lines = visible[top...].prefix(pageRows).map { line($0, columns, layout, width: size.columns) }
    return [style.emphasise(head.clipped(size.columns, ellipsis: style.ellipsis), .faint)] + lines + below
  }

  /// The columns in front of a row, for the mark of the selected one.
  private static var margin: Int { 2 }

  /// Moves the window so that the selected row is in it.
  private mutating func scroll() {
    if let index = visible.firstIndex(where: { $0.id == selection }) {
      if index < top { top = index }
      if index >= top + pageRows { top = index - pageRows + 1 }
    }
    top = Swift.max(0, Swift.min(top, visible.count - pageRows))
  }

  private func line(_ row: ListRow, _ columns: [ListColumn], _ layout: [(index: Int, width: Int)], width: Int) -> String {
    let cells = layout.map { index, width in
      let text =
        switch row.cells[index] {
        case .text(let text): text
        case .levels(let values): Sparkline.text(values.suffix(width), style: style)
        }
      return text.fitted(width, isRight: columns[index].isRight, ellipsis: style.ellipsis)
    }
    let isSelected = row.id == selection
    let text = (isSelected ? "> " : "  ") + cells.joined(separator: [ListColumn].gap)
    let line = text.withoutTrailingBlanks.clipped(width, ellipsis: style.ellipsis)
    return isSelected ? style.emphasise(line.padded(width), .reversed) : style.emphasise(line, row.emphasis)
  }

  // MARK: - A choice

  /// Returns the options, of which the selected one is in the window.
  private func options(_ size: TerminalSize, room: Int) -> [String] {
    let options = content.options(for: answer)
    guard !options.isEmpty else { return ["nothing fits \"\(answer)\"".printable.clipped(size.columns, ellipsis: style.ellipsis)] }
    let first = Swift.max(0, option - room + 1)
    return options.enumerated().dropFirst(first).prefix(room).map { index, option in
      let line = ((index == self.option ? "> " : "  ") + option.text.printable).clipped(size.columns, ellipsis: style.ellipsis)
      return index == self.option ? style.emphasise(line.padded(size.columns), .reversed) : line
    }
  }

  // MARK: - Status and help

  /// Returns the line at the bottom; a narrow window drops parts from the end, but the state of the list comes first.
  private func statusBar(width: Int) -> String {
    if mode == .filtering {
      // The end of a long text is what is being typed.
      let prompt = "/" + String(filter.suffix(Swift.max(1, width - 30)))
      return "\(prompt)_  Enter: keep, Esc: all".clipped(width, ellipsis: style.ellipsis)
    }
    if mode == .choosing {
      let question = shown.choice?.question ?? ""
      return "\(question) \(answer.suffix(Swift.max(1, width - question.count - 30)))_  Enter: choose, Esc: back"
        .clipped(width, ellipsis: style.ellipsis)
    }
    var parts: [String] = []
    if isPaused { parts.append("PAUSED") }
    if ringsBell { parts.append("bell on") }
    if mode == .detail {
      parts += hasKeys ? ["Enter: list", "up/down: others"] : []
    } else {
      parts.append(counts)
      if !filter.isEmpty { parts.append("filter \"\(filter.printable)\"") }
      let columns = shown.columns
      if columns.indices.contains(sortColumn), rowCount > 1 {
        parts.append("by \(columns[sortColumn].title.trimmed)\(isDescending ? ", reversed" : "")")
      }
    }
    if hasKeys, mode != .detail, let choice = shown.choice { parts.append("\(choice.key) \(choice.help)") }
    if hasKeys { parts += ["? help", "q quit"] } else { parts.append("Ctrl-C ends") }
    while parts.count > 1, parts.map(\.columns).reduce(0, +) + 2 * (parts.count - 1) > width { parts.remove(at: parts.count - 2) }
    return style.emphasise(parts.joined(separator: "  ").clipped(width, ellipsis: style.ellipsis), isPaused ? .bold : .faint)
  }

  private var counts: String {
    let total = Count.text(rowCount, shown.noun)
    let all = visible.count == rowCount ? total : "\(visible.count) of \(total)"
    guard visible.count > pageRows else { return all }
    return "\(all), \(top + 1)-\(Swift.min(visible.count, top + pageRows)) shown"
  }

  private func help(width: Int) -> [String] {
    let choice = shown.choice.map { [("\($0.key)", $0.help)] } ?? []
    let keys =
      choice + [
        ("up, down, j, k", "select a \(shown.noun)"), ("PgUp, PgDn, g, G", "a page, the first, the last"),
        ("Enter", "the large view, and back"), ("s", "sort by the next column"), ("r", "reverse the order"),
        ("/", "filter: Enter keeps it, Esc ends it"), ("p, space", isPaused ? "continue" : "pause"),
        ("b", "bell on a change \(shown.changeName): \(ringsBell ? "off" : "on")"), ("Esc", "back, no filter, no selection"),
        ("Ctrl-L", "paint again"), ("q, Ctrl-C", "quit"), ("Ctrl-Z", "stop; fg continues"),
      ]
    let lines = keys.flatMap { key, text in
      text.wrapped(width - 20).enumerated().map { "  \(($0 == 0 ? key : "").padded(18))\($1)".clipped(width, ellipsis: style.ellipsis) }
    }
    return lines + ["", "any other key: back"]
  }
}

/// RSSI as bars: −100 dBm and less the lowest, −45 dBm and more the highest. A fixed scale lets beacons be compared.
private enum Sparkline {
  private static let weakest = -100.0
  private static let strongest = -45.0

  /// Returns one character for each value; a blank for nil.
  static func text(_ values: some Sequence<Double?>, style: TerminalStyle) -> String {
    let bars = style.bars
    return String(
      values.map { value -> Character in
        guard let value, value.isFinite else { return " " }
        let share = (Swift.min(strongest, Swift.max(weakest, value)) - weakest) / (strongest - weakest)
        return bars[Swift.min(bars.count - 1, Int(share * Double(bars.count)))]
      })
  }
}

extension String {
  /// The text without blanks at its ends.
  fileprivate var trimmed: String { String(drop { $0 == " " }).withoutTrailingBlanks }
}
