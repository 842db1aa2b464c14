import BeaconAdvertising
import Beacons
import Instants
import Ranging

/// The table of `beaconmon range`: takes snapshots and returns the lines of the screen.
public struct RangeScreen: Sendable {
  /// The length of each beacon's RSSI history: one value a snapshot, and one snapshot a second.
  public static let historySeconds = 20

  /// The constraint: a UUID, perhaps with major and minor.
  private let subject: String
  /// The source of the sightings, for a person.
  private let source: String
  private let style: TerminalStyle
  private let format: TimeFormat

  private var time: Instant?
  private var beacons: [BeaconReport] = []
  private var histories: [Identity: [Double?]] = [:]

  /// A sentence below the table, such as the reason of its end.
  public var note: String?

  public init(subject: String, source: String, style: TerminalStyle, time format: TimeFormat = .utc) {
    self.format = format
    self.subject = subject.printable
    self.source = source.printable
    self.style = style
  }

  /// Takes the snapshot of a second, with the beacons in display order.
  public mutating func take(_ beacons: [BeaconReport], at time: Instant) {
    self.time = time
    self.beacons = beacons
    let heard = Dictionary(beacons.map { (Identity($0), $0.rssi) }, uniquingKeysWith: { first, _ in first })
    for identity in Set(heard.keys).union(histories.keys) {
      let blank = [Double?](repeating: nil, count: Self.historySeconds)
      let history = Array((histories[identity] ?? blank).dropFirst()) + [heard[identity] ?? nil]
      histories[identity] = heard[identity] == nil && history.allSatisfy { $0 == nil } ? nil : history
    }
  }

  /// Returns as many lines as fit with one row to spare, none wider than the window.
  public func lines(size: TerminalSize) -> [String] {
    let rows = Swift.max(1, size.rows - 1)
    var lines = [title(width: size.columns)]
    let below = [note].compactMap(\.self).below(size, ellipsis: style.ellipsis)
    lines += table(width: size.columns, room: Swift.max(0, rows - 2 - below.count))
    lines += below
    return Array(lines.prefix(rows))
  }
}

extension RangeScreen {
  /// Returns the constraint, the source and the time; a narrow window drops parts from the middle, then from the end.
  private func title(width: Int) -> String {
    let clock = time.map(format.clock)
    for parts in [[subject, source, clock], [subject, clock], [subject]] {
      let texts = parts.compactMap(\.self)
      let length = texts.map(\.columns).reduce(0, +) + 2 * (texts.count - 1)
      if length <= width { return style.emphasise(texts[0], .bold) + texts.dropFirst().map { "  \($0)" }.joined() }
    }
    return style.emphasise(clipped(subject, width), .bold)
  }

  private func table(width: Int, room: Int) -> [String] {
    guard !beacons.isEmpty else { return [clipped("no beacon in range", width)] }
    let hasMajor = Set(beacons.map(\.major)).count > 1
    let place = beacons.compactMap { $0.place?.printable.columns }.max() ?? 0
    let columns = RangeColumn.layout(width: width, hasMajor: hasMajor, place: place)
    let header = columns.map { column, width in
      column.title(historySeconds: width).fitted(width, isRight: column.isRight)
    }
    let shown = beacons.count > room ? Swift.max(0, room - 1) : beacons.count
    var lines = [style.emphasise(clipped(header.joined(separator: RangeColumn.gap).withoutTrailingBlanks, width), .faint)]
    lines += beacons.prefix(shown).map { line($0, columns: columns, width: width) }
    if shown < beacons.count { lines.append(clipped("\(style.ellipsis) \(beacons.count - shown) more", width)) }
    return lines
  }

  private func line(_ beacon: BeaconReport, columns: [(column: RangeColumn, width: Int)], width: Int) -> String {
    let row = BeaconRow(beacon, at: time ?? .never)
    let cells = columns.map { column, width in
      let text =
        column == .history
        ? Sparkline.text((histories[Identity(beacon)] ?? []).suffix(width), style: style) : column.text(row, style: style)
      return (column == .place ? clipped(text, width) : text).fitted(width, isRight: column.isRight)
    }
    let text = clipped(cells.joined(separator: RangeColumn.gap).withoutTrailingBlanks, width)
    return style.emphasise(text, row.emphasis)
  }

  private func clipped(_ text: String, _ width: Int) -> String { text.clipped(width, ellipsis: style.ellipsis) }
}

extension RangeScreen {
  /// The values that identify a beacon.
  private struct Identity: Hashable {
    let uuid: BeaconUUID?
    let major: UInt16?
    let minor: UInt16?

    init(_ beacon: BeaconReport) {
      (uuid, major, minor) = (beacon.uuid, beacon.major, beacon.minor)
    }
  }
}

extension BeaconRow {
  fileprivate var emphasis: TerminalStyle.Emphasis? {
    switch proximity {
    case .immediate: .boldGreen
    case .near: .green
    case .unknown: .faint
    case .far: nil
    }
  }
}

/// RSSI as bars: −100 dBm and less the lowest, −45 dBm and more the highest. A fixed scale lets beacons be compared.
private enum Sparkline {
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
