import Instants
import Testing

@testable import Venues

/// The user's decisions about offers, visits, and their text.
@Suite struct OfferHistoryTests {
  private static func at(_ seconds: Double) -> Instant { Instant(microseconds: 1_800_000_000_000_000) + .seconds(seconds) }

  private static func offer(_ venue: String = "gallery", app: String = "org.example.Guide", isImported: Bool = false) -> OfferReport {
    var offer = OfferReport()
    (offer.venue, offer.app, offer.isImported) = (venue, app, isImported)
    return offer
  }

  // MARK: Visits

  /// A history that an expectation can change.
  private final class Book {
    private var history = OfferHistory()

    func enter(_ venue: String, at time: Instant) -> Bool { history.enter(venue, at: time) }
    func leave(_ venue: String, at time: Instant) { history.leave(venue, at: time) }
    func noteOffered(_ venue: String) { history.noteOffered(venue) }
  }

  @Test func `a visit has one offer, even if the device leaves for a short time`() {
    let history = Book()
    #expect(history.enter("gallery", at: Self.at(0)))
    history.noteOffered("gallery")
    #expect(!history.enter("gallery", at: Self.at(0)))
    history.leave("gallery", at: Self.at(600))
    #expect(!history.enter("gallery", at: Self.at(600 + 1799)))
    history.leave("gallery", at: Self.at(5000))
    #expect(history.enter("gallery", at: Self.at(5000 + 1800)))
  }

  @Test func `an offer that was not shown is still open when the entry is repeated`() {
    let history = Book()
    #expect(history.enter("gallery", at: Self.at(0)))
    #expect(history.enter("gallery", at: Self.at(0)))
  }

  @Test func `a visit whose end nothing reported ends after a day`() {
    let history = Book()
    _ = history.enter("gallery", at: Self.at(0))
    history.noteOffered("gallery")
    #expect(!history.enter("gallery", at: Self.at(86_399)))
    #expect(history.enter("gallery", at: Self.at(86_400)))
  }

  @Test func `a clock that was far ahead does not keep a visit forever`() {
    let history = Book()
    _ = history.enter("gallery", at: Self.at(1e9))
    history.noteOffered("gallery")
    history.leave("gallery", at: Self.at(1e9))
    #expect(history.enter("gallery", at: Self.at(0)))
  }

  @Test func `visits of two venues are independent`() {
    let history = Book()
    _ = history.enter("gallery", at: Self.at(0))
    history.noteOffered("gallery")
    #expect(history.enter("shop", at: Self.at(1)))
  }

  // MARK: Decisions

  @Test func `a muted venue is not offered until it is unmuted`() {
    var history = OfferHistory()
    #expect(history.permits(Self.offer()))
    history.setMuted(true, "gallery")
    #expect(!history.permits(Self.offer()) && history.permits(Self.offer("shop")))
    history.setMuted(false, "gallery")
    #expect(history.permits(Self.offer()))
  }

  @Test func `an imported venue is offered only with the launch that the user has allowed`() {
    var history = OfferHistory()
    let imported = Self.offer(isImported: true)
    #expect(!history.permits(imported))
    history.allow(imported.target, "gallery")
    #expect(history.permits(imported))
    #expect(!history.permits(Self.offer(app: "org.example.Other", isImported: true)))
    history.allow(nil, "gallery")
    #expect(!history.permits(imported))
  }

  @Test func `the number of venues is bounded, and decisions are kept longest`() {
    var history = OfferHistory()
    history.setMuted(true, "muted")
    for number in 0..<1000 { _ = history.enter("v\(number)", at: Self.at(Double(number))) }
    #expect(history.entries.count == OfferHistory.most && history.isMuted("muted") && history.entries["v999"] != nil)
  }

  // MARK: Text

  private static var sample: OfferHistory {
    var history = OfferHistory()
    _ = history.enter("gallery", at: at(5))
    history.noteOffered("gallery")
    history.leave("gallery", at: at(6))
    history.setMuted(true, "shop")
    history.allow("app org.example.Guide; page https://example.org", "museum")
    return history
  }

  @Test func `a history that is written is read as the same history`() {
    for history in [OfferHistory(), Self.sample, OfferHistory(isUnverified: true)] {
      let read = OfferHistory.read(history.text)
      #expect(read.history == history && !read.isDamaged)
    }
  }

  @Test func `each changed, lost or added octet is detected, and mutes the venues that are lost`() {
    let octets = Array(Self.sample.text.utf8)
    for index in octets.indices {
      var variants = [octets, octets, octets]
      variants[0][index] ^= 1
      variants[1].remove(at: index)
      variants[2].insert(0x30, at: index)
      for damaged in variants {
        let (history, isDamaged) = OfferHistory.read(String(decoding: damaged, as: UTF8.self))
        #expect(isDamaged && history.isUnverified)
        #expect(history.isMuted("shop"))
        for (venue, entry) in history.entries { #expect(Self.sample.entries[venue] == entry) }
      }
    }
    for length in octets.indices {
      #expect(OfferHistory.read(String(decoding: octets[..<length], as: UTF8.self)).isDamaged)
    }
  }

  @Test func `after damage unknown venues are muted until the user unmutes them`() {
    var history = OfferHistory(isUnverified: true)
    #expect(!history.permits(Self.offer()))
    _ = history.enter("gallery", at: Self.at(0))
    #expect(!history.permits(Self.offer()))
    history.setMuted(false, "gallery")
    #expect(history.permits(Self.offer()) && !history.permits(Self.offer("shop")))
    history.unmuteAll()
    #expect(history.permits(Self.offer("shop")))
  }

  @Test func `an id that would break the text is left out`() {
    var history = OfferHistory()
    history.setMuted(true, "a\tb\nc")
    history.setMuted(true, "shop")
    let read = OfferHistory.read(history.text)
    #expect(!read.isDamaged && read.history.entries.keys.sorted() == ["shop"])
  }
}
