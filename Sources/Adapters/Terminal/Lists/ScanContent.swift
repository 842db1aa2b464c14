import Beacons
public import Instants
public import Ranging
import Records

/// The rows of `beaconmon scan`: a row for each UUID.
public struct ScanContent: ListContent {
  /// The source of the sightings, for a person.
  private let source: String
  private let style: TerminalStyle
  private let format: TimeFormat
  private var scan: ScanReport?
  /// The sentences below the table, which are the same as in a pipe.
  private var footer: [String] = []

  public init(source: String, style: TerminalStyle, time format: TimeFormat = .utc) {
    (self.source, self.style, self.format) = (source, style, format)
  }

  /// Takes the snapshot of a second.
  public mutating func take(_ scan: ScanReport) {
    self.scan = scan
    footer = ScanText(source: source, style: style, time: format).footer(scan)
  }

  public var time: Instant? { scan?.time }

  public var title: [String] {
    let length = scan?.since.flatMap { since in time.flatMap { Decimal.text(($0 - since).seconds, decimals: 0) } }.map { "\($0) s" }
    return ["scan", source] + [time.map(format.clock), length].compactMap(\.self)
  }

  public var noun: String { "UUID" }
  public var emptyText: String { "no beacon in range" }
  public var changes: Set<String> { [] }
  public var changeName: String { "(none in a scan)" }

  public var columns: [ListColumn] {
    [
      ListColumn(title: "uuid", width: 16, mostWidth: 36, isSteady: true),
      ListColumn(title: "beacons", width: 7, isRight: true),
      ListColumn(title: "dBm", width: 6, isRight: true),
      ListColumn(title: "m", width: 6, isRight: true, dropOrder: 2),
      ListColumn(title: "adv/s", width: 6, isRight: true, dropOrder: 1),
      ListColumn(title: "seen", width: 7, isRight: true, dropOrder: 0),
      ListColumn(title: "major/minor", width: 12, mostWidth: 60, dropOrder: -1, isSortable: false),
    ]
  }

  public var rows: [ListRow] {
    (scan?.uuids ?? []).map { group in
      let row = BeaconRow(group.strongest, at: time ?? .never)
      let (uuid, dash) = (group.uuid?.description ?? style.dash, style.dash)
      let cells: [(ListRow.Cell, ListRow.SortKey)] = [
        (.text(uuid), .text(uuid)),
        (.text(group.count.map { String($0) } ?? "?"), .number(group.count.map { -Double($0) })),
        (.text(row.rssi ?? dash), .number(group.rssi.map { -$0 })),
        (.text(row.measured?.value ?? dash), .number(group.distance)),
        (.text(row.rate ?? dash), .number(group.rate.map { -$0 })),
        (.text(row.age.map { "\($0) s" } ?? dash), .number(group.lastSeen.map { last in time.map { ($0 - last).seconds } ?? 0 })),
        (.text(group.identities), .number(nil)),
      ]
      return ListRow(id: uuid, cells: cells.map(\.0), keys: cells.map(\.1), emphasis: group.rssi == nil ? .faint : .green)
    }
  }

  public func below(width: Int, rows: Int) -> [String] {
    footer.below(TerminalSize(columns: width, rows: 2 * rows), ellipsis: style.ellipsis)
  }

  /// Returns the strongest beacons of a UUID, and the next command.
  public func detail(of id: String, size: TerminalSize) -> [String]? {
    guard let group = scan?.uuids?.first(where: { ($0.uuid?.description ?? style.dash) == id }) else { return nil }
    var table = TextTable(
      style: style,
      [
        .init(title: "major/minor"), .init(title: "dBm"), .init(title: "m"), .init(title: "adv/s", dropOrder: 1),
        .init(title: "seen", dropOrder: 0),
      ])
    for beacon in group.beacons ?? [] {
      var report = BeaconReport()
      (report.rssi, report.distance, report.rate, report.lastSeen) = (beacon.rssi, beacon.distance, beacon.rate, beacon.lastSeen)
      let row = BeaconRow(report, at: time ?? .never)
      let numbers = [beacon.major, beacon.minor].map { number in number.map { String($0) } ?? "?" }.joined(separator: "/")
      table.rows.append(
        [
          numbers, row.rssi ?? style.dash, row.measured?.value ?? style.dash, row.rate ?? style.dash,
          row.age.map { "\($0) s" } ?? style.dash,
        ])
    }
    let more = (group.count ?? 0) - Swift.min(group.count ?? 0, UInt64(table.rows.count))
    let lines = [style.emphasise(id.clipped(size.columns, ellipsis: style.ellipsis), .bold)] + table.lines(size.columns)
    let last = [more == 0 ? nil : "and \(more) more", "next: beaconmon range \(id)"].compactMap(\.self)
      .below(size, ellipsis: style.ellipsis)
    return Array(lines.prefix(Swift.max(1, size.rows - last.count))) + last
  }
}
