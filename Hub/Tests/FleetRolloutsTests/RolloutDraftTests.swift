import FleetMessages
import FleetRollouts
import Instants
import Testing

@Suite struct RolloutDraftTests {
  private func draft(
    revision: Int64? = nil, audience: [String] = ["berlin", "paris.hall"], dropIn: [UInt8] = Array("[ranging]\n".utf8),
    venues: [RolloutVenue] = []
  ) throws -> Rollout {
    try RolloutDraft(
      revision: revision, created: 1_795_000_000_999, audience: audience, dropIn: dropIn, named: "regions.toml", venues: venues
    ).rollout
  }

  private func error(_ work: () throws -> Void) -> String? {
    do {
      try work()
      return nil
    } catch { return "\(error)" }
  }

  @Test func `a draft has the seconds since 1970 as its revision, unless the author gives one`() throws {
    #expect(try draft().revision == 1_795_000_000 && draft().created == 1_795_000_000_999)
    #expect(try draft(revision: 7).revision == 7)
    #expect(try draft().audience.map { "\($0)" } == ["berlin", "paris.hall"] && draft().dropIn == "[ranging]\n")
  }

  @Test func `a draft beyond a limit is refused with its option`() {
    let venue = RolloutVenue(name: "shop", octets: [])
    #expect(error { _ = try draft(revision: 0) } == "--revision is from 1 to 2^53")
    #expect(error { _ = try draft(revision: 1 << 53 + 1) } == "--revision is from 1 to 2^53")
    #expect(error { _ = try draft(revision: 1 << 53) } == nil)
    #expect(error { _ = try draft(audience: Array(repeating: "berlin", count: 256)) } == nil)
    #expect(error { _ = try draft(audience: Array(repeating: "berlin", count: 257)) } == "--to may occur at most 256 times; use sites")
    #expect(error { _ = try draft(venues: Array(repeating: venue, count: 8)) } == nil)
    #expect(
      error { _ = try draft(venues: Array(repeating: venue, count: 9)) } == "--venue may occur at most 8 times; use several rollouts")
    #expect(error { _ = try draft(dropIn: [0xFF]) } == "regions.toml is not UTF-8; save the file as UTF-8")
    #expect(error { _ = try draft(audience: ["Berlin"]) }?.hasPrefix("\"Berlin\" is neither a site nor a device") == true)
  }

  @Test func `a venue has a name and a file`() throws {
    #expect(try RolloutDraft.venue("shop=a=b.toml") == ("shop", "a=b.toml"))
    for text in ["shop", "=shop.toml", "-a=shop.toml", "Shop=shop.toml"] {
      #expect(error { _ = try RolloutDraft.venue(text) }?.hasPrefix("--venue \"\(text)\": write NAME=FILE") == true)
    }
  }

  @Test func `a signed rollout that no device reads is refused`() throws {
    func octets(_ rollout: Rollout) throws -> [UInt8] {
      try RolloutDraft.octets(of: SignedRollout(envelope: rollout.octets, signature: [UInt8](repeating: 7, count: 64)))
    }
    #expect(try RolloutRequest(octets(draft())).rollout == draft())
    let large = try draft(venues: [RolloutVenue(name: "a", octets: [UInt8](repeating: 0, count: 28_672))])
    #expect(error { _ = try octets(large) }?.contains("octets, and a message to a device at most 28672; remove regions or venues") == true)
    // The envelope is refused, although the message has few octets.
    let long = try draft(dropIn: Array(repeating: UInt8(ascii: "#"), count: 20_481))
    #expect(error { _ = try octets(long) } != nil)
  }

  @Test func `a soak is from nothing to 30 days`() {
    #expect(RolloutProgress.soaks.contains(.zero) && RolloutProgress.soaks.contains(.seconds(30 * 86_400)))
    #expect(!RolloutProgress.soaks.contains(.seconds(30 * 86_400 + 1)))
  }
}
