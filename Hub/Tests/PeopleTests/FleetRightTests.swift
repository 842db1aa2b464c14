import People
import Testing

@Suite struct FleetRightTests {
  private static let everySite: [String: Int32] = ["a": 1, "b": 2]

  private static func person(at site: String, _ role: SiteRole) -> Person {
    Person(id: 7, name: "ada", sites: [site: SiteMembership(site: everySite[site] ?? 0, role: role)])
  }

  private static let administrator = Person(
    id: 1, name: "root", isAdministrator: true, sites: everySite.mapValues { SiteMembership(site: $0, role: .owner) })

  @Test(arguments: SiteRole.allCases, SiteRole.allCases)
  func `a request for a site needs a role that is at least that of the request`(role: SiteRole, needed: SiteRole) throws {
    let person = Self.person(at: "a", role)
    if role >= needed {
      #expect(try person.scope(of: .site(needed), site: "a") == .site(1))
    } else {
      #expect(throws: FleetDenial.role(needed: needed)) { try person.scope(of: .site(needed), site: "a") }
    }
  }

  @Test(arguments: SiteRole.allCases, SiteRole.allCases)
  func `a person of one site gets the same answer for another site as for one that does not exist`(role: SiteRole, needed: SiteRole) {
    let person = Self.person(at: "a", role)
    for site in ["b", "none", "", "A", "a ", "1"] {
      #expect(throws: FleetDenial.unknownSite, "\(site)") { try person.scope(of: .site(needed), site: site) }
    }
  }

  @Test(arguments: SiteRole.allCases) func `a request for a site must name it`(needed: SiteRole) {
    #expect(throws: FleetDenial.noSite) { try Self.administrator.scope(of: .site(needed), site: nil) }
  }

  @Test(arguments: SiteRole.allCases) func `an administrator has every right at every site`(needed: SiteRole) throws {
    for (name, key) in Self.everySite { #expect(try Self.administrator.scope(of: .site(needed), site: name) == .site(key)) }
  }

  @Test(arguments: SiteRole.allCases) func `a request about all sites is about those of the person`(role: SiteRole) throws {
    #expect(try Self.person(at: "b", role).scope(of: .ownSites, site: "a") == .sites([2]))
    #expect(try Person(id: 3, name: "eve").scope(of: .ownSites, site: nil) == .sites([]))
    #expect(try Self.administrator.scope(of: .ownSites, site: nil) == .sites([1, 2]))
  }

  @Test func `each role has the rights of the roles before it`() {
    #expect(SiteRole.viewer < .operator && SiteRole.operator < .owner)
  }

  @Test(arguments: [
    ("ada", true), ("ada@example.org", true), ("a", true), ("", false), ("-a", false), ("a b", false), ("ä", false), ("a\n", false),
  ])
  func `a name of a person is plain`(name: String, isName: Bool) {
    #expect((PersonName.fault(of: name) == nil) == isName)
    #expect(PersonName.fault(of: String(repeating: "a", count: 64)) == nil)
    #expect(PersonName.fault(of: String(repeating: "a", count: 65)) != nil)
  }

  @Test(arguments: [
    ("correct horse battery", true), ("short", false), ("aaaaaaaaaaaaaaaa", false), ("ada is my name!", false),
    ("tab\tin the password", false),
  ])
  func `a new password is long and varied`(password: String, isAccepted: Bool) {
    #expect((NewPassword.fault(of: password, person: "Ada") == nil) == isAccepted)
    #expect(NewPassword.fault(of: String(repeating: "abcdefgh", count: 33), person: "x") != nil)
  }
}
