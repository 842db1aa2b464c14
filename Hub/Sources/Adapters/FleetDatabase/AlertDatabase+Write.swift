import Alerts
import Events
import FleetAlerts
import Instants
import PostgreSQL

extension AlertDatabase {
  public func write(_ batch: AlertBatch) throws -> [AlertKey: Int64] {
    var statements = [presences(batch.record)]
    var opened: [(key: AlertKey, index: Int)] = []
    let announced = Dictionary(
      batch.announcements.lazy.filter { $0.end == nil && $0.alert.id == nil }.map { ($0.alert.key, $0.targets) }, uniquingKeysWith: { $1 })
    for change in batch.changes {
      switch change {
      case .opened(let alert):
        opened.append((alert.key, statements.count))
        statements.append(Self.insertion(alert, targets: announced[alert.key]))
      case .calmed(let alert):
        guard let id = alert.id else { continue }
        statements.append(
          PostgreSQLStatement("update alert set calm_at = \(moment(2)) where alert_id = $1::int8", [.integer(id), .time(alert.calmSince)]))
      case .ended(let alert, let end, _):
        guard let id = alert.id else { continue }
        statements.append(
          PostgreSQLStatement(
            "update alert set ended_at = now(), calm_at = \(moment(2)) where alert_id = $1::int8", [.integer(id), .time(end)]))
      }
    }
    for announcement in batch.announcements {
      guard let id = announcement.alert.id else { continue }
      statements.append(Self.announcement(announcement, of: id))
    }
    statements.append(PostgreSQLStatement("delete from alert where ended_at < now() - $1::interval", [.text(Self.kept)]))
    let answers = try connection.run(statements)
    var ids: [AlertKey: Int64] = [:]
    for (key, index) in opened { ids[key] = answers[index].first.flatMap { Int64($0) } }
    return ids
  }

  private func presences(_ record: PresenceRecord) -> PostgreSQLStatement {
    var (parts, heard, since) = (BinaryArray(of: .text), BinaryArray(of: .int8), BinaryArray(of: .int8))
    for (part, presence) in record.presences.sorted(by: { $0.key.text < $1.key.text }) {
      parts.append(part.text)
      heard.append(presence.heard.microseconds)
      since.append(presence.since.microseconds)
    }
    return PostgreSQLStatement(
      """
      with given as (
        select p, fleet_time(h / 1000) as h, fleet_time(s / 1000) as s from unnest($1::text[], $2::int8[], $3::int8[]) as u(p, h, s)),
      gone as (delete from alert_presence where part not in (select p from given))
      insert into alert_presence as a(part, heard_at, since) select p, h, s from given
      on conflict (part) do update set heard_at = excluded.heard_at, since = excluded.since
      where (a.heard_at, a.since) is distinct from (excluded.heard_at, excluded.since)
      """, [.array(parts), .array(heard), .array(since)])
  }

  /// Returns the statement that stores a new alert, with an event and deliveries if it is announced at once.
  private static func insertion(_ alert: OpenAlert, targets: [String]?) -> PostgreSQLStatement {
    var names = BinaryArray(of: .text)
    for target in targets ?? [] { names.append(target) }
    return PostgreSQLStatement(
      """
      with a as (
        insert into alert(kind, subject, site, device, since, opened_at, announced, text)
        values ($1, $2, $3, $4, \(moment(5)), \(moment(6)), $7::bool, $8) returning alert_id),
      e as (
        insert into alert_event(alert_id, made_at, is_end, text) select alert_id, \(moment(6)), false, $8 from a where $7::bool
        returning event_id),
      d as (insert into alert_delivery(event_id, target) select event_id, t from e, unnest($9::text[]) t)
      select alert_id from a
      """,
      [
        .text(alert.key.kind.rawValue), .text(alert.key.subject), .optional(alert.problem.site), .optional(alert.problem.device),
        .time(alert.problem.since), .time(alert.opened), .text(targets == nil ? "false" : "true"), .text(alert.problem.text), .array(names),
      ])
  }

  /// Returns the statement that stores the event of an alert that the database has, with its deliveries.
  private static func announcement(_ announcement: AlertBatch.Announcement, of alert: Int64) -> PostgreSQLStatement {
    var names = BinaryArray(of: .text)
    for target in announcement.targets { names.append(target) }
    let (problem, end) = (announcement.alert.problem, announcement.end)
    let lasted = end.map { max(0, $0.0.microseconds - problem.since.microseconds) }
    return PostgreSQLStatement(
      """
      with a as (update alert set announced = true where alert_id = $1::int8),
      e as (
        insert into alert_event(alert_id, made_at, is_end, text, lasted)
        values ($1::int8, now(), $2::bool, $3, $4::int8) returning event_id)
      insert into alert_delivery(event_id, target) select event_id, t from e, unnest($5::text[]) t
      """,
      [
        .integer(alert), .text(end == nil ? "false" : "true"), .text(end?.text ?? problem.text), lasted.map { .integer($0) } ?? .null,
        .array(names),
      ])
  }
}

/// Returns the expression for the time of a parameter in microseconds since 1970.
private func moment(_ parameter: Int) -> String { "(timestamptz 'epoch' + $\(parameter)::int8 * interval '1 microsecond')" }

extension PostgreSQLValue {
  fileprivate static func optional(_ text: String?) -> PostgreSQLValue { text.map { .text($0) } ?? .null }
  fileprivate static func time(_ time: Instant?) -> PostgreSQLValue { time.map { .integer($0.microseconds) } ?? .null }
}
