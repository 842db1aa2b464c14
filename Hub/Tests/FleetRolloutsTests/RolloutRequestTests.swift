import FleetMessages
import FleetRollouts
import Testing

@Suite struct RolloutRequestTests {
  private static func signed(_ rollout: Rollout) -> [UInt8] {
    SignedRollout(envelope: rollout.octets, signature: [UInt8](repeating: 7, count: 64)).octets
  }

  private let rollout = Rollout(
    revision: 7, created: 1_795_000_000_000, audience: ["berlin", "paris.hall", "paris.door"].compactMap(RolloutAudience.init),
    dropIn: "[ranging]\n", venues: [RolloutVenue(name: "museum", octets: [1, 2, 3])])

  @Test("a request has the envelope and the sites of a file")
  func content() throws {
    let request = try RolloutRequest(Self.signed(rollout))
    #expect(request.rollout == rollout && request.sites == ["berlin", "paris"] && request.octets == Self.signed(rollout))
  }

  @Test("a file that is cut, has more octets, or is not a rollout is refused")
  func damaged() {
    let octets = Self.signed(rollout)
    for length in octets.indices { #expect(throws: FleetMessageError.self, "\(length)") { try RolloutRequest(Array(octets[..<length])) } }
    #expect(throws: FleetMessageError.self) { try RolloutRequest(octets + [0]) }
    for bomb in [[0x9A, 0x40, 0, 0, 0], [0x83, 0x01, 0x5A, 0x7F, 0xFF, 0xFF, 0xFF], Array(repeating: 0x81, count: 28_672)] as [[UInt8]] {
      #expect(throws: FleetMessageError.self) { try RolloutRequest(bomb) }
    }
  }

  @Test("values beyond a limit are refused before anything is signed")
  func limits() {
    func refuses(_ change: (inout Rollout) -> Void) -> Bool {
      var rollout = rollout
      change(&rollout)
      return (try? RolloutRequest(Self.signed(rollout))) == nil
    }
    #expect(!refuses { $0.dropIn = String(repeating: "#", count: 20_480) })
    #expect(refuses { $0.dropIn = String(repeating: "#", count: 20_481) })
    #expect(refuses { $0.revision = 0 })
    #expect(refuses { $0.revision = 1 << 53 + 1 })
    #expect(refuses { $0.audience = [] })
    #expect(refuses { $0.audience = Array(repeating: .site("a"), count: 257) })
    #expect(refuses { $0.venues = Array(repeating: RolloutVenue(name: "a", octets: []), count: 9) })
    #expect(refuses { $0.venues = [RolloutVenue(name: "a/b", octets: [])] })
    #expect(refuses { $0.venues = [RolloutVenue(name: "a", octets: [UInt8](repeating: 0, count: 28_672))] })
  }
}
