import Consent
import Instants
import Regions
import TestSupport
import Testing

@testable import ConsentService

@Suite struct RegistrationsTests {
  private let file = FakeConsentFile()
  private let lines = LogLines()

  private func registration(_ identifier: String, user: UInt32 = 1000, app: String = "org.example.Guide") throws -> Registration {
    Registration(
      user: user, app: try #require(AppID(app)), identifier: identifier, purpose: try #require(Purpose("Greets you")), definition: "{}",
      time: Instant(microseconds: 0))
  }

  @Test func `registrations keep their order over a restart`() throws {
    let first = Registrations(file, log: lines.logger)
    for identifier in ["desk", "attic", "lift"] { _ = try first.add(try registration(identifier)) }
    let second = Registrations(file, log: lines.logger)
    #expect(second.users[1000]?.regions.map(\.identifier) == ["desk", "attic", "lift"])
  }

  @Test func `each app of a user has its own owner, and all share one sequence of numbers`() throws {
    let registrations = Registrations(file, log: lines.logger)
    let user = try registrations.add(try registration("desk"))
    _ = try registrations.add(try registration("desk", app: "org.example.Other"))
    _ = try registrations.add(try registration("desk", user: 1001))
    let owners = try ["org.example.Guide", "org.example.Other"].map { user.owner(of: try #require(AppID($0))) }
    #expect(owners[0] != owners[1] && owners.allSatisfy { $0?.row == user.row })
    #expect(owners.map { $0.flatMap { user.app(of: $0)?.description } } == ["org.example.Guide", "org.example.Other"])
    #expect(registrations.user(of: user.row) === user && registrations.users[1001]?.row != user.row)
    #expect(registrations.user(of: .config) == nil)
  }

  @Test func `a user without regions is forgotten, and the index is reused for the next user`() throws {
    let registrations = Registrations(file, log: lines.logger)
    let user = try registrations.add(try registration("desk"))
    _ = try registrations.add(try registration("lift", app: "org.example.Other"))
    let guide = try #require(AppID("org.example.Guide"))
    #expect(try registrations.remove(nil, of: guide, from: user) == ["desk"])
    #expect(registrations.users[1000] != nil && user.owner(of: guide) == nil)
    #expect(try registrations.remove("lift", of: try #require(AppID("org.example.Other")), from: user) == ["lift"])
    #expect(registrations.users[1000] == nil && file.registered.isEmpty)
    #expect(try registrations.add(try registration("desk", user: 1001)).index == user.index)
  }

  @Test func `a change that cannot be stored has no effect`() throws {
    let registrations = Registrations(file, log: lines.logger)
    let user = try registrations.add(try registration("desk"))
    file.failure = .init()
    #expect(throws: RegistrationError.self) { try registrations.add(try registration("lift")) }
    #expect(throws: RegistrationError.self) { try registrations.remove(nil, of: try #require(AppID("org.example.Guide")), from: user) }
    #expect(user.regions.map(\.identifier) == ["desk"])
  }

  @Test func `registrations before and in a file that can be read later are kept`() throws {
    file.isUnreadable = true
    let late = FakeConsentFile()
    late.registered = [try registration("attic")]
    let registrations = Registrations(file, log: lines.logger)
    _ = try registrations.add(try registration("desk"))
    #expect(!registrations.isFileLate)
    file.readable = late
    #expect(file.reopen() && registrations.isFileLate)
    registrations.read()
    #expect(registrations.users[1000]?.regions.map(\.identifier).sorted() == ["attic", "desk"] && !registrations.isFileLate)
    #expect(file.registered.map(\.identifier).sorted() == ["attic", "desk"])
  }

  @Test func `an unreadable file is logged once, and is read as soon as it is readable`() throws {
    file.registered = [try registration("desk")]
    file.failure = .init()
    let registrations = Registrations(file, log: lines.logger)
    registrations.read()
    #expect(registrations.users.isEmpty && lines.all.count == 1)
    file.failure = nil
    registrations.read()
    #expect(registrations.users[1000]?.regions.map(\.identifier) == ["desk"])
  }

  @Test func `a registration is refused while the earlier ones cannot be read`() throws {
    file.registered = [try registration("desk")]
    file.failure = .init()
    let registrations = Registrations(file, log: lines.logger)
    #expect(throws: RegistrationError.self) { try registrations.add(try registration("lift")) }
    file.failure = nil
    let user = try registrations.add(try registration("lift"))
    #expect(user.regions.map(\.identifier) == ["desk", "lift"])
  }
}
