import Beacons
import Ranging

/// A column of the range screen.
enum RangeColumn: CaseIterable {
  case major
  case minor
  case place
  case proximity
  case distance
  case rssi
  case history
  case rate
  case age

  /// The columns that a narrow window drops, first to last.
  static let dispensable: [RangeColumn] = [.age, .rate, .rssi, .major, .place, .distance, .proximity]

  static let fewestHistory = 8
  /// The greatest width of the names of places.
  static let mostPlace = 24
  static let gap = "  "

  /// Returns the columns that fit into `width`, with their widths. The history takes the rest.
  ///
  /// - Parameter place: The width of the longest name of a place; zero without any.
  static func layout(width: Int, hasMajor: Bool, place: Int) -> [(column: RangeColumn, width: Int)] {
    var columns = allCases.filter { $0 != .history && ($0 != .major || hasMajor) && ($0 != .place || place > 0) }
      .map { (column: $0, width: $0 == .place ? Swift.min(mostPlace, Swift.max(place, $0.width)) : $0.width) }
    var dropped = dispensable[...]
    while columns.map(\.width).reduce(0, +) + gap.count * (columns.count - 1) > width, let column = dropped.popFirst() {
      columns.removeAll { $0.column == column }
    }
    let taken = columns.map(\.width).reduce(0, +) + gap.count * columns.count
    let history = Swift.min(RangeScreen.historySeconds, width - taken)
    guard history >= fewestHistory, let index = columns.firstIndex(where: { $0.column == .rssi }) else { return columns }
    columns.insert((.history, history), at: index + 1)
    return columns
  }

  /// The width of the column, or the least one of the names of places; the history takes the rest.
  var width: Int {
    switch self {
    case .major, .minor, .place: 5
    case .proximity: 9
    case .distance: 14
    case .rssi: 6
    case .history: 0
    case .rate: 5
    case .age: 6
    }
  }

  var isRight: Bool {
    switch self {
    case .major, .minor, .rssi, .rate, .age: true
    case .place, .proximity, .distance, .history: false
    }
  }

  func title(historySeconds: Int) -> String {
    switch self {
    case .major: "major"
    case .minor: "minor"
    case .place: "place"
    case .proximity: "proximity"
    case .distance: " distance m"
    case .rssi: "dBm"
    case .history: "last \(historySeconds) s"
    case .rate: "adv/s"
    case .age: "seen"
    }
  }

  func text(_ row: BeaconRow, style: TerminalStyle) -> String {
    switch self {
    case .major: row.major
    case .minor: row.minor
    case .place: row.place ?? style.dash
    case .proximity: row.proximity == .unknown ? style.dash : row.proximity.rawValue
    case .distance:
      (row.measured?.value ?? style.dash).padded(5, isRight: true) + (row.measured?.accuracy.map { " \(style.plusMinus) \($0)" } ?? "")
    case .rssi: row.rssi ?? style.dash
    case .history: ""
    case .rate: row.rate ?? style.dash
    case .age: row.age.map { "\($0) s" } ?? style.dash
    }
  }
}
