import Beacons
import Instants
import Records
import Scoring
import Surveys

/// The pictures of a survey as elements of SVG in a page.
///
/// Colours are classes, so that the page chooses them for a light or a dark screen and for paper.
struct SurveyPlot {
  private let period: ClosedRange<Instant>
  private let time: TimeFormat

  /// Pixels.
  private static let (left, width, height, bottom) = (44.0, 860.0, 130.0, 20.0)
  private static let (panel, histogram, gap) = (640.0, 150.0, 26.0)
  /// The RSSI of an axis in dBm.
  private static let levels = -105.0 ... -25.0

  init(_ report: SurveyReport, time: TimeFormat) {
    let start = report.from ?? Instant(microseconds: 0)
    period = start...max(report.until ?? start, start + .seconds(1))
    self.time = time
  }

  // MARK: Beacons side by side

  /// Returns a row for each beacon: the RSSI with its 10th and 90th percentile, and the loss.
  func overview(_ beacons: [SurveyedBeacon]) -> String {
    let (names, row, top) = (180.0, 22.0, 26.0)
    let (signal, loss) = (430.0, 150.0)
    let height = top + row * Double(beacons.count) + 8
    func x(_ level: Double) -> Double { names + signal * Self.share(level) }
    var parts: [String] = []
    for level in stride(from: -100.0, through: -30, by: 10) {
      parts.append(Self.line(x(level), top - 4, x(level), height - 4, "grid"))
      parts.append(Self.label(x(level), top - 9, "\(Int(level))", "small middle"))
    }
    for (share, text) in [(0.0, "0 %"), (0.5, "50 %"), (1, "100 % lost")] {
      let x = names + signal + 40 + loss * share
      parts.append(Self.line(x, top - 4, x, height - 4, "grid"))
      parts.append(Self.label(x, top - 9, text, "small middle"))
    }
    for (index, beacon) in beacons.enumerated() {
      let middle = top + row * (Double(index) + 0.5)
      parts.append(Self.label(names - 10, middle + 4, beacon.title.clipped(24, ellipsis: "…"), "end"))
      if let rssi = beacon.rssi, let low = rssi.low, let high = rssi.high, let median = rssi.median {
        parts.append(Self.line(x(low), middle, x(high), middle, "range"))
        parts.append("<circle class=\"median\" cx=\"\(SVG.number(x(median)))\" cy=\"\(SVG.number(middle))\" r=\"4.5\"/>")
      }
      if let share = beacon.loss {
        parts.append(Self.bar(names + signal + 40, middle - 5, max(1, loss * min(1, max(0, share))), 10, "loss"))
      }
    }
    return Self.svg(
      Self.width, height, "RSSI and loss of each beacon", "dBm with the median as a point, and the share of lost advertisements as a bar",
      parts)
  }

  // MARK: One beacon

  /// Returns the RSSI of a beacon over the walk, and how often each value occurred.
  func beacon(_ beacon: SurveyedBeacon, _ signals: SurveySignals) -> String {
    let bottom = Self.height - Self.bottom
    func y(_ level: Double) -> Double { bottom - (bottom - 8) * Self.share(level) }
    var parts: [String] = []
    for level in stride(from: -100.0, through: -40, by: 20) {
      parts.append(Self.line(Self.left, y(level), Self.left + Self.panel, y(level), "grid"))
      parts.append(Self.label(Self.left - 6, y(level) + 4, "\(Int(level))", "small end"))
    }
    for (moment, text) in TimeTicks(period, time, most: 6).marks {
      parts.append(Self.line(x(moment), 8, x(moment), bottom, "grid"))
      parts.append(Self.label(x(moment), Self.height - 5, text, "small middle"))
    }
    for column in columns(signals.course) {
      parts.append(Self.line(column.x, y(column.least), column.x, y(column.most), "spread"))
      parts.append("<circle class=\"level\" cx=\"\(SVG.number(column.x))\" cy=\"\(SVG.number(y(column.mean)))\" r=\"1.6\"/>")
    }
    parts += histogram(signals.levels, y)
    return Self.svg(
      Self.width, Self.height, "RSSI of \(beacon.title) over time",
      "dBm, \(time.second(period.lowerBound)) to \(time.second(period.upperBound)), and on the right how often each value occurred", parts)
  }

  /// The values of a column of pixels.
  private struct Column {
    let x: Double
    var (least, most, sum, count): (Double, Double, Double, Double)
    var mean: Double { sum / count }
  }

  /// Returns the values in columns of two pixels.
  private func columns(_ course: TimeSeries) -> [Column] {
    var columns: [Column] = []
    for (moment, bucket) in course.points {
      let x = (x(moment) / 2).rounded() * 2
      let (count, sum) = (Double(bucket.count), bucket.mean * Double(bucket.count))
      if let last = columns.last, last.x == x {
        let index = columns.count - 1
        columns[index].least = min(last.least, bucket.least)
        columns[index].most = max(last.most, bucket.most)
        columns[index].sum += sum
        columns[index].count += count
      } else {
        columns.append(Column(x: x, least: bucket.least, most: bucket.most, sum: sum, count: count))
      }
    }
    return columns
  }

  private func x(_ moment: Instant) -> Double {
    let share = (min(max(moment, period.lowerBound), period.upperBound) - period.lowerBound).seconds
    return Self.left + Self.panel * share / (period.upperBound - period.lowerBound).seconds
  }

  private func histogram(_ levels: [Int8: UInt64], _ y: (Double) -> Double) -> [String] {
    let start = Self.left + Self.panel + Self.gap
    let most = Double(levels.values.max() ?? 1)
    let height = max(1, y(0) - y(1))
    return [Self.line(start, 8, start, Self.height - Self.bottom, "grid")]
      + levels.sorted { $0.key < $1.key }.filter { Self.levels.contains(Double($0.key)) }.map { level, count in
        Self.bar(start, y(Double(level)) - height / 2, max(0.5, Self.histogram * Double(count) / most), height, "level")
      }
  }

  // MARK: Elements

  private static func share(_ level: Double) -> Double {
    (min(max(level, levels.lowerBound), levels.upperBound) - levels.lowerBound) / (levels.upperBound - levels.lowerBound)
  }

  static func svg(_ width: Double, _ height: Double, _ title: String, _ description: String, _ parts: [String]) -> String {
    """
    <svg role="img" viewBox="0 0 \(SVG.number(width)) \(SVG.number(height))" width="\(SVG.number(width))" height="\(SVG.number(height))">
    <title>\(SVG.escaped(title))</title>
    <desc>\(SVG.escaped(description))</desc>
    \(parts.joined(separator: "\n"))
    </svg>
    """
  }

  private static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ kind: String) -> String {
    "<line class=\"\(kind)\" x1=\"\(SVG.number(x1))\" y1=\"\(SVG.number(y1))\" x2=\"\(SVG.number(x2))\" y2=\"\(SVG.number(y2))\"/>"
  }

  private static func label(_ x: Double, _ y: Double, _ text: String, _ kind: String) -> String {
    "<text class=\"\(kind)\" x=\"\(SVG.number(x))\" y=\"\(SVG.number(y))\">\(SVG.escaped(text))</text>"
  }

  private static func bar(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ kind: String) -> String {
    "<rect class=\"\(kind)\" x=\"\(SVG.number(x))\" y=\"\(SVG.number(y))\" width=\"\(SVG.number(width))\" height=\"\(SVG.number(height))\"/>"
  }
}

extension SurveyedBeacon {
  /// The numbers and the name.
  var title: String { numbers + (name.map { " \($0.printable)" } ?? "") }
}
