import Beacons
public import Events
public import Instants
public import Status

/// The rows of `beaconmon monitor` and `beaconmon status --watch`: the regions.
/// Below them are the latest events, or the state of the daemon.
public struct RegionContent: ListContent {
  public enum Purpose: String, Sendable {
    case monitor
    case status
  }

  /// The number of events that the screen keeps.
  private static let mostEvents = 200

  private let purpose: Purpose
  private let style: TerminalStyle
  private let units: Units
  private let format: TimeFormat
  private var status: MonitorStatus?
  private var hub: HubStatus?
  private var events: [Event] = []

  public private(set) var time: Instant?
  public private(set) var changes: Set<String> = []

  public init(_ purpose: Purpose, style: TerminalStyle, units: Units = .ofEnvironment, time format: TimeFormat = .utc) {
    (self.purpose, self.style, self.units, self.format) = (purpose, style, units, format)
  }

  /// Takes the state of the daemon, and that of the notifier's connection to a hub.
  public mutating func take(_ status: MonitorStatus, hub: HubStatus? = nil, at time: Instant) {
    (self.status, self.hub, self.time, changes) = (status, hub, time, [])
  }

  /// Takes new events, the oldest first.
  public mutating func take(_ events: [Event], at time: Instant) {
    self.events = (self.events + events).suffix(Self.mostEvents)
    (changes, self.time) = (Set(events.compactMap(\.region)), time)
  }

  public var title: [String] {
    let health = purpose == .status ? status.map { StatusText.source($0.source) } : nil
    return ["beaconmon \(purpose.rawValue)"] + [health, time.map(format.clock)].compactMap(\.self)
  }

  public var noun: String { "region" }
  public var emptyText: String {
    status == nil ? "the state of the regions is not known yet" : "no regions; add some to the config"
  }
  public var changeName: String { "of a region" }

  private var text: StatusText { StatusText(style: style, units: units, time: format) }
  private var regions: [RegionStatus] { status?.regions ?? [] }

  public var columns: [ListColumn] {
    let name = regions.map { ($0.identifier ?? "").printable.columns }.max() ?? 0
    let mark = StatusText.markTitle(regions)
    return [
      ListColumn(title: "region", width: 12, mostWidth: Swift.max(12, name), isSteady: true),
      ListColumn(title: "state", width: 7),
      ListColumn(title: "since", width: format.secondWidth, dropOrder: 2),
      ListColumn(title: mark, width: Swift.max(11, mark.columns), dropOrder: 1, isSortable: false),
      ListColumn(title: "last seen", width: format.secondWidth, dropOrder: 0),
    ]
  }

  public var rows: [ListRow] {
    regions.map { region in
      let (report, name) = (region.report, (region.identifier ?? style.dash).printable)
      let seen = report.lastSeen ?? report.fixTime
      let state = report.state?.rawValue ?? style.dash
      // The latest change is first.
      func key(_ instant: Instant?) -> ListRow.SortKey { .number(instant.map { -Double($0.microseconds) }) }
      return ListRow(
        id: region.identifier ?? "",
        cells: [.text(name), .text(state), .text(text.second(report.since)), .text(text.mark(report)), .text(text.second(seen))],
        keys: [.text(name), .text(state), key(report.since), .number(nil), key(seen)],
        emphasis: report.state == .inside ? .green : nil)
    }
  }

  public func below(width: Int, rows: Int) -> [String] {
    guard rows > 1 else { return [] }
    switch purpose {
    case .status:
      let text = StatusText(style: style, units: units, time: format, width: width)
      let facts = status.map { text.allFacts($0, hub: hub) } ?? []
      let lines = facts.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) } }
      return lines.isEmpty ? [] : [""] + lines
    case .monitor:
      guard !events.isEmpty else { return ["", "no event yet"] }
      return [""] + eventLines(events, width: width, rows: rows - 1)
    }
  }

  /// Returns the lines of as many events as fit, the latest last.
  private func eventLines(_ events: [Event], width: Int, rows: Int) -> [String] {
    let names = events.compactMap { $0.region }.map(EventList.regionWidth).max() ?? 12
    var list = EventList(style: style, regionWidth: Swift.max(12, names), units: units, time: format)
    let lines = events.suffix(rows).flatMap { event -> [String] in
      let entry = list.entry(event, width: width)
      return [entry.day].compactMap(\.self) + entry.lines
    }
    return lines.suffix(rows)
  }

  /// Returns the state of a region in full, and its events.
  public func detail(of id: String, size: TerminalSize) -> [String]? {
    guard let region = regions.first(where: { ($0.identifier ?? "") == id }) else { return nil }
    let report = region.report
    var facts = [
      ("state", "\(report.state?.rawValue ?? style.dash) since \(text.second(report.since))"),
      (region.radius == nil ? "beacon" : "boundary", text.mark(report)), ("last seen", text.second(report.lastSeen ?? report.fixTime)),
    ]
    facts += text.notes(region).map { ("note", $0) }
    let name = id.printable.clipped(size.columns, ellipsis: style.ellipsis)
    let lines = facts.flatMap { label, value in
      let texts = value.wrapped(size.columns, indent: 11, taken: 11)
      return [label.padded(11) + (texts.first ?? "")] + texts.dropFirst()
    }
    let own = events.filter { $0.region == id }
    let room = size.rows - lines.count - 3
    let history = own.isEmpty || room < 1 ? [] : [""] + eventLines(own, width: size.columns, rows: room)
    return [style.emphasise(name, .bold)] + lines + history
  }
}
