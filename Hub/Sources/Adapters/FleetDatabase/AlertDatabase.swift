import Alerts
import DeliveryScheduling
import EventActions
import Events
import FleetAlerts
import Ingest
import Instants
import PostgreSQL
import Streams

/// The alerts of a fleet. One instance serves until its first failure.
public final class AlertDatabase: AlertStore {
  /// The number of the advisory lock of the process that decides and delivers.
  static let lock = (4711, 9)
  /// The time for which alerts that have ended, and deliveries that have failed, are kept.
  static let kept = "\(AlertAdministration.mostDays) days"

  let connection: PostgreSQLConnection
  /// The identity of the fleet in the ids of messages.
  let fleet: String

  public init(_ connection: PostgreSQLConnection) throws {
    self.connection = connection
    try connection.beginService()
    try FleetSchema(connection).check()
    fleet = try connection.run(script: "select identity from fleet").first ?? ""
  }

  public func lead() throws -> Bool {
    try connection.run(script: "select pg_try_advisory_lock(\(Self.lock.0), \(Self.lock.1))").first == "t"
  }

  /// Returns the sites of actions that are not enrolled.
  public func unknownSites(of actions: [AlertAction]) throws -> [String] {
    var names = BinaryArray(of: .text)
    for name in Set(actions.flatMap { $0.sites ?? [] }).sorted() { names.append(name) }
    return try connection.run(
      PostgreSQLStatement(
        "select w from unnest($1::text[]) w where not exists (select from site where name = w) order by w", [.array(names)])
    ).rows.compactMap { $0[0] }
  }

  public func note(_ disks: [DiskSpace], on machine: String) throws {
    var statements: [PostgreSQLStatement] = []
    for disk in disks {
      guard let free = disk.free else { continue }
      statements.append(
        PostgreSQLStatement(
          """
          insert into alert_disk(machine, path, free) values ($1, $2, $3::int8)
          on conflict (machine, path) do update set free = excluded.free, measured_at = now()
          """, [.text(machine), .text(disk.path), .integer(Int64(clamping: free))]))
    }
    // A folder that was taken out of the configuration is no longer watched.
    var paths = BinaryArray(of: .text)
    for disk in disks { paths.append(disk.path) }
    statements.append(
      PostgreSQLStatement("delete from alert_disk where machine = $1 and path <> all($2::text[])", [.text(machine), .array(paths)]))
    try connection.run(statements)
  }

  public func load() throws -> (open: [OpenAlert], record: PresenceRecord) {
    let answers = try connection.run([
      PostgreSQLStatement(
        """
        select alert_id, kind, subject, site, device, \(time("since")), \(time("opened_at")), \(time("calm_at")), announced, text
        from alert where ended_at is null order by alert_id
        """),
      PostgreSQLStatement("select part, \(time("heard_at")), \(time("since")) from alert_presence"),
    ])
    let open = answers[0].rows.compactMap { row -> OpenAlert? in
      guard let kind = row[1].flatMap(Event.Alert.init(rawValue:)), let since = row.time(5), let opened = row.time(6) else { return nil }
      return OpenAlert(
        id: row.number(0, Int64.self), key: AlertKey(kind, row[2] ?? ""),
        problem: Problem(site: row[3], device: row[4], since: since, text: row[9] ?? ""), opened: opened, calmSince: row.time(7),
        isAnnounced: row[8] == "t")
    }
    var presences: [PresenceRecord.Part: Presence] = [:]
    for row in answers[1].rows {
      guard let part = row[0].flatMap(PresenceRecord.Part.init(text:)), let heard = row.time(1), let since = row.time(2) else { continue }
      presences[part] = Presence(heard: heard, since: since)
    }
    return (open, PresenceRecord(presences))
  }

  public func mutes() throws -> [AlertMute] {
    try connection.run(PostgreSQLStatement("select subject, kind from alert_mute where until is null or until > now()")).rows.map {
      AlertMute(subject: $0[0] ?? "", kind: $0[1].flatMap(Event.Alert.init(rawValue:)))
    }
  }

  public func observe() throws -> FleetObservation {
    let answers = try connection.run([
      PostgreSQLStatement("select \(time("now()")), exists (select from worker where seen_at > now() - interval '8 seconds')"),
      PostgreSQLStatement(
        """
        select s.name, d.name, \(time("coalesce(t.received_at, d.expected_at, d.enrolled_at)")), (extract(epoch from t.received_at - t.device_time) * 1000000)::int8,
          r.clock_synchronised, r.free_space, t.journal_returns, t.returned, cardinality(r.problems) > 0,
          (select string_agg(f.reason || chr(30) || f.detail, chr(31)) from refusal f where f.device_id = d.device_id and f.last_at > now() - interval '1 day'),
          t.device_id is not null, \(time("d.certificate_ends"))
        from device d join site s using (site_id) left join device_state t using (device_id) left join device_report r using (device_id)
        where d.revoked_at is null
        """),
      PostgreSQLStatement(
        """
        select s.name, concat_ws('/', b.uuid, b.major, b.minor), n.name, d.name, b.last_seen * 1000
        from beacon_name n join beacon b using (beacon_id) join site s using (site_id)
          left join device d on d.device_id = b.device_id and d.revoked_at is null
        where b.last_seen > 0
        """),
      PostgreSQLStatement("select machine, path, free, \(time("measured_at")) from alert_disk"),
    ])
    guard let now = answers[0].rows.first?.time(0) else { throw PostgreSQLError(message: "the database has no time") }
    var seen = FleetObservation(now: now, hasWorkers: answers[0].rows[0][1] == "t")
    seen.devices = answers[1].rows.compactMap { Self.device($0, now) }
    seen.beacons = answers[2].rows.compactMap { row in
      guard let time = row.time(4) else { return nil }
      return FleetObservation.Beacon(site: row[0] ?? "", identity: row[1] ?? "", name: row[2] ?? "", device: row[3], seen: time)
    }
    seen.disks = answers[3].rows.compactMap { row in
      guard let time = row.time(3) else { return nil }
      return FleetObservation.Disk(machine: row[0] ?? "", path: row[1] ?? "", free: row.number(2, UInt64.self) ?? 0, measured: time)
    }
    return seen
  }

  private static func device(_ row: [String?], _ now: Instant) -> FleetObservation.Device? {
    guard let heard = row.time(2) else { return nil }
    var device = FleetObservation.Device(site: row[0] ?? "", name: row[1] ?? "", heard: heard)
    device.lag = Span(microseconds: row.number(3, Int64.self) ?? 0)
    device.isClockSynchronised = row[4].map { $0 == "t" }
    device.freeSpace = row.number(5, UInt64.self)
    let numbering = NumberingHistory(returns: row.number(6, Int64.self) ?? 0, returned: row.number(7, Int64.self) ?? 0)
    device.looksCloned = numbering.looksCloned(at: now.microseconds / 1000)
    let remedies = (row[9] ?? "").split(separator: "\u{1F}").compactMap { refusal in
      let parts = refusal.split(separator: "\u{1E}", omittingEmptySubsequences: false).map(String.init)
      return Refusal.Reason(rawValue: parts[0])?.remedy(parts.last ?? "")
    }
    device.refusals = Set(remedies).sorted()
    device.hasProblems = row[8] == "t"
    device.hasSent = row[10] == "t"
    device.certificateEnds = row.time(11)
    return device
  }
}

/// Returns the expression for a time in microseconds since 1970.
func time(_ expression: String) -> String { "(extract(epoch from \(expression)) * 1000000)::int8" }

extension [String?] {
  func time(_ column: Int) -> Instant? { number(column, Int64.self).map { Instant(microseconds: $0) } }
}

extension PresenceRecord.Part {
  /// The part in the database. No name of a site begins with a hyphen.
  var text: String {
    switch self {
    case .workers: "-workers"
    case .fleet: "-fleet"
    case .site(let site): site
    case .device(let name): name
    }
  }

  init?(text: String) {
    switch text {
    case "-workers": self = .workers
    case "-fleet": self = .fleet
    case let name: self = name.contains(".") ? .device(name) : .site(name)
    }
  }
}
