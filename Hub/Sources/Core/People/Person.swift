/// The rights of a person at a site. Each role has those of the roles before it.
public enum SiteRole: String, CaseIterable, Comparable, Sendable {
  /// Reads rooms, tags, devices and events.
  case viewer
  /// Names tags.
  case `operator`
  /// Grants and revokes roles, and reads the audit log of the site.
  case owner

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  public static func < (a: SiteRole, b: SiteRole) -> Bool { a.rank < b.rank }
}

/// A person who signs in, with the roles that the database has at present.
public struct Person: Hashable, Sendable {
  public var id: Int32
  public var name: String
  /// Whether the person is an owner of every site of the fleet.
  public var isAdministrator: Bool
  /// The sites where the person has a role, by their names. An administrator has all sites here, as an owner.
  public var sites: [String: SiteMembership]

  public init(id: Int32, name: String, isAdministrator: Bool = false, sites: [String: SiteMembership] = [:]) {
    (self.id, self.name, self.isAdministrator, self.sites) = (id, name, isAdministrator, sites)
  }
}

/// A site of a person.
public struct SiteMembership: Hashable, Sendable {
  /// The key of the site in the database.
  public var site: Int32
  public var role: SiteRole

  public init(site: Int32, role: SiteRole) { (self.site, self.role) = (site, role) }
}
