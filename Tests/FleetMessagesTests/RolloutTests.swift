import FleetMessages
import Testing

struct RolloutTests {
  private let rollout: Rollout

  init() throws {
    let door = try #require(FleetAddress(site: "bonn", device: "door"))
    rollout = Rollout(
      revision: 300, created: 1_795_000_000_000, audience: [.site("berlin"), .device(door)], dropIn: "[ranging]\n",
      venues: [RolloutVenue(name: "hall", octets: [1, 2])])
  }

  private func signed(_ envelope: [UInt8]) -> SignedRollout {
    SignedRollout(envelope: envelope, signature: Array(repeating: 7, count: 64))
  }

  @Test func `a rollout has the octets that RFC 8949 requires`() {
    let small = Rollout(revision: 300, created: 1000, audience: [.site("a")], dropIn: "b", venues: [RolloutVenue(name: "c", octets: [9])])
    let envelope: [UInt8] = [0x86, 1, 0x19, 0x01, 0x2C, 0x19, 0x03, 0xE8, 0x81, 0x61, 0x61, 0x61, 0x62, 0x81, 0x82, 0x61, 0x63, 0x41, 9]
    #expect(small.octets == envelope)
    #expect(signed([5]).octets == [0x83, 1, 0x41, 5, 0x58, 64] + Array(repeating: 7, count: 64))
    #expect(signed([5]).signedOctets == Array("beaconmon rollout 1\n".utf8) + [5])
  }

  @Test func `a decoded rollout equals the encoded one, even with later items`() throws {
    #expect(try Rollout(rollout.octets) == rollout)
    #expect(try Rollout([0x87] + rollout.octets.dropFirst() + [0x61, 0x61]) == rollout)
    let signed = signed(rollout.octets)
    #expect(try SignedRollout(signed.octets) == signed)
    #expect(try SignedRollout([0x84] + signed.octets.dropFirst() + [0xF6]) == signed)
  }

  @Test func `the largest rollout fits into a message of the hub`() throws {
    var large = rollout
    large.dropIn = String(repeating: "#", count: Rollout.largestDropIn)
    large.venues = [RolloutVenue(name: "hall", octets: Array(repeating: 35, count: 8000))]
    let message = HubMessage(number: 1, kind: .rollout, payload: signed(large.octets).octets)
    #expect(try Rollout(SignedRollout(HubMessage(message.octets).payload).envelope) == large)
    large.venues[0].octets += Array(repeating: 35, count: 192)
    let surplus = signed(large.octets).octets
    #expect(throws: FleetMessageError.outOfRange(at: 0)) { try SignedRollout(surplus) }
  }

  @Test func `every truncated rollout and every surplus octet is refused`() {
    let (envelope, signed) = (rollout.octets, signed(rollout.octets).octets)
    for count in envelope.indices { #expect(throws: FleetMessageError.self) { try Rollout(Array(envelope.prefix(count))) } }
    for count in signed.indices { #expect(throws: FleetMessageError.self) { try SignedRollout(Array(signed.prefix(count))) } }
    #expect(throws: FleetMessageError.trailingOctets(at: envelope.count)) { try Rollout(envelope + [0]) }
    #expect(throws: FleetMessageError.trailingOctets(at: signed.count)) { try SignedRollout(signed + [0]) }
  }

  @Test func `a changed octet gives an error or a rollout within the limits`() throws {
    let octets = rollout.octets
    for index in octets.indices {
      for value in UInt8.min...UInt8.max {
        var damaged = octets
        damaged[index] = value
        guard let decoded = try? Rollout(damaged) else { continue }
        #expect(try Rollout(decoded.octets) == decoded)
      }
    }
  }

  @Test func `values beyond a limit are refused`() {
    func expectRefusal(_ change: (inout Rollout) -> Void) {
      var changed = rollout
      change(&changed)
      #expect(throws: FleetMessageError.self) { try Rollout(changed.octets) }
    }
    expectRefusal { $0.revision = 0 }
    expectRefusal { $0.revision = 1 << 53 + 1 }
    expectRefusal { $0.created = -1 }
    expectRefusal { $0.audience = [] }
    expectRefusal { $0.audience = Array(repeating: .site("berlin"), count: 257) }
    expectRefusal { $0.dropIn = String(repeating: "#", count: 20_481) }
    expectRefusal { $0.venues = Array(repeating: $0.venues[0], count: 9) }
    expectRefusal { $0.venues[0].name = "../hall" }
    #expect(throws: FleetMessageError.unknownVersion(2)) { try Rollout([0x86, 2]) }
    #expect(throws: FleetMessageError.unknownVersion(2)) { try SignedRollout([0x83, 2]) }
    // An envelope and a signature whose lengths are beyond the octets that are left, and a signature of 63 octets.
    #expect(throws: FleetMessageError.outOfRange(at: 2)) { try SignedRollout([0x83, 1, 0x5A, 0xFF, 0xFF, 0xFF, 0xFF]) }
    #expect(throws: FleetMessageError.truncated) { try SignedRollout([0x83, 1, 0x41, 5, 0x58, 64]) }
    #expect(throws: FleetMessageError.outOfRange(at: 4)) {
      try SignedRollout([0x83, 1, 0x41, 5, 0x58, 63] + Array(repeating: 7, count: 63))
    }
  }

  @Test func `an audience is a site with all its devices, or one device`() throws {
    for (name, isMember) in [("bonn.door", true), ("bonn.hall", false), ("berlin.hall", true), ("berlin-2.door", false)] {
      #expect(rollout.isFor(try #require(FleetAddress(commonName: name))) == isMember)
    }
    for text in ["", "*", "Berlin", "a.b.c", "berlin.", ".door", "berlin door"] { #expect(RolloutAudience(text) == nil) }
  }

  @Test func `a report without the rollout or the acknowledgements is read, and an unknown state is not`() throws {
    let journal = StreamJournal(high: 0, low: 1)
    let report = DeviceReport(version: "1", rollout: RolloutReport(revision: 1, state: .confirmed))
    let octets = FleetMessage(journal: journal, sequence: 1, floor: 1, time: 0, body: .report(report)).octets
    // The report ends with no problems, no acknowledgements, and the rollout: an array of 1, 1 and an empty text.
    #expect(octets.suffix(6) == [0x80, 0x80, 0x83, 1, 1, 0x60])
    let start = try #require(octets.firstIndex(of: 0x89))
    for (items, surplus) in [(UInt8(0x88), 4), (0x87, 5)] {
      var older = Array(octets.dropLast(surplus))
      older[start] = items
      #expect(try FleetMessage(older).body == .report(DeviceReport(version: "1")))
    }
    var unknown = octets
    unknown[octets.count - 2] = 4
    #expect(throws: FleetMessageError.outOfRange(at: octets.count - 2)) { try FleetMessage(unknown) }
  }

  @Test func `the text of a report is cut, and one that is unsafe to display is refused`() throws {
    func text(_ text: String) throws -> String? {
      let report = DeviceReport(version: "1", rollout: RolloutReport(revision: 1, state: .refused, text: text))
      let message = FleetMessage(journal: StreamJournal(high: 0, low: 1), sequence: 1, floor: 1, time: 0, body: .report(report))
      guard case .report(let read) = try FleetMessage(message.octets).body else { return nil }
      return read.rollout?.text
    }
    #expect(try text(String(repeating: "ä", count: 80)) == String(repeating: "ä", count: 64))
    #expect(throws: FleetMessageError.self) { try text("a\u{0}") }
  }
}
