import Consent
import Instants
import Status

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

  public func text(_ status: PrivacyStatus) -> String {
    let isOff = status.locationServices.isEnabled == false
    let uses = status.uses ?? []
    let services =
      "location services  \(!isOff ? "on" : style.emphasise("off", .bold) + ": sessions receive neither events nor locations")"
    var blocks = [status.locationServices.note.map { "\(services)\n\($0.printable.wrapped(width).joined(separator: "\n"))" } ?? services]
    blocks.append(
      table(
        "Decided", ["who", "may", "by", "since"],
        (status.decisions ?? []).map { [name($0), permission($0.authorization), $0.decidedBy?.rawValue ?? "", time($0.time)] },
        none: "no decisions; root and the group beaconmon receive everything, and the config may contain rules"))
    blocks.append(
      table(
        "In use now", ["user", "app", "since", "purpose"],
        uses.filter { $0.inUse == true }.map { row($0.claim, [time($0.began)]) }, none: "none"))
    blocks.append(
      table(
        "Registered", ["user", "app", "region", "since", "purpose"],
        (status.registrations ?? []).map { row($0.claim, [region($0), time($0.time)]) }, none: "none"))
    blocks.append(
      table(
        "Asked", ["user", "app", "may", "last", "purpose"],
        (status.requests ?? []).map { row($0.claim, [permission($0.authorization), time($0.time)]) }, none: "none"))
    let past = uses.filter { $0.inUse != true }
    blocks.append(
      table(
        "Used", ["user", "app", "from", "until", "purpose"],
        past.prefix(Self.mostUses).map { row($0.claim, [time($0.began), $0.ended.map(time.second) ?? "cut off"]) }, none: "none yet"))
    if past.count > Self.mostUses { blocks.append("\(past.count - Self.mostUses) more with --json") }
    return blocks.joined(separator: "\n\n")
  }

  private func region(_ registration: PrivacyStatus.Registration) -> String {
    (registration.identifier ?? "") + (registration.isIdle == true ? " (idle)" : "")
  }

  private func row(_ claim: PrivacyStatus.Claim, _ middle: [String]) -> [String] {
    [claim.userName ?? claim.user.map { String($0) } ?? "", claim.appID ?? style.dash] + middle + [claim.purpose ?? ""]
  }

  private func name(_ decision: PrivacyStatus.Decision) -> String {
    let name = decision.name ?? decision.number.map { String($0) } ?? ""
    return decision.kind == .group ? "@\(name)" : name
  }

  private func permission(_ authorization: Authorization?) -> String {
    switch authorization {
    case .whenInUse: "while in use"
    case .always: "always"
    case .denied: "no"
    case .notDetermined, nil: "not decided"
    }
  }

  private func time(_ instant: Instant?) -> String { instant.map(time.second) ?? style.dash }

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
