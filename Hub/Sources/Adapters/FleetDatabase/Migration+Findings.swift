extension Migration {
  /// The findings of the hub about each device, and a silence that fits the intervals of devices.
  static let findings = Migration(
    name: "findings",
    up: """
      drop view device_overview;

      -- DeviceReport.longestSilence: a device without beacons in range sends only its reports.
      create function fleet_silence() returns interval language sql immutable return interval '7 minutes';

      create view device_overview as \(overview());
      """,
    down: """
      drop view device_overview;
      drop function fleet_silence;
      create view device_overview as
        select d.device_id, d.site_id, d.name, d.room, d.floor, d.enrolled_at, d.revoked_at, s.received_at, s.received_at - s.device_time as lag,
          r.version, r.revision, r.free_space, r.dropped_digests, r.clock_synchronised, r.problems, n.missing, n.lost,
          case when d.revoked_at is not null then 'revoked' when s.received_at is null then 'new'
            when s.received_at < now() - interval '2 minutes' then 'silent'
            when cardinality(r.problems) > 0 or n.missing > 0 or not r.clock_synchronised then 'problem' else 'good' end as state,
          \(rolloutColumns)
        from \(source);
      """)

  /// The state and the findings of each device, as a query.
  ///
  /// - Parameter furtherFinding: an element of the list of findings with a comma.
  static func overview(_ furtherFinding: String = "") -> String {
    """
    select d.device_id, d.site_id, d.name, d.room, d.floor, d.enrolled_at, d.revoked_at, s.received_at, s.received_at - s.device_time as lag,
      r.version, r.revision, r.free_space, r.dropped_digests, r.clock_synchronised, r.problems, n.missing, n.lost,
      case when d.revoked_at is not null then 'revoked' when s.received_at is null and cardinality(f.findings) = 0 then 'new'
        when f.is_silent then 'silent'
        when cardinality(r.problems) > 0 or n.missing > 0 or not r.clock_synchronised or cardinality(f.findings) > 0 then 'problem'
        else 'good' end as state,
      \(rolloutColumns), f.is_silent, f.findings
    from \(source)
    cross join lateral (
      -- The same limits: FleetWatch (clocks), NumberingHistory (clones), FleetStatus (disks). The same reasons: Refusal.Reason.
      select
        d.revoked_at is null and coalesce(s.received_at, d.expected_at, d.enrolled_at) < now() - fleet_silence() as is_silent,
        array_remove(array[
          case when s.journal_returns >= 3 and s.returned > (extract(epoch from now() - interval '1 day') * 1000)::int8 then 'cloned' end,
          case when s.device_time - s.received_at > interval '2 minutes' then 'clock-ahead' end,
          case when s.received_at - s.device_time > interval '1 day' then 'clock-behind' end,
          \(furtherFinding)case when r.free_space < 1000000000 then 'disk-low' end], null)
        || array(
          select reason from refusal where refusal.device_id = d.device_id and last_at > now() - interval '1 day'
            and reason in ('undecodable', 'version', 'conflict', 'unverified', 'future', 'journals', 'rejected') order by reason) as findings) f
    """
  }

  private static let rolloutColumns = """
    r.rollout_revision, case r.rollout_state when 0 then 'onTrial' when 1 then 'confirmed' when 2 then 'refused' when 3 then 'rolledBack' end
      as rollout_state, r.rollout_text
    """

  private static let source = """
    device d left join device_state s using (device_id) left join device_report r using (device_id)
    left join lateral (select sum(missing)::int8 as missing, sum(lost)::int8 as lost from stream where stream.device_id = d.device_id) n on true
    """
}
