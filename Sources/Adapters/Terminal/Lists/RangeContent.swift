public import Beacons
public import Instants
import Records

/// The rows of `beaconmon range`: beacons with their distances.
public struct RangeContent: ListContent {
  /// The length of the history of the RSSI in the table.
  static let shownSeconds = 20
  /// Beacons that left the range stay in the list for a minute; beyond this number the oldest of them go first.
  private static let mostBeacons = 4096

  /// The constraint: a UUID, perhaps with major and minor.
  private let subject: String
  /// The source of the sightings, for a person.
  private let source: String
  let style: TerminalStyle
  private let format: TimeFormat

  public private(set) var time: Instant?
  public private(set) var changes: Set<String> = []
  private(set) var beacons: [String: BeaconHistory] = [:]
  /// The identities in the order of the list.
  private var order: [String] = []

  public init(subject: String, source: String, style: TerminalStyle, time format: TimeFormat = .utc) {
    (self.subject, self.source, self.style, self.format) = (subject, source, style, format)
  }

  /// Takes the snapshot of a second.
  public mutating func take(_ snapshot: [(report: BeaconReport, reception: BeaconReception)], at time: Instant) {
    self.time = time
    changes = []
    var heard: Set<String> = []
    for (report, reception) in snapshot {
      let id = BeaconHistory.id(of: report)
      guard heard.insert(id).inserted else { continue }
      if beacons[id]?.take(report, reception) ?? meet(id, report, reception) { changes.insert(id) }
    }
    for id in order where !heard.contains(id) { beacons[id]?.miss() }
    forget()
  }

  private mutating func meet(_ id: String, _ report: BeaconReport, _ reception: BeaconReception) -> Bool {
    var beacon = BeaconHistory(id, report)
    defer { beacons[id] = beacon }
    order.insert(id, at: place(of: report))
    return beacon.take(report, reception)
  }

  /// The index in the list for a new beacon.
  ///
  /// A binary search, so that a flood of new identities does not cost a pass over the list for each.
  private func place(of report: BeaconReport) -> Int {
    let key = Self.key(report)
    var (first, end) = (0, order.count)
    while first < end {
      let middle = (first + end) / 2
      if key < Self.key(beacons[order[middle]]?.report ?? BeaconReport()) { end = middle } else { first = middle + 1 }
    }
    return first
  }

  private mutating func forget() {
    var gone = Set(order.filter { beacons[$0]?.isForgotten ?? true })
    if order.count - gone.count > Self.mostBeacons {
      gone.formUnion(order.filter { beacons[$0]?.isHeard == false }.prefix(order.count - Self.mostBeacons))
    }
    guard !gone.isEmpty else { return }
    order.removeAll { gone.contains($0) }
    for id in gone { beacons[id] = nil }
  }

  /// The order of the list: UUID, major, minor.
  private static func key(_ report: BeaconReport) -> (String, UInt16, UInt16) {
    (report.uuid?.description ?? "", report.major ?? .max, report.minor ?? .max)
  }

  // MARK: - The list

  public var title: [String] { [subject, source] + [time.map(format.clock)].compactMap(\.self) }
  public var noun: String { "beacon" }
  public var emptyText: String { "no beacon in range" }
  public var changeName: String { "of proximity" }

  private var hasUUIDs: Bool { Set(beacons.values.map(\.report.uuid)).count > 1 }
  private var hasMajors: Bool { Set(beacons.values.map(\.report.major)).count > 1 }
  /// The width of the longest name of a place; zero without any.
  private var placeWidth: Int { beacons.values.compactMap { $0.report.place?.printable.columns }.max() ?? 0 }

  public var columns: [ListColumn] {
    let place = placeWidth
    let all: [ListColumn?] = [
      hasUUIDs ? ListColumn(title: "uuid", width: 8, dropOrder: 7, isSteady: true) : nil,
      hasMajors ? ListColumn(title: "major", width: 5, isRight: true, dropOrder: 6, isSteady: true) : nil,
      ListColumn(title: "minor", width: 5, isRight: true, isSteady: true),
      place > 0
        ? ListColumn(title: "place", width: Swift.min(10, Swift.max(5, place)), mostWidth: Swift.min(24, place), isSteady: true) : nil,
      ListColumn(title: "proximity", width: 9),
      ListColumn(title: " distance m", width: 14, dropOrder: 8),
      ListColumn(title: "dBm", width: 6, isRight: true, dropOrder: 5),
      ListColumn(title: "last \(Self.shownSeconds) s", width: 12, mostWidth: Self.shownSeconds, dropOrder: 2, isSortable: false),
      ListColumn(title: "adv/s", width: 5, isRight: true, dropOrder: 3),
      ListColumn(title: "sent/s", width: 6, isRight: true, dropOrder: 0),
      ListColumn(title: "loss", width: 5, isRight: true, dropOrder: 4),
      ListColumn(title: "seen", width: 6, isRight: true, dropOrder: 1),
    ]
    return all.compactMap(\.self)
  }

  public var rows: [ListRow] {
    let (hasUUIDs, hasMajors, hasPlaces) = (hasUUIDs, hasMajors, placeWidth > 0)
    return order.compactMap { beacons[$0] }.map { beacon in
      let row = BeaconRow(beacon.report, at: time ?? .never)
      let uuid = beacon.report.uuid?.description ?? style.dash
      let (dash, report) = (style.dash, beacon.report)
      let cells: [(ListRow.Cell, ListRow.SortKey)?] = [
        hasUUIDs ? (.text(String(uuid.prefix(8))), .text(uuid)) : nil,
        hasMajors ? (.text(row.major), .number(report.major.map(Double.init))) : nil,
        (.text(row.minor), .number(report.minor.map(Double.init))),
        hasPlaces ? (.text(row.place ?? dash), .text(row.place ?? "\u{10FFFF}")) : nil,
        (.text(row.proximity == .unknown ? dash : row.proximity.rawValue), .number(row.proximity.rank)),
        (.text(row.distanceText(style)), .number(report.distance)),
        (.text(row.rssi ?? dash), .number(report.rssi.map { -$0 })),
        (.levels(beacon.levels), .number(nil)),
        (.text(row.rate ?? dash), .number(report.rate.map { -$0 })),
        (.text(beacon.sentText ?? dash), .number(beacon.reception.interval)),
        (.text(beacon.lossText ?? dash), .number(beacon.lossKnown.map { -$0 })),
        (.text(row.age.map { "\($0) s" } ?? dash), .number(report.lastSeen.map { last in time.map { ($0 - last).seconds } ?? 0 })),
      ]
      let present = cells.compactMap(\.self)
      return ListRow(id: beacon.id, cells: present.map(\.0), keys: present.map(\.1), emphasis: row.proximity.emphasis)
    }
  }

  public func below(width: Int, rows: Int) -> [String] { [] }
}

extension BeaconHistory {
  /// The advertisements that the beacon sends in a second.
  var sentText: String? {
    guard isHeard, let interval = reception.interval, interval > 0 else { return nil }
    return Decimal.text(1 / interval, decimals: 1)
  }

  /// The loss while the beacon is in range.
  var lossKnown: Double? { isHeard ? reception.loss : nil }

  var lossText: String? { lossKnown.map(\.percent) }
}

extension BeaconRow {
  func distanceText(_ style: TerminalStyle) -> String {
    (measured?.value ?? style.dash).padded(5, isRight: true) + (measured?.accuracy.map { " \(style.plusMinus) \($0)" } ?? "")
  }
}

extension BeaconProximity {
  /// The order of bands from near to far; nil if the band is unknown.
  fileprivate var rank: Double? {
    switch self {
    case .immediate: 0
    case .near: 1
    case .far: 2
    case .unknown: nil
    }
  }

  var emphasis: TerminalStyle.Emphasis? {
    switch self {
    case .immediate: .boldGreen
    case .near: .green
    case .unknown: .faint
    case .far: nil
    }
  }
}
