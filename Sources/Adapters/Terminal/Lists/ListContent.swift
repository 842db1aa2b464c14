public import Instants

/// The rows of an interactive screen, with its title and further views.
public protocol ListContent: Sendable {
  /// The parts of the title; a narrow window drops them from the end, but not the first.
  var title: [String] { get }
  /// The columns, of which the most important ones are never dropped.
  var columns: [ListColumn] { get }
  /// The rows in their natural order, each with a cell for every column.
  var rows: [ListRow] { get }
  /// The time of the latest values on the clock of the source; nil before the first ones.
  var time: Instant? { get }
  /// A noun for the rows, such as `beacon`, in singular.
  var noun: String { get }
  /// The sentence for a list without rows.
  var emptyText: String { get }
  /// The rows whose latest values are a change that the bell reports.
  var changes: Set<String> { get }
  /// The name of such a change for the help: `of proximity`.
  var changeName: String { get }

  /// Returns the lines below the table, such as events, none wider than the window.
  ///
  /// - Parameter rows: the number of lines for which there is room beside a short table.
  func below(width: Int, rows: Int) -> [String]

  /// The choice that a key opens; nil for none.
  var choice: ListChoice? { get }

  /// Returns the options of that choice for a typed text, the best one first.
  func options(for text: String) -> [ListOption]

  /// Returns the large view of a row, or the table's row in full; nil if the row is unknown.
  func detail(of id: String, size: TerminalSize) -> [String]?
}

extension ListContent {
  public var choice: ListChoice? { nil }
  public func options(for text: String) -> [ListOption] { [] }
}

/// A choice that a key of an interactive screen opens.
public struct ListChoice: Hashable, Sendable {
  let key: Character
  /// A question for the prompt: `where do you stand?`
  let question: String
  /// The effect of the key for the help.
  let help: String
}

/// An option of a choice.
public struct ListOption: Hashable, Sendable {
  let id: String
  let text: String
}

/// A column of an interactive screen.
public struct ListColumn: Hashable, Sendable {
  let title: String
  /// The minimum width; a window without room for it drops the column.
  var width: Int
  /// The width that more room gives to the column; nil for `width`.
  var mostWidth: Int?
  var isRight = false
  /// The order in which columns are dropped, ascending; nil for a column that stays.
  var dropOrder: Int?
  /// Whether rows can be sorted by the column.
  var isSortable = true
  /// Whether the values never change, so that rows sorted by this column keep their order.
  var isSteady = false
}

/// A row of an interactive screen.
public struct ListRow: Hashable, Sendable {
  /// The identity of the row, which stays the same.
  let id: String
  var cells: [Cell]
  /// The value of each column by which rows are sorted.
  var keys: [SortKey]
  var emphasis: TerminalStyle.Emphasis?

  enum Cell: Hashable, Sendable {
    case text(String)
    /// A history of levels, of which the latest fill the column.
    case levels([Double?])
  }

  /// A value by which rows are sorted; a missing one is last in either direction.
  enum SortKey: Hashable, Sendable {
    case number(Double?)
    case text(String)
  }

  /// Returns whether a typed text is a part of any cell.
  func contains(_ text: String) -> Bool {
    guard !text.isEmpty else { return true }
    let text = text.lowercased()
    return cells.contains { cell in
      if case .text(let content) = cell { content.lowercased().contains(text) } else { false }
    }
  }
}

extension ListRow.SortKey {
  /// Returns whether the first key precedes the second one; nil if they are equal.
  static func precedes(_ a: Self, _ b: Self, isDescending: Bool) -> Bool? {
    switch (a, b) {
    case (.number(nil), .number(nil)): return nil
    case (.number(nil), _): return false
    case (_, .number(nil)): return true
    case (.number(let first?), .number(let second?)): return first == second ? nil : (first < second) != isDescending
    case (.text(let first), .text(let second)): return first == second ? nil : (first < second) != isDescending
    default: return nil
    }
  }
}

extension [ListColumn] {
  static let gap = "  "

  /// Returns the columns that fit into `width`, with their widths.
  func layout(width: Int) -> [(index: Int, width: Int)] {
    var shown = Array<Int>(indices)
    func taken() -> Int { shown.reduce(0) { $0 + self[$1].width } + Self.gap.count * Swift.max(0, shown.count - 1) }
    while taken() > width {
      let dispensable = shown.compactMap { index in self[index].dropOrder.map { (rank: $0, index: index) } }
      guard let leaving = dispensable.min(by: { $0.rank < $1.rank }) else { break }
      shown.removeAll { $0 == leaving.index }
    }
    var room = Swift.max(0, width - taken())
    return shown.map { index in
      let more = Swift.min(room, Swift.max(0, (self[index].mostWidth ?? 0) - self[index].width))
      room -= more
      return (index, self[index].width + more)
    }
  }
}
