/// The right that a request needs.
public enum FleetRight: Hashable, Sendable {
  /// A request about the sites of the person, of which the answer contains no other.
  case ownSites
  /// A request about the site that it names, which needs this role.
  case site(SiteRole)
}

/// The sites that the answer to a request may contain.
public enum FleetScope: Hashable, Sendable {
  /// The keys of sites in ascending order.
  case sites([Int32])
  case site(Int32)
}

/// The reason why a person may not make a request.
public enum FleetDenial: Error, Hashable, Sendable {
  /// The request names no site.
  case noSite
  /// The site does not exist, or the person has no role there. Both get the same answer, which reveals no name of a site.
  case unknownSite
  /// The person's role at the site does not suffice.
  case role(needed: SiteRole)
}

extension Person {
  /// Returns the sites that the answer to a request may contain. Every request for data of the fleet passes here.
  ///
  /// - Parameter site: The name of the site in the request; nil without one.
  public func scope(of right: FleetRight, site: String?) throws(FleetDenial) -> FleetScope {
    switch right {
    case .ownSites: return .sites(sites.values.map(\.site).sorted())
    case .site(let role):
      guard let site else { throw .noSite }
      guard let membership = sites[site] else { throw .unknownSite }
      guard membership.role >= role else { throw .role(needed: role) }
      return .site(membership.site)
    }
  }
}
