import Beacons
import Ranging

/// A column of the range screen.
enum RangeColumn: CaseIterable {
  case major
  case minor
  case proximity
  case distance
  case rssi
  case history
  case rate
  case age

  /// The columns that a narrow window drops, first to last.
  static let dispensable: [RangeColumn] = [.age, .rate, .rssi, .major, .distance, .proximity]

  static let fewestHistory = 8
  static let gap = "  "

  /// Returns the columns that fit into `width`, and the width that is left for the history.
  static func layout(width: Int, hasMajor: Bool) -> (columns: [RangeColumn], history: Int) {
    var columns = allCases.filter { $0 != .history && ($0 != .major || hasMajor) }
    var dropped = dispensable[...]
    while columns.map(\.width).reduce(0, +) + gap.count * (columns.count - 1) > width, let column = dropped.popFirst() {
      columns.removeAll { $0 == column }
    }
    let taken = columns.map(\.width).reduce(0, +) + gap.count * columns.count
    let history = Swift.min(RangeScreen.historySeconds, width - taken)
    guard history >= fewestHistory, columns.contains(.rssi), let place = columns.firstIndex(of: .rssi) else { return (columns, 0) }
    columns.insert(.history, at: place + 1)
    return (columns, history)
  }

  /// The width of the column; the history takes the rest.
  var width: Int {
    switch self {
    case .major, .minor: 5
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
    case .proximity, .distance, .history: false
    }
  }

  func title(historySeconds: Int) -> String {
    switch self {
    case .major: "major"
    case .minor: "minor"
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
