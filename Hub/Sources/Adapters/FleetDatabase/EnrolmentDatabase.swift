import BrokerDefinitions
import FleetMessages
import Instants
import Partitions
import PostgreSQL

/// The enrolled sites and devices.
public struct EnrolmentDatabase {
  static let changed = PostgreSQLStatement("update fleet set revision = revision + 1")

  private let connection: PostgreSQLConnection

  public init(_ connection: PostgreSQLConnection) throws {
    self.connection = connection
    try FleetSchema(connection).check()
  }

  /// Returns the user at the broker that a device has after an enrolment now.
  ///
  /// A device that is enrolled keeps its user, so that its present certificate works until the new one is installed. Another name gets a
  /// new user, because a certificate of an earlier enrolment may still exist, of which the database has no record.
  public func login(of device: FleetAddress) throws -> DeviceLogin {
    let answers = try connection.run([
      PostgreSQLStatement("select (extract(epoch from now()) * 1000)::int8"),
      PostgreSQLStatement(
        "select d.login from device d join site s using (site_id) where s.name = $1 and d.name = $2 and d.revoked_at is null",
        [.text(device.site), .text(device.device)]),
    ])
    return DeviceLogin(device, enrolment: (answers[1].rows.first ?? answers[0].rows[0]).number(0, Int64.self))
  }

  /// Enrols a device, and its site if it is new. A device that was revoked is enrolled again.
  ///
  /// Throws `EnrolmentError` if the device was revoked or enrolled after `login(of:)` returned its user: the certificate would have the
  /// user of a revoked device, or another user than the certificate of the other command.
  ///
  /// - Parameters:
  ///   - login: The user of the certificate, as `login(of:)` has returned it.
  ///   - fingerprint: The SHA-256 of the certificate in hexadecimal digits.
  ///   - days: The days for which the certificate is valid, from now.
  ///   - expected: The time at which the device is expected to begin to send; nil for now.
  public func enrol(_ login: DeviceLogin, fingerprint: String?, days: Int?, expected: Instant? = nil, by actor: String) throws {
    let address = login.device
    let answers = try connection.run([
      PostgreSQLStatement(
        "insert into site(name, partition) values ($1, $2::int2) on conflict (name) do nothing",
        [.text(address.site), .integer(address.partition)]),
      PostgreSQLStatement(
        """
        with enrolled as (
          insert into device(site_id, name, certificate, login, certificate_ends, expected_at)
          select site_id, $2, decode($3, 'hex'), $4::int8, now() + $5::int8 * interval '1 day',
            timestamptz 'epoch' + $6::int8 * interval '1 microsecond' from site where name = $1
          on conflict (site_id, name) do update set certificate = excluded.certificate, login = excluded.login,
            certificate_ends = excluded.certificate_ends, expected_at = excluded.expected_at, enrolled_at = now(), revoked_at = null
          where (device.revoked_at is null) = (device.login is not distinct from excluded.login)
          returning site_id),
        -- The device was erased and comes back on purpose.
        forgiven as (delete from suppression where hash = fleet_suppression($7) and exists (select from enrolled)),
        noted as (insert into audit(actor, action, site_id, subject) select $8, 'enrol', site_id, $7 from enrolled)
        select 1 from enrolled
        """,
        [
          .text(address.site), .text(address.device), fingerprint.map { .text($0) } ?? .null, login.enrolment.map { .integer($0) } ?? .null,
          days.map { .integer($0) } ?? .null, (expected?.microseconds).map { .integer($0) } ?? .null, .text(address.commonName),
          .text(actor),
        ]),
      Self.changed,
    ])
    guard answers[1].first != nil else {
      let isEnrolled = try logins().contains { $0.device == address }
      throw EnrolmentError(
        description: isEnrolled
          ? "another command has enrolled \(address.commonName) meanwhile; use its certificate, or enrol the device again for another one"
          : "\(address.commonName) was revoked meanwhile, and stays revoked; enrol it again to undo that")
    }
  }

  /// Revokes a device, or all devices of a site.
  /// The workers refuse their messages after the next batch. Returns the revoked devices.
  public func revoke(site: String, device: String?, by actor: String) throws -> [FleetAddress] {
    let answers = try connection.run([
      PostgreSQLStatement(
        """
        with gone as (
          update device d set revoked_at = now() from site s where s.site_id = d.site_id and s.name = $1 and ($2::text is null or d.name = $2)
          and revoked_at is null returning s.site_id, s.name as site, d.name as device),
        noted as (insert into audit(actor, action, site_id, subject) select $3, 'revoke device', site_id, site || '.' || device from gone)
        select site, device from gone
        """, [.text(site), device.map { .text($0) } ?? .null, .text(actor)]),
      Self.changed,
    ])
    return Self.addresses(answers[0])
  }

  /// Returns whether a device, or any device of a site, is enrolled or was revoked.
  public func has(site: String, device: String?) throws -> Bool {
    try connection.run(
      PostgreSQLStatement(
        "select 1 from device d join site s using (site_id) where s.name = $1 and ($2::text is null or d.name = $2) limit 1",
        [.text(site), device.map { .text($0) } ?? .null])
    ).first != nil
  }

  /// Notes where a device hangs, with an entry in the audit log. Returns false if it is not enrolled.
  ///
  /// - Parameters:
  ///   - room: nil takes the device out of the decisions about rooms
  ///   - floor: 0 is the ground; nil if it is unknown
  public func place(_ address: FleetAddress, room: String?, floor: Int?, by actor: String) throws -> Bool {
    let answers = try connection.run([
      PostgreSQLStatement(
        """
        with placed as (
          update device d set room = $3, floor = $4::int2 from site s where s.site_id = d.site_id and s.name = $1 and d.name = $2
          returning s.site_id)
        insert into audit(actor, action, site_id, subject, detail)
        select $5, 'place device', site_id, $1 || '.' || $2, coalesce('room ' || $3, 'no room') || coalesce(', floor ' || $4::int2, '') from placed
        returning 1
        """,
        [
          .text(address.site), .text(address.device), room.map { .text($0) } ?? .null, floor.map { .integer($0) } ?? .null, .text(actor),
        ]),
      Self.changed,
    ])
    return !answers[0].rows.isEmpty
  }

  /// Returns the users of the devices that are enrolled and not revoked.
  public func logins() throws -> [DeviceLogin] {
    let devices = try connection.run(
      PostgreSQLStatement(
        "select s.name, d.name, d.login from device d join site s using (site_id) where revoked_at is null order by 1, 2"))
    return devices.rows.compactMap { row in
      FleetAddress(site: row[0] ?? "", device: row[1] ?? "").map { DeviceLogin($0, enrolment: row.number(2, Int64.self)) }
    }
  }

  /// Returns the queues of the fleet.
  public func queues() throws -> QueueMap { try FleetSchema(connection).queues() }

  private static func addresses(_ rows: PostgreSQLRows) -> [FleetAddress] {
    rows.rows.compactMap { FleetAddress(site: $0[0] ?? "", device: $0[1] ?? "") }
  }
}

/// The error of an enrolment that another command made impossible.
public struct EnrolmentError: Error, CustomStringConvertible { public var description: String }
