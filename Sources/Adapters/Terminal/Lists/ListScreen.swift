import Instants

/// An interactive list as a value: rows and keys in, lines out.
///
/// Rows keep their order while their values change: a list that is sorted by a changing value is sorted again every five seconds.
public struct ListScreen<Content: ListContent>: Sendable {
  /// The content with the latest values.
  public private(set) var content: Content
  /// The content of the moment at which the list was paused; nil while it is not.
  private var frozen: Content?
  let style: TerminalStyle

  var mode = Mode.list
  /// The column by which rows are sorted.
  private(set) var sortColumn = 0
  private(set) var isDescending = false
  private(set) var filter = ""
  /// The text that is typed for a choice, and the selected option.
  private(set) var answer = ""
  private(set) var option = 0
  /// The identity of the selected row.
  private(set) var selection: String?
  /// The number of rows above the window.
  var top = 0
  /// The number of rows that the last frame had room for.
  var pageRows = 10
  /// The rows in the order in which they are shown, without those that the filter hides.
  private(set) var visible: [ListRow] = []
  private(set) var rowCount = 0
  private var order: [String] = []
  private var sortedAt: Instant?
  private(set) var ringsBell = false
  private var isBellDue = false
  /// Whether the terminal delivers keys; otherwise the screen names none.
  public var hasKeys = true

  /// A sentence below the table, such as the reason why no more values come.
  public var note: String?

  enum Mode: Hashable, Sendable {
    case list
    case filtering
    case choosing
    case help
    case detail
  }

  private static var sortPause: Span { .seconds(5) }

  public init(_ content: Content, style: TerminalStyle) {
    (self.content, self.style) = (content, style)
    sortColumn = content.columns.firstIndex { $0.isSortable } ?? 0
    arrange(sorting: true)
  }

  var shown: Content { frozen ?? content }
  public var isPaused: Bool { frozen != nil }

  /// Changes the content. A paused screen collects the values and does not show them.
  public mutating func update(_ change: (inout Content) -> Void) {
    change(&content)
    let changes = content.changes
    if ringsBell, selection.map(changes.contains) ?? !changes.isEmpty { isBellDue = true }
    if !isPaused { arrange() }
  }

  /// Returns whether the bell rings with the next frame, once for each change.
  public mutating func takeBell() -> Bool {
    defer { isBellDue = false }
    return isBellDue
  }

  // MARK: - Order

  /// Brings new rows into the list, and sorts it if that is due.
  private mutating func arrange(sorting isWanted: Bool = false) {
    let rows = shown.rows
    rowCount = rows.count
    let byID = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let columns = shown.columns
    let time = shown.time
    let isDue = sortedAt.flatMap { last in time.map { $0 - last >= Self.sortPause || $0 < last } } ?? true
    if isWanted || isDue || columns.indices.contains(sortColumn) && columns[sortColumn].isSteady {
      order = sorted(rows).map(\.id)
      sortedAt = time
    } else {
      order.removeAll { byID[$0] == nil }
      let known = Set(order)
      order += rows.map(\.id).filter { !known.contains($0) }
    }
    visible = order.compactMap { byID[$0] }.filter { $0.contains(filter) }
    if let selection, byID[selection] == nil {
      self.selection = nil
      if mode == .detail { mode = .list }
    }
  }

  private func sorted(_ rows: [ListRow]) -> [ListRow] {
    rows.enumerated().sorted { a, b in
      guard a.element.keys.indices.contains(sortColumn), b.element.keys.indices.contains(sortColumn) else { return a.offset < b.offset }
      let (first, second) = (a.element.keys[sortColumn], b.element.keys[sortColumn])
      return ListRow.SortKey.precedes(first, second, isDescending: isDescending) ?? (a.offset < b.offset)
    }.map(\.element)
  }
}

// MARK: Keys

/// The consequence of a key for the program.
public enum ListAction: Hashable, Sendable {
  case none
  /// The screen has changed.
  case redraw
  /// The terminal may show something else, so the whole screen is painted again.
  case repaint
  /// An option was chosen, by its identity.
  case chosen(String)
  case quit
}

extension ListScreen {
  /// Applies a key.
  public mutating func press(_ key: TerminalKey) -> ListAction {
    if key == .redraw { return .repaint }
    switch mode {
    case .filtering: return type(key)
    case .choosing: return choose(key)
    case .help:
      if key == .character("q") { return .quit }
      mode = .list
      return .redraw
    case .list, .detail: return command(key)
    }
  }

  private mutating func command(_ key: TerminalKey) -> ListAction {
    if let choice = shown.choice, key == .character(choice.key) {
      (mode, answer, option) = (.choosing, "", 0)
      return .redraw
    }
    switch key {
    case .character("q"): return .quit
    case .character("?"), .character("h"): mode = .help
    case .character("p"), .character(" "): pause()
    case .character("b"): ringsBell.toggle()
    case .character("/") where mode == .list: mode = .filtering
    case .character("s") where mode == .list: sortByNext()
    case .character("r") where mode == .list:
      isDescending.toggle()
      arrange(sorting: true)
    case .enter: mode = mode == .list && selectFirstIfNone() ? .detail : .list
    case .escape, .backspace: leave()
    case .up, .character("k"): move(by: -1)
    case .down, .character("j"): move(by: 1)
    case .pageUp: move(by: -Swift.max(1, pageRows - 1))
    case .pageDown: move(by: Swift.max(1, pageRows - 1))
    case .home, .character("g"): selection = visible.first?.id
    case .end, .character("G"): selection = visible.last?.id
    default: return .none
    }
    return .redraw
  }

  /// Applies a key to the text of the filter.
  private mutating func type(_ key: TerminalKey) -> ListAction {
    switch key {
    case .character(let character): if filter.count < Self.mostFilter { filter.append(character) }
    case .backspace: if filter.isEmpty { mode = .list } else { filter.removeLast() }
    case .clearLine: filter = ""
    case .escape: (filter, mode) = ("", .list)
    case .enter: mode = .list
    case .up, .down:
      mode = .list
      return command(key)
    default: return .none
    }
    top = 0
    arrange()
    return .redraw
  }

  private static var mostFilter: Int { 60 }

  /// Applies a key to a choice.
  private mutating func choose(_ key: TerminalKey) -> ListAction {
    let options = content.options(for: answer)
    switch key {
    case .character(let character):
      if answer.count < Self.mostFilter { answer.append(character) }
      option = 0
    case .backspace:
      if answer.isEmpty { mode = .list } else { answer.removeLast() }
      option = 0
    case .clearLine: (answer, option) = ("", 0)
    case .up: option = Swift.max(0, Swift.min(option, options.count - 1) - 1)
    case .down: option = Swift.max(0, Swift.min(options.count - 1, option + 1))
    case .escape: mode = .list
    case .enter:
      guard options.indices.contains(option) else { return .none }
      mode = .list
      return .chosen(options[option].id)
    default: return .none
    }
    return .redraw
  }

  private mutating func pause() {
    frozen = isPaused ? nil : content
    arrange()
  }

  private mutating func sortByNext() {
    let columns = shown.columns
    let sortable = columns.indices.filter { columns[$0].isSortable }
    guard let next = sortable.first(where: { $0 > sortColumn }) ?? sortable.first else { return }
    (sortColumn, isDescending) = (next, false)
    arrange(sorting: true)
  }

  /// Leaves the large view, or else removes the filter, or else the selection.
  private mutating func leave() {
    if mode == .detail {
      mode = .list
    } else if !filter.isEmpty {
      filter = ""
      arrange()
    } else {
      selection = nil
    }
  }

  private mutating func selectFirstIfNone() -> Bool {
    if selection == nil || !visible.contains(where: { $0.id == selection }) { selection = visible.first?.id }
    return selection != nil
  }

  private mutating func move(by count: Int) {
    guard !visible.isEmpty else { return }
    guard let index = visible.firstIndex(where: { $0.id == selection }) else {
      selection = (count > 0 ? visible.first : visible.last)?.id
      return
    }
    selection = visible[Swift.min(visible.count - 1, Swift.max(0, index + count))].id
  }
}
