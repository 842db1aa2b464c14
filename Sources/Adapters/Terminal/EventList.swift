import Events
import Instants

/// A list of events on a terminal; in a narrow window the date is on a line above the first event of each day.
public struct EventList: Sendable {
  private let line: EventLine
  private var days: DayLines

  /// - Parameter regionWidth: columns of the longest identifier that will come.
  public init(style: TerminalStyle, regionWidth: Int = 12, units: Units = .ofEnvironment, time: TimeFormat = .utc) {
    line = EventLine(style: style, regionWidth: regionWidth, units: units, time: time)
    days = DayLines(style: style, time: time)
  }

  /// Returns the columns that the identifier of a region needs.
  public static func regionWidth(_ identifier: String) -> Int { identifier.printable.columns }

  /// Returns the event's lines, each with its end.
  ///
  /// - Parameter width: columns of the window; nil for one line of any width.
  public mutating func text(_ event: Event, width: Int?) -> String {
    guard let width else { return line.text(event) + "\n" }
    let entry = entry(event, width: width)
    return ([entry.day].compactMap(\.self) + entry.lines).map { $0 + "\n" }.joined()
  }

  /// Returns the event's lines, and the date to print above them if the event is the first of its day.
  mutating func entry(_ event: Event, width: Int) -> (day: String?, lines: [String]) {
    (EventLine.needsDay(width) ? days.next(event.time) : nil, line.lines(event, width: width))
  }
}

/// The dates above lines that have the time of day only.
struct DayLines: Sendable {
  private let style: TerminalStyle
  private let time: TimeFormat
  private var last: String?

  init(style: TerminalStyle, time: TimeFormat) {
    self.style = style
    self.time = time
  }

  /// Returns the date if the time is on another day than the previous one.
  mutating func next(_ time: Instant?) -> String? {
    guard let day = time.map(self.time.day), day != last else { return nil }
    last = day
    return style.emphasise(day, .faint)
  }
}
