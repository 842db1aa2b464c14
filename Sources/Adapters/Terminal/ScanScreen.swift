import Instants
import Records

/// The table of `beaconmon scan`: takes one scan after the other and returns the lines of the screen.
public struct ScanScreen: Sendable {
  /// The source of the sightings, for a person.
  private let source: String
  private let style: TerminalStyle
  private let format: TimeFormat
  private var scan: Record?

  /// A sentence below the table, such as the reason of its end.
  public var note: String?

  public init(source: String, style: TerminalStyle, time format: TimeFormat = .utc) {
    self.format = format
    self.source = source.printable
    self.style = style
  }

  /// Takes a scan as `ScanSnapshot` records it.
  public mutating func take(_ scan: Record) {
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
  private var time: Instant? { scan?["time"]?.time }

  private var title: Line {
    let clock = time.map(format.clock)
    let length = scan?["since"]?.time.flatMap { since in time.flatMap { Decimal.text(($0 - since).seconds, decimals: 0) } }.map {
      "\($0) s"
    }
    return Line(["scan", source, clock, length].compactMap(\.self).joined(separator: "  "), .bold)
  }

  private var table: [Line] {
    guard let uuids = scan?["uuids"]?.list, !uuids.isEmpty else { return [Line("no beacon in range")] }
    let header = cells("uuid", "beacons", "dBm", "m", "adv/s", "seen")
    return [Line(header, .faint)] + uuids.flatMap { lines(of: $0) }
  }

  private func lines(of group: Record) -> [Line] {
    let row = BeaconRow(group, at: time ?? .never)
    let uuid = (group["uuid"]?.text ?? style.dash).printable
    let count = group["count"]?.plainText ?? "?"
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
  private func identities(of group: Record) -> String {
    let beacons = group["beacons"]?.list ?? []
    let names = beacons.map { "\($0["major"]?.plainText ?? "?")/\($0["minor"]?.plainText ?? "?")" }.joined(separator: " ")
    let more = (group["count"]?.number ?? 0) - Swift.min(group["count"]?.number ?? 0, UInt64(beacons.count))
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
  private func cut(_ scan: Record) -> String? {
    let listed = scan["uuids"]?.list?.count ?? 0
    let parts = [
      (scan["uuidCount"]?.number).flatMap { $0 > listed ? "\($0 - UInt64(listed)) weaker UUIDs" : nil },
      (scan["forgotten"]?.number).map { "\($0) silent beacons" },
      (scan["unlisted"]?.number).map { "\($0) advertisements of beacons beyond the limit of a scan" },
    ].compactMap(\.self)
    return parts.isEmpty ? nil : "not shown: \(parts.joined(separator: ", "))"
  }

  /// Returns `also heard: 130 apple, 12 eddystone advertisements`.
  private func others(_ scan: Record) -> String? {
    let kinds = (scan["kinds"]?.record?.fields.map(\.self) ?? []).filter { $0.0 != "iBeacon" }
    guard !kinds.isEmpty else { return nil }
    let counts = kinds.map { kind, count in "\(count.plainText ?? "?") \(Self.words[kind] ?? kind.printable)" }
    return "other advertisements: \(counts.joined(separator: ", "))"
  }

  private static let words = [
    "apple": "Apple", "altBeacon": "AltBeacon", "eddystone": "Eddystone", "manufacturer": "other manufacturers", "other": "other kinds",
  ]

  /// Returns the next command for the strongest beacon.
  private func advice(_ scan: Record) -> String? {
    scan["uuids"]?.list?.first?["uuid"]?.text.map { "next: beaconmon range \($0.printable)" }
  }
}

extension RecordValue {
  /// The value as a count; nil for any other value.
  fileprivate var number: UInt64? {
    if case .count(let count) = self { count } else { nil }
  }
}
