import Consent
import ConsentService
import Instants

/// A file of decisions in memory, whose next calls a test can make fail.
public final class FakeConsentFile: ConsentFile {
  public var note: String?
  public var permissionWarning: String?
  public var isOn = true
  public var stored: [Subject: Decision] = [:]
  public var storedRequests: [Claimant: Instant] = [:]
  public var storedUses: [Claimant: ConsentUse] = [:]
  public var registered: [Registration] = []
  public var writeCount = 0
  public var failure: FileFailure?
  public var isUnreadable = false
  /// The content of the file once it can be read; nil before.
  public var readable: FakeConsentFile?
  public private(set) var reopenCount = 0

  public init() {}

  public struct FileFailure: Error, CustomStringConvertible {
    public let description = "disk I/O error"

    public init() {}
  }

  public func reopen() -> Bool {
    reopenCount += 1
    guard let readable else { return !isUnreadable }
    isUnreadable = false
    (note, isOn, stored, registered) = (readable.note, readable.isOn, readable.stored, readable.registered)
    (storedRequests, storedUses) = (readable.storedRequests, readable.storedUses)
    return true
  }

  private func check() throws {
    if let failure { throw failure }
  }

  public func isEnabled() throws -> Bool {
    try check()
    return isOn
  }

  public func setEnabled(_ isEnabled: Bool) throws {
    try check()
    isOn = isEnabled
  }

  public func decisions() throws -> [Subject: Decision] {
    try check()
    return stored
  }

  public func set(_ decision: Decision?, for subject: Subject) throws {
    try check()
    stored[subject] = decision
  }

  public func write(_ log: inout ConsentLog, at time: Instant) throws {
    try check()
    guard log.hasNews else { return }
    writeCount += 1
    storedRequests.merge(log.requests) { $1 }
    for (claimant, use) in log.uses {
      let number = use.number ?? Int64(storedUses.count + 1)
      storedUses[claimant] = ConsentUse(number: number, claimant: claimant, began: use.began, ended: use.ended)
      log.wrote(claimant, as: number)
    }
    log.settle(at: time)
  }

  public func requests() throws -> [ConsentRequest] {
    try check()
    return storedRequests.map { ConsentRequest(claimant: $0, time: $1) }
  }

  public func uses() throws -> [ConsentUse] {
    try check()
    return Array(storedUses.values)
  }

  public func registrations() throws -> [Registration] {
    try check()
    return registered
  }

  public func add(_ registration: Registration) throws {
    try check()
    registered.append(registration)
  }

  public func removeRegistrations(of app: AppID, user: UInt32, identifier: String?) throws {
    try check()
    registered.removeAll { $0.app == app && $0.user == user && identifier ?? $0.identifier == $0.identifier }
  }
}

/// Alice, user 1000, and Bob, user 1001; the group beaconmon has number 500.
public final class FakeDirectory: PersonDirectory {
  public var users: [String: UInt32] = ["alice": 1000, "bob": 1001]
  public var groups: [String: UInt32] = ["beaconmon": 500]
  /// The number of look-ups by name.
  public private(set) var lookUps = 0

  public init() {}

  public func groups(of user: UInt32) -> [UInt32] { [] }
  public func userNumber(_ name: String) -> UInt32? {
    lookUps += 1
    return users[name] ?? UInt32(name)
  }
  public func groupNumber(_ name: String) -> UInt32? {
    lookUps += 1
    return groups[name] ?? UInt32(name)
  }
  public func userName(_ number: UInt32) -> String? { users.first { $0.value == number }?.key }
  public func groupName(_ number: UInt32) -> String? { groups.first { $0.value == number }?.key }
}

/// A dialog that a test answers.
public final class FakeDialog: ConsentDialog {
  public private(set) var asked: [(question: DialogQuestion, busName: String)] = []
  private var completions: [(DialogAnswer) -> Void] = []

  public init() {}

  public func ask(
    _ question: DialogQuestion, for busName: String, details: [(String, String)], completion: @escaping (DialogAnswer) -> Void
  ) {
    asked.append((question, busName))
    completions.append(completion)
  }

  public func answer(_ answer: DialogAnswer) {
    completions.removeFirst()(answer)
  }
}
