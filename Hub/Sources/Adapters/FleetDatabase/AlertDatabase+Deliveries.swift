import Alerts
import Beacons
import DeliveryScheduling
import EventActions
import Events
import FleetAlerts
import Instants
import PostgreSQL

extension AlertDatabase {
  public func waiting(_ target: Target, after id: Int64, limit: Int, now: Instant) throws -> [Delivery] {
    let rows = try connection.run(
      PostgreSQLStatement(
        """
        select d.delivery_id, e.event_id, (extract(epoch from now() - d.queued_at) * 1000000)::int8, \(time("e.made_at")), e.is_end, e.text, e.lasted,
          a.alert_id, a.kind, a.subject, a.site, a.device
        from alert_delivery d join alert_event e using (event_id) join alert a using (alert_id)
        where d.target = $1 and d.failure is null and d.delivery_id > $2::int8 order by d.delivery_id limit $3::int8
        """, [.text(target.name), .integer(id), .integer(limit)]))
    return rows.rows.compactMap { row in
      guard let delivery = row.number(0, Int64.self), let sequence = row.number(1, UInt64.self), let waited = row.number(2, Int64.self)
      else {
        return nil
      }
      let event = Self.event(row, sequence)
      let (queued, policy) = (now - Span(microseconds: waited), target.policy)
      return Delivery(
        id: delivery, message: "\(fleet)-\(sequence)", event: event, json: event.json, deadline: queued + policy.giveUp,
        expiry: policy.maximumAge.map { queued + $0 } ?? .never)
    }
  }

  private static func event(_ row: [String?], _ sequence: UInt64) -> Event {
    var event = Event(sequence: sequence, kind: row[4] == "t" ? .alertEnded : .alert, time: row.time(3))
    (event.alert, event.alertID) = (row[8].flatMap(Event.Alert.init(rawValue:)), row.number(7, UInt64.self))
    (event.site, event.device, event.text) = (row[10], row[11], row[5])
    event.duration = row.number(6, Int64.self).map { Span(microseconds: $0) }
    // The subject of a beacon is SITE/UUID/MAJOR/MINOR.
    let parts = (row[9] ?? "").split(separator: "/")
    if event.alert == .beaconMissing, parts.count == 4, let uuid = try? BeaconUUID(String(parts[1])), let major = UInt16(parts[2]),
      let minor = UInt16(parts[3])
    {
      event.beacon = Event.Beacon(BeaconIdentity(uuid: uuid, major: major, minor: minor))
    }
    return event
  }

  public func settle(_ settled: [SettledDelivery]) throws {
    try connection.run(
      settled.map { delivery in
        guard let reason = delivery.reason else {
          return PostgreSQLStatement("delete from alert_delivery where delivery_id = $1::int8", [.integer(delivery.id)])
        }
        return PostgreSQLStatement(
          "update alert_delivery set failure = left($2, 500) where delivery_id = $1::int8", [.integer(delivery.id), .text(reason)])
      })
  }

  public func makeDeadLetters(except targets: [String]) throws -> Int {
    var names = BinaryArray(of: .text)
    for target in targets { names.append(target) }
    let rows = try connection.run(
      PostgreSQLStatement(
        """
        with gone as (
          update alert_delivery set failure = 'the target is no longer in the configuration' where failure is null and target <> all($1::text[])
          returning 1)
        select count(*) from gone
        """, [.array(names)]))
    return rows.first.flatMap { Int($0) } ?? 0
  }
}
