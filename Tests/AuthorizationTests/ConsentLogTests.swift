import Consent
import Instants
import SQLite
import TestSupport
import Testing

@testable import Authorization

@Suite struct ConsentLogTests {
  private let store: ConsentStore
  private var log = ConsentLog()
  private let start = Instant(microseconds: 1_800_000_000_000_000)

  init() throws {
    store = try ConsentStore(path: nil)
  }

  private func claimant(_ app: String = "org.example.Guide", user: UInt32 = 7) throws -> Claimant {
    Claimant(user: user, app: AppID(app), purpose: try #require(Purpose("Shows the exhibit")))
  }

  @Test mutating func `two sessions of a program count as one use, which ends with the later session`() throws {
    let guide = try claimant()
    log.begin(guide, at: start)
    log.begin(guide, at: start + .seconds(1))
    log.end(guide, at: start + .seconds(2))
    try store.write(&log, at: start + .seconds(3))
    let use = try #require(try store.uses().first)
    #expect(use.ended == nil && log.isInUse(use.number))
    log.end(guide, at: start + .seconds(20))
    try store.write(&log, at: start + .seconds(21))
    #expect(try store.uses().map(\.ended) == [start + .seconds(20)] && !log.isInUse(use.number))
    #expect(try store.uses().map(\.began) == [start])
  }

  @Test mutating func `a use that resumes within ten seconds continues, and a later one is a new use`() throws {
    let guide = try claimant()
    for second in 0..<5 {
      log.begin(guide, at: start + .seconds(Double(second * 2)))
      log.end(guide, at: start + .seconds(Double(second * 2 + 1)))
      try store.write(&log, at: start + .seconds(Double(second * 2 + 1)))
    }
    #expect(try store.uses().map(\.ended) == [start + .seconds(9)])
    // The log drops ended uses when it is written.
    log.asked(try claimant("org.example.Other"), at: start + .seconds(30))
    try store.write(&log, at: start + .seconds(30))
    log.begin(guide, at: start + .seconds(31))
    try store.write(&log, at: start + .seconds(31))
    #expect(try store.uses().map(\.began) == [start + .seconds(31), start])
  }

  @Test mutating func `the log has entries to write until new requests and uses are written`() throws {
    #expect(!log.hasNews)
    log.asked(try claimant(), at: start)
    #expect(log.hasNews)
    try store.write(&log, at: start)
    #expect(try !log.hasNews && store.requests().map(\.claimant) == [claimant()])
  }

  @Test mutating func `a program that keeps changing its name never displaces another user's entries`() throws {
    log.begin(try claimant(user: 8), at: start)
    log.end(try claimant(user: 8), at: start)
    for round in 0..<20 {
      for number in 0..<100 {
        let other = try claimant("org.example.Name\(round * 100 + number)")
        log.begin(other, at: start + .seconds(Double(round)))
        log.end(other, at: start + .seconds(Double(round)))
      }
      #expect(log.uses.count <= 65 && log.requests.count <= 65)
      try store.write(&log, at: start + .seconds(Double(round * 60)))
    }
    let uses = try store.uses()
    #expect(uses.count { $0.claimant.user == 7 } == 250 && uses.count { $0.claimant.user == 8 } == 1)
    #expect(try store.requests().count { $0.claimant.user == 7 } == 32)
  }
}
