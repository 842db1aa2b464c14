import Beacons
public import Instants
import Records
public import Surveys
import Venues

/// The rows of `beaconmon survey`: the expected beacons, heard or not, and others of their UUIDs.
public struct SurveyContent: ListContent {
  private let source: String
  let style: TerminalStyle
  private let format: TimeFormat
  private(set) var report = SurveyReport()
  public private(set) var time: Instant?
  public private(set) var changes: Set<String> = []
  private var faults: [String: Int] = [:]
  private let places: SurveyPlaceChoice?
  /// The place at which the receiver stands.
  private var standing: SurveyPlace?

  /// - Parameter places: those at which the receiver can stand; nil without a venue.
  public init(source: String, places: SurveyPlaceChoice? = nil, style: TerminalStyle, time format: TimeFormat = .utc) {
    (self.source, self.places, self.style, self.format) = (source, places, style, format)
  }

  /// Sets the place at which the receiver stands; nil while it walks.
  public mutating func stand(at place: SurveyPlace?) { standing = place }

  /// Takes the report so far.
  public mutating func take(_ report: SurveyReport, at time: Instant) {
    (self.report, self.time) = (report, time)
    let present = Dictionary(own.map { (Self.id($0), ($0.verdicts ?? []).count) }) { $1 }
    changes = Set(present.filter { faults[$0.key] != $0.value }.map(\.key))
    faults = present
  }

  private var own: [SurveyedBeacon] { (report.beacons ?? []).filter { !$0.isForeign } }

  private static func id(_ beacon: SurveyedBeacon) -> String { "\(beacon.uuid?.description ?? "?")/\(beacon.numbers)" }

  // MARK: - The list

  public var title: [String] {
    let missing = report.missing.map { "\($0.count) missing" }
    return ["survey", source] + [missing, time.map(format.clock)].compactMap(\.self)
  }

  public var choice: ListChoice? {
    places.map { _ in
      ListChoice(key: "w", question: "where do you stand?", help: standing == nil ? "stand at a place" : "another place, or walk on")
    }
  }

  public func options(for text: String) -> [ListOption] {
    places?.options(for: text, isStanding: standing != nil, recommended: report.nextPlaces ?? []) ?? []
  }

  public var noun: String { "beacon" }
  public var emptyText: String { time == nil ? "waiting for the packets of \(source)" : "no beacon in range" }
  public var changeName: String { "of the faults, and when a beacon is first heard" }

  private var hasNames: Bool { (report.beacons ?? []).contains { $0.name != nil } || (report.missing ?? []).contains { $0.name != nil } }

  public var columns: [ListColumn] {
    let all: [ListColumn?] = [
      report.hasSeveralUUIDs ? ListColumn(title: "uuid", width: 8, dropOrder: 5, isSteady: true) : nil,
      ListColumn(title: "beacon", width: 7, mostWidth: 11, isSteady: true),
      hasNames ? ListColumn(title: "name", width: 8, mostWidth: 24, dropOrder: 6, isSteady: true) : nil,
      ListColumn(title: "state", width: 12, mostWidth: 28),
      ListColumn(title: "dBm", width: 4, isRight: true),
      ListColumn(title: "packets", width: 7, isRight: true, dropOrder: 1),
      ListColumn(title: "adv/s", width: 5, isRight: true, dropOrder: 3),
      ListColumn(title: "loss", width: 5, isRight: true, dropOrder: 4),
      ListColumn(title: "interval ms", width: 11, isRight: true, dropOrder: 0),
      ListColumn(title: "at 1 m", width: 6, mostWidth: 13, isRight: true, dropOrder: 2),
    ]
    return all.compactMap(\.self)
  }

  public var rows: [ListRow] { (report.missing ?? []).map(row) + own.map(row) }

  private func row(_ beacon: MissingBeacon) -> ListRow {
    var heard = SurveyedBeacon()
    (heard.uuid, heard.major, heard.minor, heard.name) = (beacon.uuid, beacon.major, beacon.minor, beacon.name)
    return row(heard, id: "missing \(beacon.label(hasUUID: true))", state: "not heard", .bold)
  }

  private func row(_ beacon: SurveyedBeacon) -> ListRow {
    let kinds = (beacon.verdicts ?? []).compactMap(\.kind?.rawValue)
    return row(beacon, id: Self.id(beacon), state: kinds.isEmpty ? "ok" : kinds.joined(separator: ", "), kinds.isEmpty ? .green : .bold)
  }

  private func row(_ beacon: SurveyedBeacon, id: String, state: String, _ emphasis: TerminalStyle.Emphasis) -> ListRow {
    let cells = SurveyCells(beacon, style: style)
    let uuid = beacon.uuid?.description ?? style.dash
    let order = Double(beacon.major ?? .max) * 65_536 + Double(beacon.minor ?? .max)
    let name = beacon.name?.printable ?? style.dash
    let values: [(ListRow.Cell, ListRow.SortKey)?] = [
      report.hasSeveralUUIDs ? (.text(String(uuid.prefix(8))), .text(uuid)) : nil,
      (.text(beacon.numbers), .number(order)),
      hasNames ? (.text(name), .text(name)) : nil,
      (.text(state), .text(state)),
      (.text(cells.median), .number(beacon.rssi?.median.map { -$0 })),
      (.text(beacon.count.map { "\($0)" } ?? style.dash), .number(beacon.count.map { -Double($0) })),
      (.text(cells.rate), .number(beacon.rate.map { -$0 })),
      (.text(cells.loss), .number(beacon.loss.map { -$0 })),
      (.text(cells.interval), .number(beacon.interval)),
      (.text(cells.power), .number(beacon.measuredPower.map { -Double($0) })),
    ]
    let present = values.compactMap(\.self)
    return ListRow(id: id, cells: present.map(\.0), keys: present.map(\.1), emphasis: emphasis)
  }

  public func below(width: Int, rows: Int) -> [String] {
    let foreign = (report.beacons ?? []).count - own.count
    let others = foreign == 0 ? [] : ["\(Count.text(foreign, "beacon")) of other UUIDs"]
    return (placeNotes + report.receptionNotes + others).below(TerminalSize(columns: width, rows: 2 * rows), ellipsis: style.ellipsis)
  }

  /// The place at which the receiver stands with what was measured there, and the number of all places.
  private var placeNotes: [String] {
    guard places != nil else { return [] }
    guard let standing else {
      guard time != nil else { return [] }
      let count = (report.places ?? []).count
      return ["\(Count.text(count, "place")) measured; w: stand still at another one for ten seconds"]
    }
    let here = (report.places ?? []).first { $0.level == standing.level && $0.x == standing.point.x && $0.y == standing.point.y }
    let (packets, beacons) = (here?.packets ?? 0, here?.beacons ?? 0)
    return ["STAND STILL at \(standing.text): \(packets) packets of \(Count.text(beacons, "beacon")); w: walk on"]
  }

  /// Returns all values of a beacon, and its faults in sentences.
  public func detail(of id: String, size: TerminalSize) -> [String]? {
    guard let beacon = own.first(where: { Self.id($0) == id }) else {
      return rows.contains { $0.id == id } ? ["This beacon was not heard yet. Walk to its place."] : nil
    }
    let cells = SurveyCells(beacon, style: style)
    let facts = [
      ("packets", "\(beacon.count ?? 0), \(cells.rate) a second, \(cells.loss) lost"), ("RSSI", "\(cells.levels) dBm"),
      ("interval", "\(cells.interval) ms"), ("power", "\(cells.power) dBm at 1 m"), ("senders", "\(beacon.senders ?? 0)"),
    ]
    let head = style.emphasise(
      [beacon.name?.printable, id].compactMap(\.self).joined(separator: "  ").clipped(size.columns, ellipsis: style.ellipsis), .bold)
    let lines = facts.map { "\($0.padded(10))\($1)".clipped(size.columns, ellipsis: style.ellipsis) }
    let verdicts = (beacon.verdicts ?? []).flatMap { $0.sentence.wrapped(size.columns, indent: 2) }
    return [head, ""] + lines + (verdicts.isEmpty ? [] : [""] + verdicts)
  }
}
