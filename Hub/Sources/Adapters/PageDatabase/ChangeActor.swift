public import People
import PostgreSQL

/// The author of a change of roles: a person in the page, or a user of this machine, who needs no role.
public enum ChangeActor: Hashable, Sendable {
  case person(Person)
  case machine(String)

  var name: String {
    switch self {
    case .person(let person): person.name
    case .machine(let user): user
    }
  }

  /// The key of the person; null for a user of this machine.
  var person: PostgreSQLValue {
    switch self {
    case .person(let person): .integer(person.id)
    case .machine: .null
    }
  }

  /// Returns subqueries of which `actor` has a row if the person has the role at this moment.
  ///
  /// The rows are locked: a statement that revokes the role waits for the change, or the change waits for it and is denied.
  static func check(_ role: SiteRole, person: String, site: String) -> String {
    let roles = SiteRole.allCases.filter { $0 >= role }.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    return """
      administrator as (select person_id from person where person_id = \(person)::int4 and is_administrator for share),
      member as (
        select person_id from person_role where person_id = \(person)::int4 and site_id = \(site)::int4 and role in (\(roles)) for share),
      actor as (
        select person_id from administrator union all select person_id from member union all select 0 where \(person)::int4 is null)
      """
  }
}
