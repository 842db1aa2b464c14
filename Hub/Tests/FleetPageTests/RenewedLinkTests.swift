import FleetPage
import Instants
import Testing

@Suite struct RenewedLinkTests {
  private enum Failure: ArchiveError {
    case closed
    case missingTable
    case otherSchema
    case refusedValue

    var isOfLink: Bool { self == .closed }
    var isOfMissingPart: Bool { self == .missingTable }
    var isOfSchema: Bool { self == .otherSchema }
  }

  /// A database that counts its links, with the clock of the test.
  private final class Database {
    var now = Instant(microseconds: 1_000_000_000)
    /// The error of new links.
    var failure: Failure?
    var openings = 0
    /// The number of the first link that works. Earlier ones are closed.
    var firstOpen = 1
    var work: [Int] = []

    func restart() { firstOpen = openings + 1 }
    func require(_ link: Int) throws(Failure) { if link < firstOpen { throw .closed } }
  }

  private let database = Database()

  private func link() -> RenewedLink<Int, Failure> {
    RenewedLink { [database] in
      database.now
    } open: { [database] () throws(Failure) in
      database.openings += 1
      if let failure = database.failure { throw failure }
      return database.openings
    } test: { [database] link throws(Failure) in
      try database.require(link)
    }
  }

  /// Runs work that needs an open link. Returns its failure.
  private func run(_ link: inout RenewedLink<Int, Failure>, isChange: Bool = false, failing failure: Failure? = nil) -> Failure? {
    let result = link.run(isChange: isChange) { [database] number throws(Failure) in
      database.work.append(number)
      try database.require(number)
      if let failure { throw failure }
    }
    guard case .failure(let failure) = result else { return nil }
    return failure
  }

  @Test("queries and changes share a link while it works")
  func shared() {
    var link = link()
    for isChange in [false, true, false] { #expect(run(&link, isChange: isChange) == nil) }
    #expect(database.openings == 1 && database.work == [1, 1, 1])
  }

  @Test("a query whose link has ended is repeated once on a new one")
  func repeated() {
    var link = link()
    #expect(run(&link) == nil)
    database.restart()
    #expect(run(&link) == nil && database.work == [1, 1, 2])
    #expect(run(&link, failing: .closed) == .closed && database.work == [1, 1, 2, 2, 3])
  }

  @Test("the first query of a link is not repeated")
  func first() {
    var link = link()
    #expect(run(&link, failing: .closed) == .closed && database.work == [1])
  }

  @Test("a change whose link has ended gets a new one before it runs")
  func testedChange() {
    var link = link()
    #expect(run(&link) == nil)
    database.restart()
    #expect(run(&link, isChange: true) == nil && database.work == [1, 2])
  }

  @Test("a change that fails never runs again")
  func failedChange() {
    var link = link()
    #expect(run(&link, isChange: true) == nil)
    #expect(run(&link, isChange: true, failing: .closed) == .closed && database.work == [1, 1])
  }

  @Test("an error of the work itself is not repeated, and the next query has a new link")
  func otherError() {
    var link = link()
    #expect(run(&link) == nil)
    #expect(run(&link, failing: .refusedValue) == .refusedValue && database.work == [1, 1] && database.openings == 1)
    #expect(run(&link) == nil && database.work == [1, 1, 2])
  }

  @Test("within a second of a failure no link is tried, and queries fail with its error")
  func pause() {
    var link = link()
    database.failure = .closed
    #expect(run(&link) == .closed && database.openings == 1)
    database.failure = .otherSchema
    database.now += .seconds(1)
    #expect(run(&link) == .closed && run(&link, isChange: true) == .closed && database.openings == 1)
    database.now += .milliseconds(1)
    #expect(run(&link) == .otherSchema && database.openings == 2)
    database.failure = nil
    database.now += .milliseconds(1001)
    #expect(run(&link) == nil && database.openings == 3)
  }

  @Test("the pause begins at the end of an attempt that took long")
  func longAttempt() {
    let database = database
    var link = RenewedLink<Int, Failure> {
      database.now
    } open: { () throws(Failure) in
      database.openings += 1
      database.now += .seconds(8)
      throw .closed
    } test: { _ throws(Failure) in
    }
    #expect(run(&link) == .closed && run(&link) == .closed && database.openings == 1)
  }

  @Test("a missing table has the error of the schema, if the schema is that of another version")
  func migration() {
    var link = link()
    #expect(run(&link) == nil)
    #expect(run(&link, failing: .missingTable) == .missingTable && database.openings == 2)
    database.failure = .otherSchema
    #expect(run(&link, failing: .missingTable) == .otherSchema && database.work == [1, 1, 2])
  }
}
