import Records

/// What `beaconmon privacy` prints.
public struct PrivacyText {
  private static let mostUses = 10
  private let style: TerminalStyle

  public init(style: TerminalStyle) {
    self.style = style
  }

  /// - Parameters: as `org.beaconmon.Monitor1.Privacy` answers them.
  public func text(
    isEnabled: Bool, note: String?, decisions: [Record], requests: [Record], uses: [Record], registrations: [Record]
  ) -> String {
    let services = "location services  \(isEnabled ? "on" : style.emphasise("off", .bold) + ": no session is told anything")"
    var blocks = [note.map { "\(services)\n\($0.printable)" } ?? services]
    blocks.append(
      table(
        "Decided", ["who", "may", "by", "since"],
        decisions.map { [name($0), permission($0), $0["decidedBy"]?.plainText ?? "", time($0["time"])] },
        none: "nothing; root and the group beaconmon hear everything, and the config may have rules"))
    blocks.append(
      table(
        "In use now", ["user", "app", "since", "purpose"], uses.filter { $0["inUse"] == .flag(true) }.map { use($0, [time($0["began"])]) },
        none: "nobody"))
    blocks.append(
      table(
        "Registered", ["user", "app", "region", "since", "purpose"],
        registrations.map { use($0, [region($0), time($0["time"])]) }, none: "no region outlives its program"))
    blocks.append(
      table(
        "Asked", ["user", "app", "may", "last", "purpose"], requests.map { use($0, [permission($0), time($0["time"])]) }, none: "nobody"))
    let past = uses.filter { $0["inUse"] != .flag(true) }
    blocks.append(
      table(
        "Used", ["user", "app", "from", "until", "purpose"],
        past.prefix(Self.mostUses).map { use($0, [time($0["began"]), $0["ended"].map { time($0) } ?? "cut off"]) }, none: "by nobody yet"))
    if past.count > Self.mostUses { blocks.append("\(past.count - Self.mostUses) more with --json") }
    return blocks.joined(separator: "\n\n")
  }

  private func region(_ registration: Record) -> String {
    (registration["identifier"]?.plainText ?? "") + (registration["idle"] == .flag(true) ? " (idle)" : "")
  }

  private func use(_ record: Record, _ middle: [String]) -> [String] {
    let user = record["userName"]?.plainText ?? record["user"]?.plainText ?? ""
    return [user, record["appId"]?.plainText ?? "–"] + middle + [record["purpose"]?.plainText ?? ""]
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

  /// To the second.
  private func time(_ value: RecordValue?) -> String {
    guard let text = value?.plainText, text.count > 19 else { return "–" }
    return String(text.prefix(10) + " " + text.dropFirst(11).prefix(8)) + "Z"
  }

  private func table(_ title: String, _ columns: [String], _ rows: [[String]], none: String) -> String {
    guard !rows.isEmpty else { return "\(style.emphasise(title, .bold))  \(none)" }
    let cells = [columns] + rows.map { $0.map(\.printable) }
    let widths = columns.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
    let lines = cells.map { row in "  " + zip(row, widths).map { $0.padded($1) }.joined(separator: "  ").withoutTrailingBlanks }
    return ([style.emphasise(title, .bold)] + lines).joined(separator: "\n")
  }
}
