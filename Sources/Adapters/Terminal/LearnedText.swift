import Records
public import Status

/// The learned offsets of receivers at venues for people.
public struct LearnedText: Sendable {
  private let style: TerminalStyle
  private let width: Int?

  /// - Parameter width: of the window; nil for as wide as the lines are.
  public init(style: TerminalStyle, width: Int?) {
    (self.style, self.width) = (style, width)
  }

  public func text(_ venues: [VenueStatus]) -> String {
    let parts = venues.flatMap { venue in
      let name = (venue.venue ?? style.dash).printable
      let receivers = venue.receivers ?? []
      return receivers.isEmpty ? [paragraph("\(name): no receiver has learned anything yet")] : receivers.map { part($0, at: name) }
    }
    return parts.joined(separator: "\n")
  }

  private func part(_ receiver: VenueStatus.Receiver, at venue: String) -> String {
    let level = receiver.offset.map { "signal level \(signed($0)) dB, " } ?? ""
    let head = "\(venue), \((receiver.adapter ?? style.dash).printable): \(level)learned in \(receiver.seconds ?? 0) s of walking"
    return paragraph(head) + verdicts(on: receiver).map(paragraph).joined() + beacons(receiver.suggestedBeacons ?? [])
  }

  private func verdicts(on receiver: VenueStatus.Receiver) -> [String] {
    if let missing = receiver.missingSeconds { return ["not certain yet: \(missing) s more of walking are needed"] }
    var lines: [String] = []
    if let offset = receiver.suggestedOffset {
      lines.append("suggested rssi-offset of the receiver: \(estimate(offset, receiver.suggestedOffsetAccuracy))")
    } else if receiver.refused == nil {
      lines.append("the configured rssi-offset of the receiver fits")
    }
    if let refused = receiver.refused {
      lines.append(
        "\(Count.text(refused, "offset was", plural: "offsets were")) refused and \(refused == 1 ? "has" : "have") not changed since")
    }
    return lines
  }

  private func beacons(_ beacons: [VenueStatus.Beacon]) -> String {
    guard !beacons.isEmpty else { return "" }
    let isOneUUID = Set(beacons.map(\.uuid)).count < 2
    var table = TextTable(
      style: style, [TextTable.Column(title: "beacon", leastWidth: 9), TextTable.Column(title: "suggested rssi-offset")])
    table.rows = beacons.map { beacon in
      let numbers = "\(beacon.major.map(String.init) ?? style.dash)/\(beacon.minor.map(String.init) ?? style.dash)"
      let name = (isOneUUID ? "" : "\(beacon.uuid.map { "\($0) " } ?? "")") + numbers
      return [name, beacon.rssiOffset.map { estimate($0, beacon.rssiOffsetAccuracy) } ?? style.dash]
    }
    return table.lines(width).map { $0 + "\n" }.joined()
  }

  private func paragraph(_ text: String) -> String { text.wrapped(width, indent: 2).map { $0 + "\n" }.joined() }

  private func estimate(_ value: Double, _ deviation: Double?) -> String {
    let tolerance = deviation.flatMap { Decimal.text($0, decimals: 1) }.map { " \(style.plusMinus) \($0)" } ?? ""
    return "\(signed(value))\(tolerance) dB"
  }

  private func signed(_ value: Double) -> String { (value >= 0.05 ? "+" : "") + (Decimal.text(value, decimals: 1) ?? style.dash) }
}
