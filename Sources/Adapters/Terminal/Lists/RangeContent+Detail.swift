import Beacons
import Instants
import Records

extension RangeContent {
  /// Returns the large view of a beacon: its distance in big digits, its reception, and the last minute as plots.
  public func detail(of id: String, size: TerminalSize) -> [String]? {
    guard let beacon = beacons[id] else { return nil }
    let (width, rows) = (size.columns, size.rows)
    let row = BeaconRow(beacon.report, at: time ?? .never)
    let emphasis = row.proximity.emphasis
    let facts = [name(beacon), signal(row), reception(beacon, row)].map { $0.clipped(width, ellipsis: style.ellipsis) }
    var lines = [style.emphasise(facts[0], .bold)]
    // The digits take up to half of the window, and leave room for the plots if they can.
    let text = beacon.report.distance.map(Self.big) ?? "-"
    let big = BigText(text: text)
    let scale = big.scale(width: width - 2, rows: Swift.max(BigText.rows, Swift.min(rows / 2, rows - facts.count - 2 - Self.leastPlots)))
    if scale > 0, rows >= BigText.rows * scale + facts.count + 2 {
      lines += [""] + big.lines(scale: scale, ink: style.hasUnicode ? "█" : "#").map { "  " + style.emphasise($0, emphasis) } + [""]
    }
    lines += [style.emphasise(facts[1], emphasis), facts[2]]
    lines += plots(beacon, width: width, rows: rows - lines.count)
    return lines
  }

  /// The rows of two plots of two rows with their captions.
  private static let leastPlots = 6

  /// Returns metres with a digit behind the point below 10 m, and in whole metres from there on.
  private static func big(_ metres: Double) -> String {
    metres < 9999.5 ? (Decimal.text(metres, decimals: metres < 9.95 ? 1 : 0) ?? "-") + " m" : ">9999 m"
  }

  private func name(_ beacon: BeaconHistory) -> String {
    let report = beacon.report
    let numbers = [report.major, report.minor].map { number in number.map { String($0) } ?? "?" }.joined(separator: "/")
    return [report.place?.printable, numbers, report.uuid?.description].compactMap(\.self).joined(separator: "  ")
  }

  private func signal(_ row: BeaconRow) -> String {
    let words =
      switch row.proximity {
      case .unknown: "no distance"
      case .immediate, .near, .far: row.proximity.rawValue.uppercased()
      }
    let distance = row.measured.map { "\($0.value) m" + ($0.accuracy.map { " \(style.plusMinus) \($0)" } ?? "") }
    return [words, distance, row.rssi.map { "\($0) dBm" }, row.age.map { "seen \($0) s ago" }].compactMap(\.self).joined(separator: "  ")
  }

  private func reception(_ beacon: BeaconHistory, _ row: BeaconRow) -> String {
    guard beacon.isHeard else { return "not in range any more" }
    let rate = row.rate.map { "\($0)" } ?? style.dash
    guard let interval = beacon.reception.interval, let sent = beacon.sentText, let loss = beacon.lossText else {
      return "\(rate) advertisements/s, interval not learned yet"
    }
    let milliseconds = Decimal.text(interval * 1000, decimals: 0) ?? style.dash
    return "\(rate) of \(sent) advertisements/s, interval \(milliseconds) ms, loss \(loss)"
  }

  private func plots(_ beacon: BeaconHistory, width: Int, rows: Int) -> [String] {
    let level = HistoryPlot(values: beacon.levels, steps: [5, 10, 20, 50], style: style)
    let distance = HistoryPlot(values: beacon.distances, steps: [0.5, 1, 2, 5, 10, 50, 1000, 1e9], lowest: 0, style: style)
    let room = Swift.min(12, (rows - 2) / 2)
    guard room >= 2 else { return [] }
    func caption(_ text: String) -> String {
      style.emphasise("  \(text), last \(BeaconHistory.seconds) s".clipped(width, ellipsis: ""), .faint)
    }
    return [caption("RSSI in dBm")] + level.lines(width: width, rows: room) + [caption("distance in m")]
      + distance.lines(width: width, rows: room)
  }
}

/// Digits and a few letters that are several rows high, so that they are readable from a distance.
private struct BigText {
  /// The rows of a character before scaling.
  /// A dot of a character is two columns wide, because a column is about half as wide as a row is high.
  static let rows = 5

  let text: String

  /// Returns the largest scale at which the text fits, at most `most`; zero if it does not fit.
  func scale(width: Int, rows: Int, most: Int = 4) -> Int {
    Swift.max(0, Swift.min(most, rows / Self.rows, width / Swift.max(1, columns(scale: 1))))
  }

  /// Returns `5 * scale` lines; a character without a picture is a blank.
  func lines(scale: Int, ink: Character) -> [String] {
    (0..<Self.rows).flatMap { row -> [String] in
      let line = text.map { character in
        let picture = Self.pictures[character] ?? Self.blank
        return picture[row].map { String(repeating: $0 == "#" ? ink : " ", count: 2 * scale) }.joined()
      }.joined(separator: String(repeating: " ", count: 2 * scale))
      return Array(repeating: line, count: scale)
    }
  }

  private func columns(scale: Int) -> Int {
    text.reduce(-2 * scale) { $0 + 2 * scale * ((Self.pictures[$1] ?? Self.blank)[0].count + 1) }
  }

  private static let blank = Array(repeating: "  ", count: 5)

  private static let pictures: [Character: [String]] = [
    "0": ["###", "# #", "# #", "# #", "###"],
    "1": [" # ", "## ", " # ", " # ", "###"],
    "2": ["###", "  #", "###", "#  ", "###"],
    "3": ["###", "  #", "###", "  #", "###"],
    "4": ["# #", "# #", "###", "  #", "  #"],
    "5": ["###", "#  ", "###", "  #", "###"],
    "6": ["###", "#  ", "###", "# #", "###"],
    "7": ["###", "  #", "  #", "  #", "  #"],
    "8": ["###", "# #", "###", "# #", "###"],
    "9": ["###", "# #", "###", "  #", "###"],
    ".": [" ", " ", " ", " ", "#"],
    "-": ["  ", "  ", "##", "  ", "  "],
    ">": ["#  ", " # ", "  #", " # ", "#  "],
    "m": ["     ", "     ", "#####", "# # #", "# # #"],
  ]
}
