import FleetDatabase
import FleetMessages
import Instants
import PostgreSQL
import Testing

extension RolloutTests {
  /// The entries of the audit log of a site, which its owners read.
  private func audit(_ site: Int) throws -> [String] {
    try connection.lines("select detail from audit where site_id = \(site) order by audit_id")
  }

  private func startAtBothSites(_ revision: Int64, _ canaries: String...) throws {
    _ = try rollouts.start(
      try request(revision, to: "berlin", "paris"), canaries: try canaries.map { try #require(FleetAddress(commonName: $0)) },
      soak: .seconds(0), by: "root")
    step()
  }

  @Test("the audit log of a site names no canary of another one, and nothing that it reports")
  func canariesOfOtherSites() throws {
    try startAtBothSites(7, "berlin.door", "paris.door")
    try report("paris.door", 7, .refused, "/etc/beaconmon/paris.toml:3: secret")
    step()
    #expect(try phases == ["7\tfailed"])
    #expect(try audit(1) == ["start with berlin.door, canaries of other sites", "failed: a canary of another site has failed"])
    #expect(
      try audit(2)
        == ["start with paris.door, canaries of other sites", "failed: paris.door refused it: /etc/beaconmon/paris.toml:3: secret"])
    try startAtBothSites(8, "berlin.door")
    _ = try rollouts.stop(8, by: "root")
    #expect(try audit(1).suffix(2) == ["start with berlin.door", "stopped: by root"])
    #expect(try audit(2).suffix(2) == ["start with canaries of other sites", "stopped: by root"])
  }
}
