import PostgreSQL
import Retention

extension IdentityDatabase {
  /// Keeps workers from storing a tag or a device again. Returns the end of an earlier suppression.
  ///
  /// Messages about it may still wait somewhere. At the end of the call, every worker knows it: a statement that enters tags and began
  /// before has ended.
  func suppress(_ identity: StoredIdentity, for hours: Int) throws(PostgreSQLError) -> String? {
    guard identity.kind != .person, hours > 0 else { return nil }
    let earlier = try connection.run(
      PostgreSQLStatement(
        """
        with earlier as (select until from suppression where hash = fleet_suppression($1)),
        changed as (
          insert into suppression select fleet_suppression($1), now() + make_interval(hours => $2::int4)
          on conflict (hash) do update set until = excluded.until)
        select until from earlier
        """, [.text(identity.text), .integer(hours)])
    ).first
    try connection.run(script: "begin; lock table beacon in share mode; commit")
    return earlier
  }

  /// Ends a suppression, or gives it the end that it had.
  func restore(_ earlier: String?, of identity: StoredIdentity) throws(PostgreSQLError) {
    let statement =
      earlier == nil
      ? "delete from suppression where hash = fleet_suppression($1)"
      : "update suppression set until = $2::timestamptz where hash = fleet_suppression($1)"
    try connection.run(PostgreSQLStatement(statement, [.text(identity.text)] + (earlier.map { [.text($0)] } ?? [])))
  }
}
