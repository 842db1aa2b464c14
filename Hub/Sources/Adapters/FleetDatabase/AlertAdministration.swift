import Events
import PostgreSQL

/// The alerts and mutes for `beaconmon-hub admin alerts`.
public struct AlertAdministration {
  /// The days for which alerts that have ended are kept.
  public static let mostDays = 90

  private let connection: PostgreSQLConnection

  public init(_ connection: PostgreSQLConnection) throws {
    self.connection = connection
    try FleetSchema(connection).check()
  }

  /// Returns lines with the open alerts, those that ended in the last days, mutes, and failed deliveries.
  public func lines(days: Int) throws -> [String] {
    let stamp = "to_char(%@ at time zone 'utc', 'YYYY-MM-DD HH24:MI') || ' UTC'"
    func at(_ column: String) -> String { stamp.split(separator: "%@").joined(separator: column) }
    let answers = try connection.run([
      PostgreSQLStatement(
        """
        select alert_id || '  ' || kind || '  since ' || \(at("since")) || case
          when ended_at is not null then ', ended ' || \(at("ended_at"))
          when calm_at is not null then ', about to end' when not announced then ', muted' else '' end || E'\\n  ' || text
        from alert where ended_at is null or ended_at > now() - $1::int4 * interval '1 day' order by ended_at nulls first, alert_id
        """, [.integer(days)]),
      PostgreSQLStatement(
        """
        select 'muted: ' || subject || case kind when '' then '' else ' ' || kind end
          || coalesce(' until ' || \(at("until")), ' until it is unmuted') || ' by ' || actor
        from alert_mute where until is null or until > now() order by subject, kind
        """),
      PostgreSQLStatement(
        """
        select 'not delivered to ' || d.target || ': alert ' || e.alert_id || case when e.is_end then ', its end' else '' end || ': ' || d.failure
        from alert_delivery d join alert_event e using (event_id) where d.failure is not null order by d.delivery_id desc limit 20
        """),
      PostgreSQLStatement(
        "select target || ': ' || count(*) || ' waiting' from alert_delivery where failure is null group by target order by 1"),
    ])
    return answers.flatMap { $0.rows.compactMap { $0[0] } }
  }

  /// Keeps alerts of a subject from targets. Returns the subject; nil if nothing has this name.
  ///
  /// - Parameters:
  ///   - subject: a site, a device such as `berlin.door`, or the number of an alert, which also gives the kind
  ///   - seconds: nil until it is unmuted
  public func mute(_ subject: String, kind: Event.Alert?, seconds: Int64?, by actor: String) throws -> String? {
    let number = Int64(subject)
    let answers = try connection.run([
      PostgreSQLStatement("delete from alert_mute where until < now()"),
      PostgreSQLStatement(
        """
        with found as (
          select subject, kind, site from alert where alert_id = $1::int8 and ended_at is null
          union all select name, $3, name from site where $1::int8 is null and name = $2
          union all select s.name || '.' || d.name, $3, s.name from device d join site s using (site_id)
            where $1::int8 is null and s.name || '.' || d.name = $2
          limit 1),
        muted as (
          insert into alert_mute(subject, kind, until, actor)
          select subject, kind, now() + $4::int8 * interval '1 second', $5 from found
          on conflict (subject, kind) do update set until = excluded.until, muted_at = now(), actor = excluded.actor),
        noted as (
          insert into audit(actor, action, site_id, subject, detail)
          select $5, 'mute alerts', (select site_id from site where name = found.site), found.subject, found.kind from found)
        select concat_ws(' ', subject, nullif(kind, '')) from found
        """, Self.values(number, subject, kind) + [seconds.map { .integer($0) } ?? .null, .text(actor)]),
    ])
    return answers[1].first
  }

  /// Ends mutes of a subject. Returns false if there was none.
  public func unmute(_ subject: String, kind: Event.Alert?, by actor: String) throws -> Bool {
    try connection.run(
      PostgreSQLStatement(
        """
        with gone as (
          delete from alert_mute m where (m.until is null or m.until > now()) and case when $1::int8 is null
            then m.subject = $2 and ($3 = '' or m.kind = $3)
            else (m.subject, m.kind) in (select subject, kind from alert where alert_id = $1::int8) end
          returning subject, kind)
        insert into audit(actor, action, site_id, subject, detail)
        select $4, 'unmute alerts', (select site_id from site where name = split_part(gone.subject, '.', 1)), subject, kind from gone returning 1
        """, Self.values(Int64(subject), subject, kind) + [.text(actor)])
    ).first != nil
  }

  private static func values(_ number: Int64?, _ subject: String, _ kind: Event.Alert?) -> [PostgreSQLValue] {
    [number.map { .integer($0) } ?? .null, .text(subject), .text(kind?.rawValue ?? "")]
  }
}
