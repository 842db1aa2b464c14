import Records

/// Plots of a magnetic field over time: x, y, z and the magnitude, one below the other.
struct FieldPlot {
  private static let names = ["x", "y", "z", "field"]
  /// The minimum difference in µT between the top and the bottom of a plot, so that noise does not fill it.
  private static let leastRange = 10.0
  /// The columns of the name and the value before a plot.
  private static let labelWidth = 15

  /// x, y, z and the magnitude in µT, the newest last.
  let samples: [[Double]]
  let style: TerminalStyle

  init(_ samples: [[Double]], style: TerminalStyle) {
    (self.samples, self.style) = (samples, style)
  }

  /// Returns at most `rows` lines, none wider than `width`: each plot has the same height and a scale of its own.
  func lines(width: Int, rows: Int) -> [String] {
    guard let latest = samples.last else {
      return ["no field: this source reports directions only".clipped(width, ellipsis: style.ellipsis)]
    }
    let unit = style.hasUnicode ? "µT" : "uT"
    let block = Swift.max(1, rows / Self.names.count)
    // A blank line keeps the plots apart where there is room.
    let height = block >= 5 ? block - 1 : block
    let room = width - Self.labelWidth
    return Self.names.indices.flatMap { index -> [String] in
      let label = "\(Self.names[index].padded(6))\(Self.number(latest[index]).padded(6, isRight: true)) \(unit)"
      guard room >= 10 else { return [label.clipped(width, ellipsis: style.ellipsis)] }
      let values = samples.suffix(room).map { $0[index] }
      let (low, high) = Self.range(of: values)
      let plot = bars(values, low, high, height: height, room: room)
      return plot.enumerated().map { row, line in
        var text = row == 0 ? label : ""
        if height > 2, row == 1 { text = "  \(Self.number(high)) max" }
        if height > 2, row == height - 1 { text = "  \(Self.number(low)) min" }
        return text.fitted(Self.labelWidth) + style.emphasise(line, index == 3 ? .green : nil)
      } + (height < block && index + 1 < Self.names.count ? [""] : [])
    }
  }

  /// Returns a range around all values that is at least 10 µT wide.
  static func range(of values: some Collection<Double>) -> (low: Double, high: Double) {
    let (low, high) = (values.min() ?? 0, values.max() ?? 0)
    let missing = Swift.max(0, leastRange - (high - low)) / 2
    return (low - missing, high + missing)
  }

  /// Returns lines of bars, the newest at the right border.
  private func bars(_ values: [Double], _ low: Double, _ high: Double, height: Int, room: Int) -> [String] {
    let glyphs = style.bars
    let steps = height * glyphs.count
    let levels = values.map { value in
      Swift.min(steps, Swift.max(1, Int(((value - low) / (high - low) * Double(steps)).rounded())))
    }
    let blanks = String(repeating: " ", count: Swift.max(0, room - values.count))
    return (0..<height).map { row in
      let base = (height - 1 - row) * glyphs.count
      return blanks + String(levels.map { $0 <= base ? " " : glyphs[Swift.min(glyphs.count, $0 - base) - 1] })
    }
  }

  /// Returns µT with one decimal.
  static func number(_ value: Double) -> String { Decimal.text(value, decimals: 1) ?? "?" }
}
