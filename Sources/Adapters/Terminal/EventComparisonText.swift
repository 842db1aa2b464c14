import Events
import Instants
import Records
import Scoring

/// The comparison of several configurations on one recording: a table of counts, and one line for each event.
public struct EventComparisonText {
  private let style: TerminalStyle
  private let time: TimeFormat

  public init(style: TerminalStyle, time: TimeFormat) {
    (self.style, self.time) = (style, time)
  }

  /// - Parameter width: columns of the window; nil for lines of any width.
  public func text(_ comparison: EventComparison, width: Int?) -> String {
    (counts(comparison).lines(width) + [""] + events(comparison).lines(width)).map { $0 + "\n" }.joined()
  }

  private func counts(_ comparison: EventComparison) -> TextTable {
    let names = comparison.runs.map { TextTable.Column(title: $0.name.printable, leastWidth: 8) }
    var table = TextTable(style: style, [TextTable.Column(title: "")] + names)
    for kind in Event.Kind.allCases where comparison.runs.contains(where: { $0.count(kind) > 0 }) {
      table.rows.append([kind.rawValue] + comparison.runs.map { "\($0.count(kind))" })
    }
    table.rows.append(["flaps"] + comparison.runs.map { "\($0.flaps)" })
    table.rows.append(["later by"] + comparison.runs.indices.map { run in comparison.delay(ofRun: run).map(seconds) ?? style.dash })
    return table
  }

  private func events(_ comparison: EventComparison) -> TextTable {
    let names = comparison.runs.map { TextTable.Column(title: $0.name.printable, leastWidth: 8) }
    let columns = [
      TextTable.Column(title: "time"), TextTable.Column(title: "event"), TextTable.Column(title: "region", leastWidth: 8),
    ]
    var table = TextTable(style: style, columns + names)
    table.rows = comparison.rows.map { row in
      [time.millisecond(row.time), row.kind.rawValue, row.region.printable]
        + row.times.map { moment in moment.map { seconds($0 - row.time) } ?? style.dash }
    }
    return table
  }

  /// Returns the seconds with a sign, as in `+2.0 s`.
  private func seconds(_ span: Span) -> String {
    "\(span < .zero ? "" : "+")\(Decimal.text(span.seconds, decimals: 1) ?? style.dash) s"
  }
}
