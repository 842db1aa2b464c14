import Beacons
import Records
public import SignalCalibration

/// A calibration of the ranging for people.
public struct CalibrationText: Sendable {
  private let style: TerminalStyle
  private let width: Int?

  /// - Parameter width: of the window; nil for as wide as the lines are.
  public init(style: TerminalStyle, width: Int?) {
    (self.style, self.width) = (style, width)
  }

  /// - Parameter adapter: returns the name of an adapter.
  public func text(_ calibration: SignalCalibration, adapter: (UInt16) -> String?) -> String {
    var lines: [(String, String)] = []
    if let exponent = calibration.exponent { lines.append(("path-loss exponent", estimate(exponent, "", decimals: 2))) }
    for (number, offset) in calibration.adapters.sorted(by: { $0.key < $1.key }) {
      let name = calibration.adapters.count > 1 ? adapter(number).map { " \($0)" } ?? " \(number)" : ""
      lines.append(("offset of the receiver\(name)", estimate(offset, " dB")))
    }
    lines.append(("fading", "\(number(calibration.fading)) dB from place to place, which no offset removes"))
    let titles = lines.map(\.0.count).max() ?? 0
    var text = lines.map { "\($0.0.padded(titles))  \($0.1)\n" }.joined()
    text += "\n" + table(calibration).lines(width).map { $0 + "\n" }.joined()
    text += "\n" + residuals(calibration).lines(width).map { $0 + "\n" }.joined()
    var notes = calibration.shortages.map { note($0, adapter) }
    if calibration.refused > 0 { notes.append("\(calibration.refused) samples have impossible values, and were left out.") }
    if !notes.isEmpty { text += "\n" + notes.flatMap { $0.wrapped(width) }.map { $0 + "\n" }.joined() }
    return text
  }

  private func table(_ calibration: SignalCalibration) -> TextTable {
    let isOneUUID = Set(calibration.beacons.map(\.identity.uuid)).count < 2
    var table = TextTable(
      style: style,
      [
        TextTable.Column(title: "beacon", leastWidth: 9), TextTable.Column(title: "offset"), TextTable.Column(title: "power at 1 m"),
        TextTable.Column(title: "packets", dropOrder: 1), TextTable.Column(title: "distances", dropOrder: 0),
      ])
    table.rows = calibration.beacons.map { beacon in
      [
        (isOneUUID
          ? ""
          : "\(beacon.identity.uuid) "
            + "") + "\(beacon.identity.major)/\(beacon.identity.minor)", estimate(beacon.offset, " dB"),
        "\(number(beacon.power.value)) dBm", "\(beacon.packets)", range(beacon.distances),
      ]
    }
    return table
  }

  private func residuals(_ calibration: SignalCalibration) -> TextTable {
    var table = TextTable(
      style: style,
      [
        TextTable.Column(title: "at"), TextTable.Column(title: "mean error"), TextTable.Column(title: "spread"),
        TextTable.Column(title: "samples", dropOrder: 0), TextTable.Column(title: "weaker | louder", dropOrder: 1),
      ])
    let scale = max(Self.leastScale, calibration.residuals.map { abs($0.mean) }.max() ?? 0)
    table.rows = calibration.residuals.map {
      [range($0.distances), "\(signed($0.mean)) dB", "\(number($0.spread)) dB", "\($0.samples)", bar($0.mean, scale: scale)]
    }
    return table
  }

  /// The dB that fill a half of the plot if no error is larger.
  private static let leastScale = 4.0
  private static let half = 7

  /// Returns a plot of one error: a bar to the left or the right of an axis.
  private func bar(_ error: Double, scale: Double) -> String {
    let length = min(Self.half, Int((abs(error) / scale * Double(Self.half)).rounded()))
    let full = String(repeating: style.hasUnicode ? "█" : "#", count: length)
    return error < 0 ? full.padded(Self.half, isRight: true) + "|" : String(repeating: " ", count: Self.half) + "|" + full
  }

  private func note(_ shortage: SignalCalibration.Shortage, _ adapter: (UInt16) -> String?) -> String {
    switch shortage {
    case .exponent(let exponent):
      "The path-loss exponent is too uncertain (\(estimate(exponent, "", decimals: 2))) to improve on the usual 2. Measure at more "
        + "distances, and at "
        + "farther ones, such as 1, 2, 4 and 8 m."
    case .adapter(let number, let offset):
      "The offset of the adapter \(adapter(number) ?? "\(number)") is too uncertain (\(estimate(offset, " dB"))). Let it hear more "
        + "beacons."
    case .distances(let distances):
      "The distances from one beacon are too much alike (at most \(range(distances))) to show how fast the signal fades. "
        + "Measure at three distances or more, the farthest at least 2.5 times as far as the nearest, such as 1, 2, 4 and 8 m."
    case .repeated(let beacon, let distance, let times):
      "Beacon \(beacon.major)/\(beacon.minor) was measured \(times) times at \(number(distance)) m: their mean counts, and only other "
        + "distances show how fast the signal fades. Is each --distance that of its capture?"
    case .packets(let beacon, let packets):
      "Beacon \(beacon.major)/\(beacon.minor) was heard in \(packets) packets, which are too few for an offset. Stay near it for 20 "
        + "seconds."
    case .uncertain(let beacon, let offset):
      "The offset of beacon \(beacon.major)/\(beacon.minor) is too uncertain (\(estimate(offset, " dB"))) to improve its distances. "
        + "Measure it at "
        + "more places."
    }
  }

  private func estimate(_ estimate: Estimate, _ unit: String, decimals: Int = 1) -> String {
    let value = unit.isEmpty ? number(estimate.value, decimals) : signed(estimate.value)
    return "\(value) \(style.plusMinus) \(number(estimate.deviation, decimals))\(unit)"
  }

  private func signed(_ value: Double) -> String { (value >= 0.05 ? "+" : "") + number(value) }
  private func number(_ value: Double, _ decimals: Int = 1) -> String { Decimal.text(value, decimals: decimals) ?? style.dash }

  private func range(_ distances: ClosedRange<Double>) -> String {
    let (low, high) = (number(distances.lowerBound), number(distances.upperBound))
    return low == high ? "\(low) m" : "\(low) to \(high) m"
  }
}
