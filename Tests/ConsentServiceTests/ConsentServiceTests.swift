import Consent
import Instants
import Logging
import Status
import TestSupport
import Testing

@testable import ConsentService

@Suite struct ConsentServiceTests {
  let clock = ManualScheduler()
  let file = FakeConsentFile()
  let dialog = FakeDialog()
  let alice = Person(1000)

  private let directory = FakeDirectory()

  func service(_ file: (any ConsentFile)?, rules: [ConsentRule] = []) -> ConsentService {
    let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    return ConsentService(clock, file, directory, dialog, ownUser: 990, rules: rules, log: log)
  }

  func client(_ person: Person, app: String? = "org.example.Guide") throws -> ConsentClient {
    ConsentClient(busName: ":1.\(person.number)", person: person, app: app.flatMap(AppID.init), purpose: try #require(Purpose("Shows it")))
  }

  func authorization(_ service: ConsentService, _ person: Person) -> Authorization { service.verdict(for: person).authorization }

  // MARK: The file

  @Test func `a decision of an earlier process applies after a restart`() throws {
    try service(file).decide(.user(1000), .always, by: Person(0))
    let restarted = service(file)
    #expect(authorization(restarted, alice) == .always)
    #expect(authorization(restarted, Person(1001)) == .notDetermined)
  }

  @Test func `a stored decision takes precedence over the rules of the config`() {
    file.stored[.user(1000)] = Decision(.denied, by: .polkit, at: clock.wallClock)
    let service = service(file, rules: [ConsentRule(.everyone, .always)])
    #expect(authorization(service, alice) == .denied)
    #expect(authorization(service, Person(1001)) == .always)
  }

  @Test func `an unreadable file of decisions switches location services off`() {
    file.stored[.user(1000)] = Decision(.always, by: .polkit, at: clock.wallClock)
    file.failure = .init()
    let service = service(file)
    #expect(!service.isEnabled && authorization(service, alice) == .denied)
    #expect(service.note?.contains("disk I/O error") == true)
  }

  @Test func `a denial in a file that could not be read at the start applies when location services are on`() throws {
    file.stored[.user(1000)] = Decision(.denied, by: .administrator(0), at: clock.wallClock)
    file.failure = .init()
    let service = service(file, rules: [ConsentRule(.everyone, .always)])
    #expect(throws: ConsentFailure.self) { try service.setEnabled(true) }
    #expect(!service.isEnabled)
    file.failure = nil
    try service.setEnabled(true)
    #expect(service.isEnabled && service.note == nil)
    #expect(authorization(service, alice) == .denied && authorization(service, Person(1001)) == .always)
  }

  @Test func `location services without a place for the file are off until an administrator switches them on`() throws {
    let service = service(nil)
    #expect(!service.isEnabled && service.note?.contains("location services are off") == true)
    try service.setEnabled(true)
    try service.decide(.user(1000), .whenInUse, by: Person(0))
    #expect(authorization(service, alice) == .whenInUse)
  }

  @Test func `a decision that cannot be stored has no effect`() throws {
    let service = service(file)
    try service.decide(.user(1000), .denied, by: Person(0))
    file.failure = .init()
    #expect(throws: ConsentFailure.self) { try service.decide(.user(1000), .always, by: Person(0)) }
    #expect(throws: ConsentFailure.self) { try service.setEnabled(false) }
    #expect(authorization(service, alice) == .denied && service.isEnabled)
  }

  // MARK: Insiders

  @Test func `members of the service's group and its own user are insiders, and a caller without a user id is not`() {
    let service = service(file)
    #expect(service.isInsider(service.person(user: 1000, groups: [500])))
    #expect(service.isInsider(service.person(user: 990, groups: [])))
    #expect(!service.isInsider(service.person(user: 1000, groups: [])))
    #expect(!service.isInsider(service.person(user: nil, groups: nil)))
  }

  @Test func `the first call of the service's own user looks up no names, because that costs half a MiB`() {
    let service = service(file)
    #expect(service.isInsider(service.person(user: 990, groups: [])) && directory.lookUps == 0)
  }

  @Test func `the service's group is found after it was created`() {
    let service = service(file)
    directory.groups = [:]
    #expect(!service.isInsider(service.person(user: 1000, groups: [500])))
    directory.groups = ["beaconmon": 500]
    #expect(service.isInsider(service.person(user: 1000, groups: [500])))
  }

  // MARK: Rules

  @Test func `a rule applies to a user by name and to a group by number, even after a reload`() {
    let rules = [ConsentRule(.user("bob"), .denied), ConsentRule(.group("50"), .whenInUse)]
    let service = service(file, rules: rules)
    #expect(authorization(service, Person(1001, groups: [50])) == .denied)
    #expect(authorization(service, Person(1000, groups: [50])) == .whenInUse)
    service.replaceRules(with: [ConsentRule(.user("alice"), .always)] + rules)
    #expect(authorization(service, Person(1000, groups: [50])) == .always)
  }

  @Test func `a rule applies to a user who was created after the start`() {
    let service = service(file, rules: [ConsentRule(.user("carol"), .always)])
    directory.users["carol"] = 1002
    #expect(authorization(service, service.person(user: 1002, groups: [])) == .always)
  }

  // MARK: Changes

  @Test func `a revocation is reported to the client at once, and the use ends with the client`() throws {
    let service = service(file)
    try service.decide(.user(1000), .whenInUse, by: Person(0))
    let client = try client(alice)
    service.begin(client)
    clock.advance(by: .seconds(60))
    var reported: [Authorization] = []
    service.onChange = { [unowned service] in reported.append(self.authorization(service, self.alice)) }
    try service.decide(.user(1000), .denied, by: Person(0))
    service.end(client)
    #expect(reported == [.denied])
    clock.advance(by: .seconds(60))
    let use = try #require(file.storedUses.values.first)
    #expect(use.ended == use.began + .seconds(60))
  }

  @Test func `only rules that differ are reported`() {
    let service = service(file, rules: [ConsentRule(.everyone, .always)])
    var changes = 0
    service.onChange = { changes += 1 }
    service.replaceRules(with: [ConsentRule(.everyone, .always)])
    #expect(changes == 0)
    service.replaceRules(with: [])
    #expect(changes == 1 && authorization(service, alice) == .notDetermined)
  }

  // MARK: Usage

  @Test func `a client that starts and stops repeatedly causes one write in ten seconds`() throws {
    let service = service(file)
    let client = try client(alice)
    for _ in 0..<100 {
      service.begin(client)
      clock.advance(by: .milliseconds(100))
      service.end(client)
      clock.advance(by: .milliseconds(100))
    }
    #expect((2...3).contains(file.writeCount))
  }

  @Test func `usage during a file failure is lost, and later usage is stored`() throws {
    let service = service(file)
    let client = try client(alice)
    file.failure = .init()
    service.begin(client)
    service.end(client)
    clock.advance(by: .seconds(60))
    file.failure = nil
    #expect(service.uses.isEmpty)
    service.begin(client)
    clock.advance(by: .seconds(60))
    #expect(service.uses.map(\.inUse) == [true])
  }

  @Test func `records name users and apps`() throws {
    let service = service(file)
    try service.decide(.group(500), .denied, by: alice)
    service.begin(try client(alice))
    #expect(service.decisions.first?.name == "beaconmon")
    let request = try #require(service.requests.first)
    #expect(request.claim.userName == "alice" && request.claim.appID == "org.example.Guide")
    #expect(request.authorization == .notDetermined)
  }
}
