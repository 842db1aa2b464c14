import Instants
import Records
import Visits

/// The visits of each day as a table.
public struct DailyVisitsText {
  private let style: TerminalStyle

  public init(style: TerminalStyle) {
    self.style = style
  }

  /// - Parameter width: columns of the window; nil for lines of any width.
  public func text(_ days: [DailyVisits], width: Int?) -> String {
    var table = TextTable(
      style: style,
      [
        TextTable.Column(title: "day"), TextTable.Column(title: "region", leastWidth: 8), TextTable.Column(title: "visits"),
        TextTable.Column(title: "inside"), TextTable.Column(title: "longest", dropOrder: 1),
        TextTable.Column(title: "busiest hours", dropOrder: 0),
      ])
    table.rows = days.map { day in
      [
        LocalCalendar.text(of: day.key.day), day.key.region.printable, "\(day.visits)", text(day.inside), text(day.longest),
        day.busiestHours.isEmpty ? style.dash : Self.text(ofHours: day.busiestHours),
      ]
    }
    return table.lines(width).map { $0 + "\n" }.joined()
  }

  /// Returns hours and minutes, or minutes and seconds of a short time: `2h05m`, `4m30s`, `12s`.
  private func text(_ span: Span) -> String {
    let seconds = Int(span.seconds.rounded())
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    if seconds <= 0 { return style.dash }
    if hours > 0 { return "\(hours)h\(minutes < 10 ? "0" : "")\(minutes)m" }
    return minutes > 0 ? "\(minutes)m\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)s" : "\(seconds)s"
  }

  /// Returns the hours as spans of time, neighbours joined: `09:00-11:00, 15:00-16:00`.
  static func text(ofHours hours: [Int]) -> String {
    var runs: [(first: Int, last: Int)] = []
    for hour in hours {
      if let run = runs.last, run.last == hour - 1 { runs[runs.count - 1].last = hour } else { runs.append((hour, hour)) }
    }
    return runs.map { "\(DailyVisits.text(ofHour: $0.first)):00-\(DailyVisits.text(ofHour: $0.last + 1)):00" }.joined(separator: ", ")
  }
}

/// The visits of each day as comma-separated values (RFC 4180), with the times in seconds and a column for each hour.
public enum DailyVisitsCSV {
  private static let keys = ["day", "region", "regionKind", "visits", "ended", "timeInside", "longestVisit"]

  /// The names of the columns.
  public static let header = CSVLine.text(keys + (0..<24).map { "visits\(DailyVisits.text(ofHour: $0))" })

  public static func line(_ day: DailyVisits) -> String {
    let record = day.record
    return CSVLine.text(keys.map { record[$0]?.plainText ?? "" } + day.visitsByHour.map(String.init))
  }
}
