import Beacons
import FleetQueries
import HTTPMessages
import People
import Records
import WebPage

/// A path below /api that reads or changes data of the fleet.
struct FleetRoute: Sendable {
  enum Action: Sendable {
    /// Makes a query for the sites of the scope. Rows beyond the limit show that there is a further page.
    case read(list: String, @Sendable (Parameters, FleetScope) throws(PageRefusal) -> FleetQuery)
    case change(@Sendable (Record, FleetScope) throws(PageRefusal) -> FleetChange)
  }

  /// The arguments of a query in the URL.
  struct Parameters {
    /// The key of the person who asks.
    let person: Int32
    let argument: (String) -> String?
  }

  let path: String
  let right: FleetRight
  let action: Action

  /// The rows of a page, and the most of a search.
  static let rows = 200
  /// The maximum number of rows of visits: a month of 64 rooms.
  static let mostVisits = 2000

  /// All routes. The tests check each of them for people of other sites.
  static let all = data + shares

  private static let data: [FleetRoute] = [
    FleetRoute(
      path: "/api/sites", right: .ownSites, action: .read(list: "sites") { (_, scope) throws(PageRefusal) in .sites(scope.sites) }),
    FleetRoute(
      path: "/api/search", right: .ownSites,
      action: .read(list: "tags") { (parameters, scope) throws(PageRefusal) in
        guard let search = BeaconSearch(parameters.argument("text") ?? "") else {
          throw PageRefusal(400, "argument", "write a name, a major, \"MAJOR/MINOR\", or four or more digits of a UUID into text")
        }
        return .search(search, sites: scope.sites, limit: rows)
      }),
    FleetRoute(
      path: "/api/devices", right: .site(.viewer),
      action: .read(list: "devices") { (parameters, scope) throws(PageRefusal) in .devices(site: try scope.site, try parameters.names()) }),
    FleetRoute(
      path: "/api/tags", right: .site(.viewer),
      action: .read(list: "tags") { (parameters, scope) throws(PageRefusal) in
        .tags(site: try scope.site, room: try parameters.room(), try parameters.numbers())
      }),
    FleetRoute(
      path: "/api/rooms", right: .site(.viewer),
      action: .read(list: "rooms") { (parameters, scope) throws(PageRefusal) in .rooms(site: try scope.site, try parameters.names()) }),
    FleetRoute(
      path: "/api/plan", right: .site(.viewer),
      action: .read(list: "levels") { (parameters, scope) throws(PageRefusal) in .plan(site: try scope.site, try parameters.numbers()) }),
    FleetRoute(
      path: "/api/tag", right: .site(.viewer),
      action: .read(list: "tags") { (parameters, scope) throws(PageRefusal) in .tag(site: try scope.site, try parameters.tag()) }),
    FleetRoute(
      path: "/api/moves", right: .site(.viewer),
      action: .read(list: "moves") { (parameters, scope) throws(PageRefusal) in
        .moves(site: try scope.site, try parameters.tag(), try parameters.numbers())
      }),
    FleetRoute(
      path: "/api/path", right: .site(.viewer),
      action: .read(list: "path") { (parameters, scope) throws(PageRefusal) in
        .path(site: try scope.site, try parameters.tag(), from: try parameters.time("from"))
      }),
    FleetRoute(
      path: "/api/visits", right: .site(.viewer),
      action: .read(list: "visits") { (_, scope) throws(PageRefusal) in .visits(site: try scope.site, limit: mostVisits) }),
    FleetRoute(
      path: "/api/events", right: .site(.viewer),
      action: .read(list: "events") { (parameters, scope) throws(PageRefusal) in .events(site: try scope.site, try parameters.numbers()) }),
    FleetRoute(
      path: "/api/people", right: .site(.owner),
      action: .read(list: "people") { (parameters, scope) throws(PageRefusal) in .people(site: try scope.site, try parameters.names()) }),
    FleetRoute(
      path: "/api/audit", right: .site(.owner),
      action: .read(list: "changes") { (parameters, scope) throws(PageRefusal) in .audit(site: try scope.site, try parameters.numbers()) }),
    FleetRoute(
      path: "/api/tag/name", right: .site(.operator),
      action: .change { (record, scope) throws(PageRefusal) in
        let name = try record.text("name", "an empty text removes the name")
        if let fault = TagName.fault(of: name) { throw PageRefusal(422, "name", fault) }
        return .nameTag(
          site: try scope.site, try tag(record["uuid"]?.text, record["major"]?.plainText, record["minor"]?.plainText), name: name)
      }),
    FleetRoute(
      path: "/api/grant", right: .site(.owner),
      action: .change { (record, scope) throws(PageRefusal) in
        guard let person = record["person"]?.text, PersonName.fault(of: person) == nil else {
          throw PageRefusal(422, "person", "name a person in \"person\"")
        }
        let text = try record.text("role", "an empty text revokes the role")
        let role = SiteRole(rawValue: text)
        guard role != nil || text.isEmpty else {
          throw PageRefusal(
            422, "role", "the roles are \(SiteRole.allCases.map(\.rawValue).joined(separator: ", ")), and an empty text revokes")
        }
        return .grant(site: try scope.site, person: person, role)
      }),
  ]

  static func tag(_ uuid: String?, _ major: String?, _ minor: String?) throws(PageRefusal) -> BeaconIdentity {
    guard let identity = BeaconIdentity("\(uuid ?? "")/\(major ?? "")/\(minor ?? "")") else {
      throw PageRefusal(400, "argument", "name the tag in uuid, major and minor")
    }
    return identity
  }
}

extension Record {
  /// Returns a text that a change must have. A text that is missing must not remove anything.
  func text(_ key: String, _ hint: String) throws(PageRefusal) -> String {
    guard let text = self[key]?.text else { throw PageRefusal(422, key, "write a text into \"\(key)\"; \(hint)") }
    return text
  }
}

extension FleetRoute.Parameters {
  /// The key of the last row that the client has, and the number of rows.
  func numbers() throws(PageRefusal) -> RowRange<Int64> {
    guard let text = argument("beyond") else { return RowRange(limit: FleetRoute.rows) }
    guard let key = Int64(text), key >= 0 else { throw PageRefusal(400, "argument", "beyond is the \"next\" of the page before") }
    return RowRange(beyond: key, limit: FleetRoute.rows)
  }

  func names() throws(PageRefusal) -> RowRange<String> {
    let text = argument("beyond")
    // The name of a room may have 64 characters of several octets each.
    guard text?.utf8.count ?? 0 <= 1024 else { throw PageRefusal(400, "argument", "beyond is the \"next\" of the page before") }
    return RowRange(beyond: text, limit: FleetRoute.rows)
  }

  /// A room of devices; nil without one.
  func room() throws(PageRefusal) -> String? {
    guard let text = argument("room") else { return nil }
    guard (1...64).contains(text.count) else { throw PageRefusal(400, "argument", "room is the name of a room, of 1 to 64 characters") }
    return text
  }

  /// A time in milliseconds since 1970, up to the year 9999; nil without one.
  func time(_ name: String) throws(PageRefusal) -> Int64? {
    guard let text = argument(name) else { return nil }
    guard let time = Int64(text), (0...253_402_300_799_999).contains(time) else {
      throw PageRefusal(400, "argument", "\(name) is a time in milliseconds since 1970")
    }
    return time
  }

  func tag() throws(PageRefusal) -> BeaconIdentity { try FleetRoute.tag(argument("uuid"), argument("major"), argument("minor")) }
}

extension FleetScope {
  /// The sites of a request for all sites of the person.
  var sites: [Int32] {
    switch self {
    case .sites(let sites): sites
    case .site(let site): [site]
    }
  }

  /// The site of a request for one. A route that asks for it has a right for one site.
  var site: Int32 {
    get throws(PageRefusal) {
      guard case .site(let site) = self else { throw .noRoute }
      return site
    }
  }
}
