import FleetMessages
import Partitions
import PostgreSQL

/// The enrolled sites and devices.
public struct EnrolmentDatabase {
  private static let changed = PostgreSQLStatement("update fleet set revision = revision + 1")

  private let connection: PostgreSQLConnection

  public init(_ connection: PostgreSQLConnection) throws {
    self.connection = connection
    try FleetSchema(connection).check()
  }

  /// Returns the names that belonged to devices which were revoked, or revoked and erased.
  ///
  /// The broker knows a device by the name in its certificate, so that their earlier certificates are valid again after another enrolment.
  public func revoked(among addresses: [FleetAddress]) throws -> [String] {
    var names = BinaryArray(of: .text)
    for address in addresses { names.append(address.commonName) }
    return try connection.run(
      PostgreSQLStatement(
        """
        select wanted from unnest($1::text[]) wanted
        where exists (select from device d join site s using (site_id) where s.name || '.' || d.name = wanted and d.revoked_at is not null)
          or exists (select from suppression where hash = fleet_suppression(wanted)) order by wanted
        """, [.array(names)])
    ).rows.compactMap { $0[0] }
  }

  /// Enrols a device, and its site if it is new. A device that was revoked is enrolled again.
  ///
  /// - Parameter fingerprint: the SHA-256 of its certificate in hexadecimal digits
  public func enrol(_ address: FleetAddress, fingerprint: String?, by actor: String) throws {
    try connection.run([
      PostgreSQLStatement(
        "insert into site(name, partition) values ($1, $2::int2) on conflict (name) do nothing",
        [.text(address.site), .integer(address.partition)]),
      PostgreSQLStatement(
        """
        insert into device(site_id, name, certificate) select site_id, $2, decode($3, 'hex') from site where name = $1
        on conflict (site_id, name) do update set certificate = excluded.certificate, enrolled_at = now(), revoked_at = null
        """, [.text(address.site), .text(address.device), fingerprint.map { .text($0) } ?? .null]),
      // The device was erased and comes back on purpose.
      PostgreSQLStatement("delete from suppression where hash = fleet_suppression($1)", [.text(address.commonName)]),
      Self.noted("enrol", address, actor),
      Self.changed,
    ])
  }

  /// Returns the statement that adds an entry about a device to the audit log.
  private static func noted(_ action: String, _ address: FleetAddress, _ actor: String) -> PostgreSQLStatement {
    PostgreSQLStatement(
      "insert into audit(actor, action, site_id, subject) select $1, $2, site_id, $3 from site where name = $4",
      [.text(actor), .text(action), .text(address.commonName), .text(address.site)])
  }

  /// Revokes a device, or all devices of a site.
  /// The workers refuse their messages from the next batch but one on. Returns the revoked ones.
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

  /// Returns the devices that are enrolled and not revoked.
  public func devices() throws -> [FleetAddress] {
    Self.addresses(
      try connection.run(
        PostgreSQLStatement("select s.name, d.name from device d join site s using (site_id) where revoked_at is null order by 1, 2")))
  }

  /// Returns the queues of the fleet.
  public func queues() throws -> QueueMap { try FleetSchema(connection).queues() }

  private static func addresses(_ rows: PostgreSQLRows) -> [FleetAddress] {
    rows.rows.compactMap { FleetAddress(site: $0[0] ?? "", device: $0[1] ?? "") }
  }
}
