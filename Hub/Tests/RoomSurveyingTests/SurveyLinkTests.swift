import Instants
import Testing

@testable import RoomSurveying

@Suite struct SurveyLinkTests {
  private struct Failure: SurveyStoreError, CustomStringConvertible {
    var isTemporary = true
    var description: String { "database: gone" }
  }

  private let store = FakeStore()
  private let installer: FakeInstaller

  init() { installer = FakeInstaller(store) }

  /// Returns a link and the number of its attempts to connect.
  ///
  /// - Parameter results: the errors of the attempts, nil for a success; the last one repeats
  private func link(_ results: [Failure?] = [nil]) -> (link: SurveyLink, attempts: () -> Int) {
    var attempts = 0
    let link = SurveyLink(
      { [store] in
        defer { attempts += 1 }
        if let failure = results[min(attempts, results.count - 1)] { throw failure }
        return store
      }, installer, installer)
    return (link, { attempts })
  }

  @Test func `calls share a link while it works`() throws {
    let (link, attempts) = link()
    for _ in 0..<3 { #expect(try link.run { try $0.time() } == 1_000_000) }
    #expect(attempts() == 1 && installer.lines.isEmpty)
  }

  @Test func `a call whose link breaks is repeated on a new one, and the installer sees it`() throws {
    let (link, attempts) = link()
    var calls = 0
    try link.run { _ in
      calls += 1
      if calls < 3 { throw Failure() }
    }
    #expect(calls == 3 && attempts() == 3 && installer.pauses == [.seconds(1), .seconds(2)])
    #expect(installer.lines == ["database: gone; connects again in 1 s", "database: gone; connects again in 2 s"])
    try link.run { _ in
      calls += 1
      if calls < 5 { throw Failure() }
    }
    #expect(installer.pauses.suffix(1) == [.seconds(1)], "each call begins with a short pause")
  }

  @Test func `a database that stays away ends the call after about 40 seconds, and a later call begins again`() throws {
    let (link, attempts) = link([nil, Failure()])
    var calls = 0
    for round in 1...2 {
      #expect(throws: Failure.self) {
        try link.run { _ in
          calls += 1
          throw Failure()
        }
      }
      #expect(installer.pauses.count == 7 * round && installer.pauses.suffix(7) == [1, 2, 4, 8, 8, 8, 8].map { Span.seconds($0) })
    }
    #expect(calls == 1 && attempts() == 16)
  }

  @Test func `a database that never answered is tried once`() {
    let (link, attempts) = link([Failure()])
    #expect(throws: Failure.self) { try link.run { try $0.time() } }
    #expect(attempts() == 1 && installer.lines.isEmpty && installer.pauses.isEmpty)
  }

  @Test func `an error that stays ends the call at once, and the next call has a new link`() throws {
    let (link, attempts) = link()
    #expect(throws: Failure.self) { try link.run { _ in throw Failure(isTemporary: false) } }
    #expect(installer.lines.isEmpty && installer.pauses.isEmpty)
    _ = try link.run { try $0.time() }
    #expect(attempts() == 2)
  }

  @Test func `an error of another kind leaves the link as it is`() throws {
    let (link, attempts) = link()
    #expect(throws: FakeStore.Outage.self) { try link.run { _ in throw FakeStore.Outage() } }
    _ = try link.run { try $0.time() }
    #expect(attempts() == 1 && installer.pauses.isEmpty)
  }
}
