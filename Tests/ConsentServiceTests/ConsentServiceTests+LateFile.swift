import Consent
import Instants
import Logging
import Status
import TestSupport
import Testing

@testable import ConsentService

/// A file of decisions that cannot be read at the start, but later.
extension ConsentServiceTests {
  private func unreadableFile() -> FakeConsentFile {
    (file.isUnreadable, file.isOn, file.note) = (true, false, "consent.db: cannot be read")
    return FakeConsentFile()
  }

  @Test func `the decisions and the switch of a file that can be read later apply without a restart`() {
    let late = unreadableFile()
    late.stored[.user(1000)] = Decision(.denied, by: .administrator(0), at: clock.wallClock)
    let service = service(file, rules: [ConsentRule(.everyone, .always)])
    var changes = 0
    service.onChange = { changes += 1 }
    #expect(!service.isEnabled)
    clock.advance(by: .seconds(600))
    #expect(file.reopenCount > 5 && !service.isEnabled && changes == 0)
    file.readable = late
    clock.advance(by: .seconds(120))
    #expect(service.isEnabled && service.note == nil && changes == 1)
    #expect(authorization(service, alice) == .denied && authorization(service, Person(1001)) == .always)
    let attempts = file.reopenCount
    clock.advance(by: .seconds(600))
    #expect(file.reopenCount == attempts)
  }

  @Test func `a late file in doubt keeps location services off, even if an administrator switched them on before`() throws {
    let late = unreadableFile()
    (late.isOn, late.note) = (false, "consent.db is damaged")
    let service = service(file)
    try service.setEnabled(true)
    file.readable = late
    clock.advance(by: .seconds(120))
    #expect(!service.isEnabled && service.note?.hasPrefix("consent.db is damaged") == true)
  }

  @Test func `decisions of an administrator before the file could be read take precedence and are saved`() throws {
    let late = unreadableFile()
    for user in 1000...1002 as ClosedRange<UInt32> { late.stored[.user(user)] = Decision(.always, by: .polkit, at: clock.wallClock) }
    let service = service(file)
    try service.decide(.user(1000), .denied, by: Person(0))
    try service.decide(.user(1001), nil, by: Person(0))
    try service.setEnabled(true)
    try service.setEnabled(false)
    file.readable = late
    clock.advance(by: .seconds(120))
    #expect(file.stored[.user(1000)]?.authorization == .denied && file.stored[.user(1001)] == nil)
    #expect(file.stored[.user(1002)]?.authorization == .always && !file.isOn && !service.isEnabled)
    try service.setEnabled(true)
    #expect(authorization(service, alice) == .denied && authorization(service, Person(1001)) == .notDetermined)
    #expect(authorization(service, Person(1002)) == .always)
  }

  @Test func `a permission from a dialog before the file could be read does not override a denial in it`() throws {
    let late = unreadableFile()
    late.stored[.user(1000)] = Decision(.denied, by: .administrator(0), at: clock.wallClock)
    let service = service(file)
    try service.setEnabled(true)
    service.request(.whenInUse, for: try client(alice)) { _ in }
    dialog.answer(.yes)
    #expect(authorization(service, alice) == .whenInUse)
    file.readable = late
    clock.advance(by: .seconds(120))
    #expect(authorization(service, alice) == .denied && file.stored[.user(1000)]?.authorization == .denied)
  }

  @Test func `a use that began before the file could be read is written to it as a new one`() throws {
    let late = unreadableFile()
    let other = try client(Person(1001)).claimant
    late.storedUses[other] = ConsentUse(number: 1, claimant: other, began: clock.wallClock, ended: clock.wallClock)
    let service = service(file)
    service.begin(try client(alice))
    clock.advance(by: .seconds(1))
    #expect(file.storedUses.count == 1)
    file.readable = late
    clock.advance(by: .seconds(120))
    let own = try client(alice).claimant
    #expect(file.storedUses.count == 2 && file.storedUses[own] != nil && file.storedUses[own]?.ended == nil)
  }
}
