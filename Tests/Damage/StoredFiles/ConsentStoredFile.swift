import Authorization
import Consent
import Instants
import SQLite

/// The daemon's file of decisions about users, and of the regions that apps have registered.
struct ConsentStoredFile: StoredFile {
  struct Truth {
    var isEnabled = true
    var decisions: [Subject: Decision] = [:]
    /// The registrations by user, app and identifier.
    var registrations: [String: Registration] = [:]
  }

  let name = "consent"
  let fileName = "consent.db"
  let isDatabase = true

  static let users: ClosedRange<UInt32> = 1000...1011
  /// Permits everyone, so that only a decision in the file can deny a user.
  private static let rules = [ConsentRule(.everyone, .always)]
  private static let time = Instant(microseconds: 1_795_219_200_000_000)

  func write(in folder: String, using random: inout some RandomNumberGenerator, keep: (Form, Truth) throws -> Void) throws {
    var truth = Truth()
    do {
      let store = try ConsentStore(path: "\(folder)/\(fileName)")
      try change(store, &truth, .random(in: 10...40, using: &random), using: &random)
      try keep(.older, truth)
      try change(store, &truth, .random(in: 1...30, using: &random), using: &random)
      try keep(.crashed, truth)
    }
    try keep(.closed, truth)
  }

  private func change(_ store: ConsentStore, _ truth: inout Truth, _ count: Int, using random: inout some RandomNumberGenerator) throws {
    for number in 0..<count {
      let user = UInt32.random(in: Self.users, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        truth.isEnabled = Int.random(in: 0..<4, using: &random) > 0
        try store.setEnabled(truth.isEnabled)
      case 1...6:
        let authorization: Authorization = [.denied, .denied, .whenInUse, .always].randomElement(using: &random) ?? .denied
        let subject: Subject = Bool.random(using: &random) ? .user(user) : .group(user)
        let decision = Decision(authorization, by: .administrator(0), at: Self.time + .seconds(Double(number)))
        try store.set(decision, for: subject)
        truth.decisions[subject] = decision
      case 7:
        try store.set(nil, for: .user(user))
        truth.decisions[.user(user)] = nil
      case 8:
        guard let app = AppID("org.example.Guide\(user)"), let purpose = Purpose("Shows the exhibit") else { continue }
        let identifier = "desk \(Int.random(in: 0..<4, using: &random))"
        let registration = Registration(
          user: user, app: app, identifier: identifier, purpose: purpose,
          definition: "{\"identifier\":\"\(identifier)\",\"uuid\":\"8ec76ea3-6668-48da-9866-75be8bc86f4d\"}",
          time: Self.time + .seconds(Double(number)))
        try store.add(registration)
        truth.registrations[Self.key(registration)] = registration
      default:
        guard let app = AppID("org.example.Guide\(user)"), let purpose = Purpose("Shows the exhibit") else { continue }
        var log = ConsentLog()
        log.begin(Claimant(user: user, app: app, purpose: purpose), at: Self.time)
        try store.write(&log, at: Self.time)
      }
    }
  }

  func judge(_ folder: String, untouched: String, truths: [Truth]) throws -> Verdict {
    var verdict = Verdict()
    let path = "\(folder)/\(fileName)"
    let started = Self.start(path)
    verdict.compare(with: truths) { truth, verdict in Self.compare(started, truth, &verdict) }
    checkMending(path, started, &verdict)
    return verdict
  }

  private static func compare(_ started: Started, _ truth: Truth, _ verdict: inout Verdict) {
    let allowed = Self.permissions(truth.isEnabled, truth.decisions)
    let now = Self.permissions(started.isEnabled, started.decisions)
    let opened = now.filter { user, authorization in
      let before = allowed[user] ?? .denied
      return authorization.covers(.whenInUse) && !before.covers(.whenInUse) || authorization.covers(.always) && !before.covers(.always)
    }
    verdict.expect(opened.isEmpty, "users \(opened.keys.sorted()) may do now what was denied")
    if !started.isReported {
      verdict.expect(started.isEnabled == truth.isEnabled, "the switch is \(started.isEnabled ? "on" : "off") and nothing says why")
      let lost = truth.decisions.filter { started.decisions[$0.key] != $0.value }
      verdict.expect(lost.isEmpty, "\(lost.count) decisions are lost or altered and nothing says so")
      let invented = started.decisions.keys.filter { truth.decisions[$0] == nil }
      verdict.expect(invented.isEmpty, "\(invented.count) decisions were never made")
      let regions = truth.registrations.filter { started.registrations[$0.key] != $0.value }
      verdict.expect(regions.isEmpty, "\(regions.count) registered regions are lost or altered and nothing says so")
    } else {
      verdict.reportedLosses += truth.decisions.count { started.decisions[$0.key] != $0.value }
    }
  }

  /// Checks that an administrator can repair the file after any damage, and that the repair lasts.
  func checkMending(_ path: String, _ started: Started, _ verdict: inout Verdict) {
    do {
      let store = try ConsentStore(path: path)
      try store.setEnabled(true)
      let decision = Decision(.denied, by: .administrator(0), at: Self.time)
      try store.set(decision, for: .user(7))
      verdict.expect(try store.decisions()[.user(7)] == decision, "a new denial cannot be read back")
    } catch {
      // The administrator who decides sees the error.
      return
    }
    let next = Self.start(path)
    verdict.expect(Self.permissions(next.isEnabled, next.decisions, [7])[7] == .denied, "a denial of after the damage does not last")
  }

  struct Started {
    var isEnabled = false
    var decisions: [Subject: Decision] = [:]
    var registrations: [String: Registration] = [:]
    /// Whether the daemon's status reports trouble.
    var isReported = false
  }

  /// Returns the daemon's knowledge after it has opened the file at its start, as `ConsentService` does.
  static func start(_ path: String) -> Started {
    var started = Started()
    let mayHold = ConsentStore.mayHold(path)
    do throws(DatabaseError) {
      let store = try ConsentStore(path: path)
      started.isReported = store.note != nil
      started.isEnabled = try store.isEnabled()
      started.decisions = try store.decisions()
      for registration in try store.registrations() { started.registrations[key(registration)] = registration }
    } catch {
      started.isEnabled = !mayHold
      started.isReported = true
    }
    return started
  }

  /// Returns the authorization of each user.
  static func permissions(
    _ isEnabled: Bool, _ decisions: [Subject: Decision], _ users: [UInt32] = Array(users)
  ) -> [UInt32: Authorization] {
    var policy = ConsentPolicy(rules: rules, decisions: decisions, insiders: Insiders(user: 0))
    policy.isEnabled = isEnabled
    return Dictionary(
      uniqueKeysWithValues: users.map {
        ($0, policy.verdict(for: Person($0, groups: [$0, $0 + 1])).authorization)
      })
  }

  private static func key(_ registration: Registration) -> String {
    "\(registration.user) \(registration.app) \(registration.identifier)"
  }
}
