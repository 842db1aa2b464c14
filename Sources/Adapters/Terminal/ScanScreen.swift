import BeaconAdvertising
import Beacons
import Instants
import Ranging
import Records

/// The table of `beaconmon scan`: takes one scan after the other and returns the lines of the screen.
public struct ScanScreen: Sendable {
  /// The source of the sightings, for a person.
  private let source: String
  private let style: TerminalStyle
  private let format: TimeFormat
  private var scan: ScanReport?

  /// A sentence below the table, such as the reason of its end.
  public var note: String?

  public init(source: String, style: TerminalStyle, time format: TimeFormat = .utc) {
    self.format = format
    self.source = source.printable
    self.style = style
  }

  /// Takes the snapshot of a second.
  public mutating func take(_ scan: ScanReport) {
    self.scan = scan
  }

  /// Returns as many lines as fit with one row to spare, none wider than the window.
  public func lines(size: TerminalSize) -> [String] {
    let rows = Swift.max(1, size.rows - 1)
    let below = (footer + [note].compactMap(\.self)).below(size, ellipsis: style.ellipsis)
    let room = Swift.max(0, rows - 1 - below.count)
    var above = table
    if above.count > room {
      above = Array(above.prefix(Swift.max(0, room - 1)))
      if room > 0 { above.append(Line("\(style.ellipsis) enlarge the window to see more")) }
    }
    return ([title] + above + below.map { Line($0) }).prefix(rows).map { line in
      style.emphasise(line.text.clipped(size.columns, ellipsis: style.ellipsis), line.emphasis)
    }
  }

  /// The whole table, for a pipe.
  public var text: String {
    ([title] + table + footer.map { Line($0) }).map { $0.text + "\n" }.joined()
  }

  private struct Line {
    let text: String
    var emphasis: TerminalStyle.Emphasis?

    init(_ text: String, _ emphasis: TerminalStyle.Emphasis? = nil) {
      self.text = text
      self.emphasis = emphasis
    }
  }
}

// MARK: Beacons

extension ScanScreen {
  private var time: Instant? { scan?.time }

  private var title: Line {
    let clock = time.map(format.clock)
    let length = scan?.since.flatMap { since in time.flatMap { Decimal.text(($0 - since).seconds, decimals: 0) } }.map {
      "\($0) s"
    }
    return Line(["scan", source, clock, length].compactMap(\.self).joined(separator: "  "), .bold)
  }

  private var table: [Line] {
    guard let uuids = scan?.uuids, !uuids.isEmpty else { return [Line("no beacon in range")] }
    let header = cells("uuid", "beacons", "dBm", "m", "adv/s", "seen")
    return [Line(header, .faint)] + uuids.flatMap { lines(of: $0) }
  }

  private func lines(of group: ScanReport.Group) -> [Line] {
    var strongest = BeaconReport()
    (strongest.rssi, strongest.distance, strongest.rate, strongest.lastSeen) = (group.rssi, group.distance, group.rate, group.lastSeen)
    let row = BeaconRow(strongest, at: time ?? .never)
    let uuid = group.uuid?.description ?? style.dash
    let count = group.count.map { String($0) } ?? "?"
    let dash = style.dash
    return [
      Line(cells(uuid, count, row.rssi ?? dash, row.measured?.value ?? dash, row.rate ?? dash, row.age.map { "\($0) s" } ?? dash), .green),
      Line("  " + identities(of: group)),
    ]
  }

  private func cells(_ uuid: String, _ others: String...) -> String {
    let widths = [7, 6, 6, 6, 7]
    return ([uuid.padded(36)] + zip(others, widths).map { $0.padded($1, isRight: true) }).joined(separator: "  ")
  }

  /// Returns `1/7 1/5 1/12, and 3 more`, the strongest first.
  private func identities(of group: ScanReport.Group) -> String {
    let beacons = group.beacons ?? []
    func text(_ number: UInt16?) -> String { number.map { String($0) } ?? "?" }
    let names = beacons.map { "\(text($0.major))/\(text($0.minor))" }.joined(separator: " ")
    let more = (group.count ?? 0) - Swift.min(group.count ?? 0, UInt64(beacons.count))
    return names + (more == 0 ? "" : ", and \(more) more")
  }
}

// MARK: Other advertisements and notes

extension ScanScreen {
  private var footer: [String] {
    guard let scan else { return [] }
    return [cut(scan), others(scan), advice(scan)].compactMap(\.self)
  }

  /// Returns a note on the entries that are not shown, and why.
  private func cut(_ scan: ScanReport) -> String? {
    let listed = scan.uuids?.count ?? 0
    let parts = [
      scan.uuidCount.flatMap { $0 > listed ? "\($0 - UInt64(listed)) weaker UUIDs" : nil },
      scan.forgotten.map { "\($0) silent beacons" },
      scan.unlisted.map { "\($0) advertisements of beacons beyond the limit of a scan" },
    ].compactMap(\.self)
    return parts.isEmpty ? nil : "not shown: \(parts.joined(separator: ", "))"
  }

  /// Returns `also heard: 130 apple, 12 eddystone advertisements`.
  private func others(_ scan: ScanReport) -> String? {
    let kinds = (scan.kinds?.entries ?? []).filter { $0.name != "iBeacon" }
    guard !kinds.isEmpty else { return nil }
    let counts = kinds.map { "\($0.count) \(Self.words[$0.name] ?? $0.name.printable)" }
    return "other advertisements: \(counts.joined(separator: ", "))"
  }

  private static let words = [
    "apple": "Apple", "altBeacon": "AltBeacon", "eddystone": "Eddystone", "manufacturer": "other manufacturers", "other": "other kinds",
  ]

  /// Returns the next command for the strongest beacon.
  private func advice(_ scan: ScanReport) -> String? {
    scan.uuids?.first?.uuid.map { "next: beaconmon range \($0)" }
  }
}
