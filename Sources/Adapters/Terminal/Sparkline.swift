/// RSSI as bars: −100 dBm and less the lowest, −45 dBm and more the highest. A fixed scale lets beacons be compared.
enum Sparkline {
  private static let weakest = -100.0
  private static let strongest = -45.0

  /// Returns one character for each value; a blank for nil.
  static func text(_ values: some Sequence<Double?>, style: TerminalStyle) -> String {
    let bars = style.bars
    return String(
      values.map { value -> Character in
        guard let value, value.isFinite else { return " " }
        let share = (Swift.min(strongest, Swift.max(weakest, value)) - weakest) / (strongest - weakest)
        return bars[Swift.min(bars.count - 1, Int(share * Double(bars.count)))]
      })
  }
}
