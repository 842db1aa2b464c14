import FleetStatus
import Ingest
import Partitions
import PostgreSQL
import StatusReading
import Streams

/// Reads what `beaconmon-hub status` shows.
public struct StatusDatabase: StatusStore {
  private let connection: PostgreSQLConnection

  public init(_ connection: PostgreSQLConnection) throws {
    self.connection = connection
    try FleetSchema(connection).check()
  }

  /// Returns the status, without the backlogs of the broker.
  public func status() throws -> FleetStatus {
    let answers = try connection.run([
      PostgreSQLStatement(
        """
        select d.device_id, s.name || '.' || d.name, extract(epoch from now() - t.received_at)::int8,
          extract(epoch from t.received_at - t.device_time)::int8, r.version, r.revision, coalesce(n.missing, 0), coalesce(n.lost, 0),
          d.revoked_at is not null, coalesce(t.journal_returns, 0), coalesce(t.returned, 0),
          (extract(epoch from now()) * 1000)::int8, r.rollout_revision, r.rollout_state, r.rollout_text,
          extract(epoch from now() - d.enrolled_at)::int8, array_to_string(r.problems, chr(31)), r.free_space, r.dropped_digests, r.clock_synchronised,
          extract(epoch from d.certificate_ends - now())::int8, extract(epoch from now() - d.expected_at)::int8,
          encode(r.configuration, 'hex'), o.is_silent, array_to_string(o.findings, ',')
        from device d join site s using (site_id) left join device_state t using (device_id) left join device_report r using (device_id)
          left join (select device_id, sum(missing)::int8 as missing, sum(lost)::int8 as lost from stream group by 1) n using (device_id)
          join device_overview o using (device_id)
        order by s.name, d.name
        """),
      PostgreSQLStatement("select device_id, reason, messages, detail, last_at > now() - interval '1 day' from refusal order by 1, 2"),
      PostgreSQLStatement(
        """
        select q.queue, q.worker, coalesce(w.seen_at > now() - interval '8 seconds', false), n.seconds
        from queue q left join worker w using (worker) left join (
          select s.partition % (select queues from fleet) as queue, extract(epoch from now() - max(t.received_at))::int8 as seconds
          from device_state t join device d using (device_id) join site s using (site_id) group by 1) n using (queue) order by 1
        """),
      PostgreSQLStatement("select pg_database_size(current_database())"),
      PostgreSQLStatement("select device_id, count(*) from refused_event group by 1"),
      PostgreSQLStatement("select worker from worker where seen_at > now() - interval '8 seconds'"),
      PostgreSQLStatement(
        "select alert_id, kind, text, extract(epoch from now() - opened_at)::int8, not announced from alert where ended_at is null order by alert_id"
      ),
      PostgreSQLStatement(
        """
        select exists (select from pg_locks where locktype = 'advisory' and classid = \(AlertDatabase.lock.0) and objid = \(AlertDatabase.lock.1)
            and granted and database = (select oid from pg_database where datname = current_database())),
          (select count(*) from alert_delivery where failure is not null)
        """),
      PostgreSQLStatement("select machine, path, free, extract(epoch from now() - measured_at)::int8 from alert_disk order by 1, 2"),
      PostgreSQLStatement(
        "select part, cause, extract(epoch from now() - began_at)::int8, extract(epoch from now() - ended_at)::int8 from outage_overview"),
    ])
    var refused: [String: [String: Int64]] = [:]
    var unattributed: [String: FleetStatus.UnattributedRefusals] = [:]
    var recent: [String: [String: String]] = [:]
    for row in answers[1].rows {
      let (device, reason, messages) = (row[0] ?? "", row[1] ?? "", Self.number(row[2]) ?? 0)
      if device == "0" {
        unattributed[reason] = FleetStatus.UnattributedRefusals(messages: messages, detail: row[3] ?? "")
      } else {
        refused[device, default: [:]][reason] = messages
        if row[4] == "t", let remedy = Refusal.Reason(rawValue: reason)?.remedy(row[3] ?? "") {
          recent[device, default: [:]][reason] = remedy
        }
      }
    }
    let setAside = Dictionary(answers[4].rows.map { ($0[0] ?? "", Self.number($0[1]) ?? 0) }) { $1 }
    let devices = answers[0].rows.map { row in
      let device = row[0] ?? ""
      var status = FleetStatus.Device(
        name: row[1] ?? "", silence: Self.number(row[2]), lag: Self.number(row[3]), version: row[4], revision: Self.number(row[5]),
        missing: Self.number(row[6]) ?? 0, lost: Self.number(row[7]) ?? 0, refused: refused[device] ?? [:],
        setAside: setAside[device] ?? 0, isRevoked: row[8] == "t",
        looksCloned: NumberingHistory(returns: Self.number(row[9]) ?? 0, returned: Self.number(row[10]) ?? 0)
          .looksCloned(at: Self.number(row[11]) ?? 0)
      )
      (status.recentRefusals, status.configuration) = (recent[device] ?? [:], row[22])
      if let revision = Self.number(row[12]), let state = row.number(13, Int.self).flatMap(FleetStatus.RolloutState.init(rawValue:)) {
        status.rollout = FleetStatus.DeviceRollout(revision: revision, state: state, text: row[14] ?? "")
      }
      (status.isSilent, status.findings) = (row[23] == "t", (row[24] ?? "").split(separator: ",").map(String.init))
      status.enrolled = Self.number(row[15])
      (status.certificate, status.expected) = (Self.number(row[20]), Self.number(row[21]))
      status.health = row[16].map { problems in
        FleetStatus.DeviceHealth(
          problems: problems.split(separator: "\u{1F}").map(String.init), freeSpace: Self.number(row[17]),
          droppedDigests: Self.number(row[18]) ?? 0, isClockSynchronised: row[19].map { $0 == "t" })
      }
      return status
    }
    let running = answers[5].rows.compactMap { $0[0] }
    let queues = answers[2].rows.map { row in
      let (number, isOwned) = (Int(row[0] ?? "") ?? 0, row[2] == "t")
      // A worker owns a queue some seconds after its start; until then its share says which worker will have it.
      let next = isOwned ? nil : QueueShares.worker(of: number, among: running)
      var queue = FleetStatus.Queue(
        number: number, worker: next ?? row[1], isOwned: isOwned || next != nil, isIdle: next != nil, backlog: nil)
      queue.newest = Self.number(row[3])
      return queue
    }
    let alerts = answers[6].rows.map { row in
      FleetStatus.Alert(
        id: Self.number(row[0]) ?? 0, kind: row[1] ?? "", text: row[2] ?? "", age: Self.number(row[3]) ?? 0, isMuted: row[4] == "t")
    }
    var status = FleetStatus(
      devices: devices, queues: queues, alerts: alerts, isWatched: answers[7].first == "t",
      failedDeliveries: Self.number(answers[7].rows.first?[1]) ?? 0, rollouts: try FleetStatus.Rollout.all(connection),
      unattributed: unattributed, setAside: setAside["0"] ?? 0,
      databaseSize: Self.number(answers[3].first) ?? 0, retention: try FleetStatus.Retention.all(connection))
    status.disks = answers[8].rows.map { row in
      FleetStatus.Disk(machine: row[0] ?? "", path: row[1] ?? "", free: Self.number(row[2]) ?? 0, age: Self.number(row[3]) ?? 0)
    }
    status.outages = answers[9].rows.compactMap { row in
      row[0].flatMap(FleetStatus.Outage.Part.init(rawValue:)).map {
        FleetStatus.Outage(part: $0, cause: row[1] ?? "", since: Self.number(row[2]), ended: Self.number(row[3]))
      }
    }
    return status
  }

  /// Returns whether the disk of the database is full, for which it writes as much as a batch and undoes it.
  ///
  /// Without a worker, nothing else notices a full disk.
  public func hasFullDisk() throws -> Bool {
    do throws(PostgreSQLError) { try connection.run(script: IngestDatabase.testWrite) } catch {
      // The failed transaction has to be ended.
      try connection.run(script: "rollback")
      return error.isOfFullDisk
    }
    return false
  }

  public func queues() throws -> QueueMap { try FleetSchema(connection).queues() }

  private static func number(_ text: String?) -> Int64? { text.flatMap { Int64($0) } }
}
