import Records

/// The output of `beaconmon privacy`.
public struct PrivacyText {
  private static let mostUses = 10
  private let style: TerminalStyle
  private let time: TimeFormat
  private let width: Int?

  /// - Parameter width: columns of the window; nil for lines of any width.
  public init(style: TerminalStyle, time: TimeFormat = .utc, width: Int? = nil) {
    self.style = style
    self.time = time
    self.width = width
  }

  /// - Parameters: as `org.beaconmon.Monitor1.Privacy` returns them.
  public func text(
    isEnabled: Bool, note: String?, decisions: [Record], requests: [Record], uses: [Record], registrations: [Record]
  ) -> String {
    let services =
      "location services  \(isEnabled ? "on" : style.emphasise("off", .bold) + ": sessions receive neither events nor locations")"
    var blocks = [note.map { "\(services)\n\($0.printable.wrapped(width).joined(separator: "\n"))" } ?? services]
    blocks.append(
      table(
        "Decided", ["who", "may", "by", "since"],
        decisions.map { [name($0), permission($0), $0["decidedBy"]?.plainText ?? "", time($0["time"])] },
        none: "no decisions; root and the group beaconmon receive everything, and the config may contain rules"))
    blocks.append(
      table(
        "In use now", ["user", "app", "since", "purpose"], uses.filter { $0["inUse"] == .flag(true) }.map { use($0, [time($0["began"])]) },
        none: "none"))
    blocks.append(
      table(
        "Registered", ["user", "app", "region", "since", "purpose"],
        registrations.map { use($0, [region($0), time($0["time"])]) }, none: "none"))
    blocks.append(
      table(
        "Asked", ["user", "app", "may", "last", "purpose"], requests.map { use($0, [permission($0), time($0["time"])]) }, none: "none"))
    let past = uses.filter { $0["inUse"] != .flag(true) }
    blocks.append(
      table(
        "Used", ["user", "app", "from", "until", "purpose"],
        past.prefix(Self.mostUses).map { use($0, [time($0["began"]), $0["ended"].map(time) ?? "cut off"]) }, none: "none yet"))
    if past.count > Self.mostUses { blocks.append("\(past.count - Self.mostUses) more with --json") }
    return blocks.joined(separator: "\n\n")
  }

  private func region(_ registration: Record) -> String {
    (registration["identifier"]?.plainText ?? "") + (registration["idle"] == .flag(true) ? " (idle)" : "")
  }

  private func use(_ record: Record, _ middle: [String]) -> [String] {
    let user = record["userName"]?.plainText ?? record["user"]?.plainText ?? ""
    return [user, record["appId"]?.plainText ?? style.dash] + middle + [record["purpose"]?.plainText ?? ""]
  }

  private func name(_ record: Record) -> String {
    let name = record["name"]?.plainText ?? record["number"]?.plainText ?? ""
    return record["kind"]?.plainText == "group" ? "@\(name)" : name
  }

  private func permission(_ record: Record) -> String {
    switch record["authorization"]?.plainText {
    case "whenInUse": "while in use"
    case "always": "always"
    case "denied": "no"
    default: "not decided"
    }
  }

  private func time(_ value: RecordValue?) -> String { value?.time.map(time.second) ?? style.dash }

  private func table(_ title: String, _ columns: [String], _ rows: [[String]], none: String) -> String {
    guard !rows.isEmpty else {
      let indent = title.columns + 2
      return "\(style.emphasise(title, .bold))  \(none.wrapped(width, indent: indent, taken: indent).joined(separator: "\n"))"
    }
    let last = columns.count - 1
    var table = TextTable(
      style: style,
      columns.enumerated().map { index, title in
        // A purpose is shown in full; the column beside it that can shrink the most is the time.
        .init(title: title, leastWidth: index == last ? 20 : 8, isWrapped: index == last)
      })
    table.rows = rows.map { $0.map(\.printable) }
    return ([style.emphasise(title, .bold)] + table.lines(width.map { $0 - 2 }).map { "  \($0)" }).joined(separator: "\n")
  }
}
