import Instants
import Testing

@testable import Venues

/// The user's decisions about offers, visits, and their text.
@Suite struct OfferLedgerTests {
  private static func at(_ seconds: Double) -> Instant { Instant(microseconds: 1_800_000_000_000_000) + .seconds(seconds) }

  private static func offer(_ venue: String = "gallery", app: String = "org.example.Guide", isImported: Bool = false) -> OfferReport {
    var offer = OfferReport()
    (offer.venue, offer.app, offer.isImported) = (venue, app, isImported)
    return offer
  }

  // MARK: Visits

  /// A ledger that an expectation can change.
  private final class Book {
    private var ledger = OfferLedger()

    func enter(_ venue: String, at time: Instant) -> Bool { ledger.enter(venue, at: time) }
    func leave(_ venue: String, at time: Instant) { ledger.leave(venue, at: time) }
    func noteOffered(_ venue: String) { ledger.noteOffered(venue) }
  }

  @Test func `a visit has one offer, also if the device leaves for a short time`() {
    let ledger = Book()
    #expect(ledger.enter("gallery", at: Self.at(0)))
    ledger.noteOffered("gallery")
    #expect(!ledger.enter("gallery", at: Self.at(0)))
    ledger.leave("gallery", at: Self.at(600))
    #expect(!ledger.enter("gallery", at: Self.at(600 + 1799)))
    ledger.leave("gallery", at: Self.at(5000))
    #expect(ledger.enter("gallery", at: Self.at(5000 + 1800)))
  }

  @Test func `an offer that was not shown is still open when the entry is repeated`() {
    let ledger = Book()
    #expect(ledger.enter("gallery", at: Self.at(0)))
    #expect(ledger.enter("gallery", at: Self.at(0)))
  }

  @Test func `a visit whose end nothing reported ends after a day`() {
    let ledger = Book()
    _ = ledger.enter("gallery", at: Self.at(0))
    ledger.noteOffered("gallery")
    #expect(!ledger.enter("gallery", at: Self.at(86_399)))
    #expect(ledger.enter("gallery", at: Self.at(86_400)))
  }

  @Test func `a clock that was far ahead does not keep a visit for ever`() {
    let ledger = Book()
    _ = ledger.enter("gallery", at: Self.at(1e9))
    ledger.noteOffered("gallery")
    ledger.leave("gallery", at: Self.at(1e9))
    #expect(ledger.enter("gallery", at: Self.at(0)))
  }

  @Test func `visits of two venues are apart`() {
    let ledger = Book()
    _ = ledger.enter("gallery", at: Self.at(0))
    ledger.noteOffered("gallery")
    #expect(ledger.enter("shop", at: Self.at(1)))
  }

  // MARK: Decisions

  @Test func `a muted venue is not offered until it is unmuted`() {
    var ledger = OfferLedger()
    #expect(ledger.permits(Self.offer()))
    ledger.setMuted(true, "gallery")
    #expect(!ledger.permits(Self.offer()) && ledger.permits(Self.offer("shop")))
    ledger.setMuted(false, "gallery")
    #expect(ledger.permits(Self.offer()))
  }

  @Test func `an imported venue is offered only with the launch that the user has allowed`() {
    var ledger = OfferLedger()
    let imported = Self.offer(isImported: true)
    #expect(!ledger.permits(imported))
    ledger.allow(imported.target, "gallery")
    #expect(ledger.permits(imported))
    #expect(!ledger.permits(Self.offer(app: "org.example.Other", isImported: true)))
    ledger.allow(nil, "gallery")
    #expect(!ledger.permits(imported))
  }

  @Test func `the number of venues is bounded, and decisions are kept longest`() {
    var ledger = OfferLedger()
    ledger.setMuted(true, "muted")
    for number in 0..<1000 { _ = ledger.enter("v\(number)", at: Self.at(Double(number))) }
    #expect(ledger.entries.count == OfferLedger.most && ledger.isMuted("muted") && ledger.entries["v999"] != nil)
  }

  // MARK: Text

  private static var sample: OfferLedger {
    var ledger = OfferLedger()
    _ = ledger.enter("gallery", at: at(5))
    ledger.noteOffered("gallery")
    ledger.leave("gallery", at: at(6))
    ledger.setMuted(true, "shop")
    ledger.allow("app org.example.Guide; page https://example.org", "museum")
    return ledger
  }

  @Test func `a ledger that is written is read as the same ledger`() {
    for ledger in [OfferLedger(), Self.sample, OfferLedger(isDoubtful: true)] {
      let read = OfferLedger.read(ledger.text)
      #expect(read.ledger == ledger && !read.isDamaged)
    }
  }

  @Test func `each changed, lost or added octet is noticed, and mutes the venues that are lost`() {
    let octets = Array(Self.sample.text.utf8)
    for index in octets.indices {
      var variants = [octets, octets, octets]
      variants[0][index] ^= 1
      variants[1].remove(at: index)
      variants[2].insert(0x30, at: index)
      for damaged in variants {
        let (ledger, isDamaged) = OfferLedger.read(String(decoding: damaged, as: UTF8.self))
        #expect(isDamaged && ledger.isDoubtful)
        #expect(ledger.isMuted("shop"))
        for (venue, entry) in ledger.entries { #expect(Self.sample.entries[venue] == entry) }
      }
    }
    for length in octets.indices {
      #expect(OfferLedger.read(String(decoding: octets[..<length], as: UTF8.self)).isDamaged)
    }
  }

  @Test func `after damage unknown venues are muted until the user unmutes them`() {
    var ledger = OfferLedger(isDoubtful: true)
    #expect(!ledger.permits(Self.offer()))
    _ = ledger.enter("gallery", at: Self.at(0))
    #expect(!ledger.permits(Self.offer()))
    ledger.setMuted(false, "gallery")
    #expect(ledger.permits(Self.offer()) && !ledger.permits(Self.offer("shop")))
    ledger.unmuteAll()
    #expect(ledger.permits(Self.offer("shop")))
  }

  @Test func `an id that would break the text is left out`() {
    var ledger = OfferLedger()
    ledger.setMuted(true, "a\tb\nc")
    ledger.setMuted(true, "shop")
    let read = OfferLedger.read(ledger.text)
    #expect(!read.isDamaged && read.ledger.entries.keys.sorted() == ["shop"])
  }
}
