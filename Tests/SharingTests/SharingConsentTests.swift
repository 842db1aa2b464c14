import FleetMessages
import Instants
import Testing

@testable import Sharing

struct SharingConsentTests {
  private var consent = SharingConsent()
  private var clock = SharingClock(steady: Instant(microseconds: 5_000_000), wall: Instant(microseconds: 1_800_000_000_000_000))
  private let ada = ShareParty.person("ada")

  private mutating func pass(_ span: Span) {
    clock.steady += span
    clock.wall += span
  }

  private mutating func offer(_ span: Span = .seconds(600)) throws -> ShareID {
    try consent.offer(to: [ada, .role("operator")], purpose: "lunch", for: span, by: 1000, at: clock)
  }

  private func notice(_ json: String) throws -> SharingNotice { try #require(SharingNotice(Array(json.utf8))) }

  private func answers(_ id: ShareID, _ name: String, _ state: String) throws -> SharingNotice {
    try notice(#"{"v":1,"shares":[{"id":"\#(id)","recipients":[{"name":"\#(name)","state":"\#(state)"}]}],"offers":[]}"#)
  }

  private func offered(_ id: ShareID, ends: Span, place: String = "") throws -> SharingNotice {
    let end = (clock.wall + ends).microseconds / 1000
    return try notice(
      #"{"v":1,"shares":[],"offers":[{"id":"\#(id)","owner":"device:hall","tag":null,"purpose":"tour","ends":\#(end)\#(place)}]}"#)
  }

  private static let place = #","time":1800000000000,"latitude":52.5,"longitude":13.4,"level":"first","room":"hall""#

  @Test mutating func `a position is due only after an acceptance by a recipient of the offer`() throws {
    let id = try offer()
    #expect(consent.active(at: clock).isEmpty)
    for (name, state) in [("eve", "accepted"), ("device:hall", "accepted"), ("role:viewer", "accepted"), ("ada", "offered")] {
      #expect(try consent.take(answers(id, name, state), at: clock).isEmpty)
      #expect(consent.active(at: clock).isEmpty, "\(name) \(state)")
    }
    #expect(try consent.take(answers(id, "ada", "accepted"), at: clock).isEmpty)
    #expect(consent.active(at: clock).map(\.id) == [id])
    _ = try consent.take(answers(id, "ada", "declined"), at: clock)
    #expect(consent.active(at: clock).isEmpty)
  }

  @Test mutating func `a hub begins no share, and accepts no offer for this device`() throws {
    let id = ShareID.random()
    _ = try consent.take(answers(id, "ada", "accepted"), at: clock)
    #expect(consent.shares.isEmpty && consent.active(at: clock).isEmpty && consent.messages.isEmpty)
    _ = try consent.take(offered(id, ends: .seconds(60), place: Self.place), at: clock)
    #expect(consent.friends.count == 1 && !consent.friends[0].isAccepted && consent.friends[0].location == nil)
    #expect(consent.messages.isEmpty)
  }

  @Test mutating func `an accepted friend has a place until the share ends`() throws {
    let id = ShareID.random()
    _ = try consent.take(offered(id, ends: .seconds(60), place: Self.place), at: clock)
    let isKnown = consent.answer(id, isAccepted: true)
    #expect(isKnown && consent.messages == [.answer(id, isAccepted: true)])
    _ = try consent.take(offered(id, ends: .seconds(60), place: Self.place), at: clock)
    #expect(consent.friends[0].location?.position?.latitude == 52.5 && consent.friends[0].location?.room == "hall")
    pass(.seconds(50))
    // A later end is not the one that the owner has offered first.
    _ = try consent.take(offered(id, ends: .seconds(60), place: Self.place), at: clock)
    pass(.seconds(11))
    _ = consent.advance(to: clock)
    #expect(consent.friends.isEmpty)
  }

  @Test mutating func `a declined share has no place, and a late notice does not bring it back`() throws {
    let id = ShareID.random()
    _ = try consent.take(offered(id, ends: .seconds(60), place: Self.place), at: clock)
    let areKnown = [
      consent.answer(id, isAccepted: true), consent.answer(id, isAccepted: false), consent.answer(.random(), isAccepted: true),
    ]
    #expect(areKnown == [true, true, false])
    #expect(consent.friends.isEmpty && consent.messages == [.answer(id, isAccepted: false)])
    _ = try consent.take(offered(id, ends: .seconds(60), place: Self.place), at: clock)
    #expect(consent.friends.isEmpty)
  }

  @Test mutating func `a share ends by the clock that is first, and a clock that is set back prolongs none`() throws {
    let id = try offer()
    _ = try consent.take(answers(id, "ada", "accepted"), at: clock)
    // Set back by an hour: no position, because the time is before the offer.
    let real = clock
    clock.wall = clock.wall - .seconds(3600)
    #expect(consent.active(at: clock).isEmpty && consent.shares.count == 1)
    clock.steady += .seconds(600)
    #expect(consent.advance(to: clock).map(\.id) == [id])
    #expect(consent.messages == [.end(id)])
    // Set forward: over at once.
    clock = real
    let second = try offer()
    clock.wall += .seconds(601)
    #expect(consent.advance(to: clock).map(\.id) == [second])
  }

  @Test mutating func `a share that the hub no longer knows is over`() throws {
    let id = try offer()
    #expect(try consent.take(notice(#"{"v":1,"shares":[],"offers":[]}"#), at: clock).isEmpty, "the offer may be on its way")
    _ = try consent.take(answers(id, "ada", "offered"), at: clock)
    #expect(try consent.take(notice(#"{"v":1,"shares":[],"offers":[]}"#), at: clock).map(\.id) == [id])
    #expect(consent.shares.isEmpty)
  }

  @Test mutating func `consent continues after a restart until its end, and an answer of the hub does not`() throws {
    let id = try offer()
    let friend = ShareID.random()
    _ = try consent.take(offered(friend, ends: .seconds(60)), at: clock)
    _ = consent.answer(friend, isAccepted: true)
    _ = try consent.take(answers(id, "ada", "accepted"), at: clock)
    let text = consent.text
    pass(.seconds(500))
    clock.steady = Instant(microseconds: 1)
    var later = try #require(SharingConsent(text: text, at: clock))
    #expect(later.messages.count == 2 && later.active(at: clock).isEmpty)
    _ = try later.take(answers(id, "ada", "accepted"), at: clock)
    #expect(later.active(at: clock).map(\.id) == [id])
    pass(.seconds(100))
    #expect(later.advance(to: clock).map(\.id) == [id])
  }

  @Test mutating func `a file that is damaged anywhere is not consent`() throws {
    _ = try offer()
    let text = consent.text
    #expect(SharingConsent(text: text, at: clock)?.shares.count == 1)
    for (old, new) in [("lunch\"", "lunch"), ("\"ends\"", "\"end\""), ("ada", "a b"), ("\"version\":1", "\"version\":2"), ("}", "")] {
      let damaged = text.replacing(old, with: new)
      #expect(damaged != text && SharingConsent(text: damaged, at: clock) == nil, "\(old)")
    }
    for count in stride(from: 0, to: text.utf8.count - 2, by: 7) {
      #expect(SharingConsent(text: String(text.prefix(count)), at: clock) == nil)
    }
  }

  @Test mutating func `a wrong offer is refused with its reason`() throws {
    func refusal(_ parties: [ShareParty], _ purpose: String, _ span: Span) -> SharingError.Reason? {
      var copy = consent
      do throws(SharingError) {
        _ = try copy.offer(to: parties, purpose: purpose, for: span, by: 0, at: clock)
        return nil
      } catch {
        return error.reason
      }
    }
    #expect(refusal([], "x", .seconds(60)) == .invalid && refusal([ada, ada], "x", .seconds(60)) == .invalid)
    #expect(refusal([ada], "", .seconds(60)) == .invalid && refusal([ada], "a\u{1B}[2Jb", .seconds(60)) == .invalid)
    #expect(refusal([ada], String(repeating: "ä", count: 101), .seconds(60)) == .invalid)
    #expect(refusal([ada], "x", .seconds(59)) == .invalid && refusal([ada], "x", .seconds(86_401)) == .invalid)
    for _ in 0..<SharingConsent.mostShares { _ = try offer() }
    #expect(refusal([ada], "x", .seconds(60)) == .tooMany)
  }

  @Test(arguments: [
    "", "{}", "[]", #"{"v":2,"shares":[],"offers":[]}"#, #"{"v":1,"shares":[{"id":"x"}],"offers":[{"id":5}]}"#, "{\"v\":1,\"offers\":[",
    #"{"v":1,"offers":[{"id":"8ec76ea3-6668-48da-9866-75be8bc86f4d","owner":"a b","purpose":"x","ends":1}]}"#,
    #"{"v":1,"offers":[{"id":"8ec76ea3-6668-48da-9866-75be8bc86f4d","owner":"ada","purpose":"x","ends":9e99}]}"#,
  ])
  mutating func `a damaged notice changes nothing`(json: String) throws {
    let id = try offer()
    let before = consent
    if let notice = SharingNotice(Array(json.utf8)) { #expect(consent.take(notice, at: clock).isEmpty) }
    #expect(consent == before && consent.shares.map(\.id) == [id])
    #expect(SharingNotice([UInt8](repeating: 0xFF, count: 40_000)) == nil)
  }

  @Test func `a text that names no party is refused with the forms of a recipient`() throws {
    #expect(try ShareParty.recipients(["ada", "role:operator", "device:hall"]) == [ada, .role("operator"), .device("hall")])
    for text in ["role:king", "team:red", ""] {
      let error = #expect(throws: SharingError.self) { try ShareParty.recipients(["ada", text]) }
      #expect(error?.reason == .invalid && error?.message.hasPrefix("\"\(text)\" is not a recipient; write a person") == true)
    }
  }
}
