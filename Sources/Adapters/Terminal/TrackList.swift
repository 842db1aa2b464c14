import Locations

/// A list of locations on a terminal; in a narrow window the date is on a line above the first location of each day.
public struct TrackList: Sendable {
  private let text: LocationText
  private var days: DayLines

  public init(style: TerminalStyle, units: Units, time: TimeFormat = .utc) {
    text = LocationText(style: style, units: units, time: time)
    days = DayLines(style: style, time: time)
  }

  /// Returns the location's lines, without the end of the last.
  ///
  /// - Parameter width: columns of the window; nil for one line of any width.
  public mutating func line(_ location: LocationReport, width: Int?) -> String {
    guard let width else { return text.line(location) }
    let day = LocationText.needsDay(width) ? days.next(location.time) : nil
    return [day, text.line(location, width: width)].compactMap(\.self).joined(separator: "\n")
  }
}
