import Beacons
import FleetPage
import People
import PostgreSQL

extension PeopleDatabase {
  /// Gives a tag a name, or removes it with an empty one.
  func name(_ tag: BeaconIdentity, at site: Int32, _ name: String, by person: Person) throws(PostgreSQLError) -> ChangeOutcome {
    let rows = try connection.run(
      PostgreSQLStatement(
        """
        with \(ChangeActor.check(.operator, person: "$7", site: "$2")),
          target as (
            select beacon_id, coalesce(n.name, '') as earlier from beacon left join beacon_name n using (beacon_id)
            where exists (select from actor) and site_id = $2::int4 and uuid = $3::uuid and major = $4::int4 and minor = $5::int4),
          named as (
            insert into beacon_name(beacon_id, name) select beacon_id, $6 from target where $6 <> '' and $6 <> earlier
            on conflict (beacon_id) do update set name = excluded.name),
          unnamed as (delete from beacon_name using target where $6 = '' and beacon_name.beacon_id = target.beacon_id),
          noted as (
            insert into audit(actor, action, site_id, subject, detail)
            select $1, 'name tag', $2::int4, concat_ws('/', $3, $4, $5), $6 from target where $6 <> earlier)
        select exists (select from actor), exists (select from target)
        """, [.text(person.name), .integer(site)] + tag.values + [.text(name), .integer(person.id)]))
    guard rows.first == "t" else { return .denied }
    return rows.rows[0][1] == "t" ? .done : .notFound
  }
}
