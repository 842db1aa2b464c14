import Authorization
import Consent
import DBus
import EventLoop
import Glibc
import Instants
import Logging
import MonitorBus
import ProgramSupport
import Records
import SQLite

/// Who may learn where the device is: the config's rules, what was decided, and polkit, which asks.
final class ConsentKeeper {
  /// Something else was decided, or the switch was turned.
  var onChange: () -> Void = {}

  private var policy: ConsentPolicy
  private let store: ConsentStore?
  private let polkit: Polkit
  private let log: Logger
  private var active: Set<ConsentTicket> = []
  /// Who waits for the same dialog: one is enough for a user.
  private var waiting: [Question: [(ConsentPolicy.Verdict) -> Void]] = [:]

  private struct Question: Hashable {
    let user: UInt32
    let use: Use
  }

  /// - Parameter path: of the file; nil keeps everything in memory.
  init(_ connection: DBusConnection, path: String?, rules: [ConsentRule], log: Logger) {
    self.log = log
    polkit = Polkit(connection)
    store = Self.open(path, log)
    policy = ConsentPolicy(rules: rules)
    read("what was decided") { () throws(DatabaseError) in
      policy.decisions = try store?.decisions() ?? [:]
      policy.isEnabled = try store?.isEnabled() ?? true
    }
  }

  /// Takes other rules.
  func replaceRules(with rules: [ConsentRule]) {
    guard rules != policy.rules else { return }
    policy.rules = rules
    onChange()
  }

  /// Those whom config/dbus lets hear every event, and whoever runs the daemon.
  private static var insiders: Set<Subject> {
    var insiders: Set<Subject> = [.user(0), .user(geteuid())]
    if let group = UserDirectory.groupNumber("beaconmon") { insiders.insert(.group(group)) }
    return insiders
  }

  /// Nil when there is no memory for it either: then decisions hold, and nobody keeps who asked.
  private static func open(_ path: String?, _ log: Logger) -> ConsentStore? {
    do throws(DatabaseError) {
      let store = try ConsentStore(path: path)
      if let note = store.note { log.warning("\(note)") }
      return store
    } catch {
      log.error("\(error); what is decided holds until the next start only")
      return path == nil ? nil : open(nil, log)
    }
  }

  private func read(_ what: String, _ body: () throws(DatabaseError) -> Void) {
    do throws(DatabaseError) {
      try body()
    } catch {
      log.error("\(what) cannot be read, and counts as not decided: \(error)")
    }
  }

  /// What cannot be written is no reason to refuse what was allowed.
  private func write(_ body: () throws(DatabaseError) -> Void) {
    do throws(DatabaseError) {
      try body()
    } catch {
      log.warning("who uses the service is not kept: \(error)")
    }
  }
}

// MARK: Deciding

extension ConsentKeeper: ConsentAuthority {
  var isEnabled: Bool { policy.isEnabled }
  func person(_ credentials: BusCredentials) -> Person {
    // With the first caller: what the C library loads to know groups takes half a MiB, and on many a device nobody calls.
    if policy.insiders.isEmpty { policy.insiders = Self.insiders }
    // A bus that does not tell who somebody is has a stranger there.
    return UserDirectory.person(credentials.userID ?? .max, groups: credentials.groupIDs)
  }
  func isInsider(_ person: Person) -> Bool { policy.isInsider(person) }
  func verdict(for person: Person) -> ConsentPolicy.Verdict { policy.verdict(for: person) }

  func request(_ use: Use, for client: ConsentClient, completion: @escaping (ConsentPolicy.Verdict) -> Void) {
    write { () throws(DatabaseError) in try store?.note(client.claimant, at: WallClock.now) }
    let question = Question(user: client.person.number, use: use)
    waiting[question, default: []].append(completion)
    guard waiting[question]?.count == 1 else { return }
    let details = [("app", client.app?.description ?? "A program"), ("purpose", client.purpose.description)]
    polkit.ask(use == .always ? .always : .whenInUse, for: client.busName, details: details) { [weak self] in
      self?.take($0, question, client.person)
    }
  }

  private func take(_ answer: Polkit.Answer, _ question: Question, _ person: Person) {
    var verdict = policy.verdict(for: person)
    switch answer {
    case .yes where policy.isEnabled:
      let granted = Decision(question.use == .always ? .always : .whenInUse, by: .polkit, at: WallClock.now)
      write { () throws(DatabaseError) in try store?.set(granted, for: .user(person.number)) }
      policy.decisions[.user(person.number)] = granted
      verdict = policy.verdict(for: person)
      log.notice("user \(person.name ?? String(person.number)) is allowed, \(granted.authorization.rawValue), as polkit says")
    case .no where verdict.basis == .nothing:
      // polkit is asked again next time: its rules may be others then.
      verdict.authorization = .denied
    case .yes, .no, .dismissed, .unavailable:
      break
    }
    let completions = waiting.removeValue(forKey: question) ?? []
    for completion in completions { completion(verdict) }
    onChange()
  }

  func authorizeManager(_ person: Person, busName: String, completion: @escaping (Bool) -> Void) {
    if person.number == 0 || person.number == geteuid() { return completion(true) }
    polkit.ask(.manage, for: busName) { completion($0 == .yes) }
  }

  func setEnabled(_ isEnabled: Bool) throws(DBusError) {
    try keep { () throws(DatabaseError) in try store?.setEnabled(isEnabled) }
    guard policy.isEnabled != isEnabled else { return }
    policy.isEnabled = isEnabled
    log.notice("location services are switched \(isEnabled ? "on" : "off")")
    onChange()
  }

  func decide(_ subject: Subject, _ authorization: Authorization?, by person: Person) throws(DBusError) {
    let decision = authorization.map { Decision($0, by: .administrator(person.number), at: WallClock.now) }
    try keep { () throws(DatabaseError) in try store?.set(decision, for: subject) }
    policy.decisions[subject] = decision
    log.notice("\(subject.text): \(authorization?.rawValue ?? "not decided any more"), as user \(person.number) says")
    onChange()
  }

  private func keep(_ body: () throws(DatabaseError) -> Void) throws(DBusError) {
    do throws(DatabaseError) {
      try body()
    } catch {
      throw .failed("nothing was changed: \(error)")
    }
  }
}

// MARK: Who uses it

extension ConsentKeeper {
  func begin(_ client: ConsentClient) -> ConsentTicket {
    var ticket = ConsentTicket(number: 0)
    write { () throws(DatabaseError) in
      try store?.note(client.claimant, at: WallClock.now)
      ticket = ConsentTicket(number: try store?.begin(client.claimant, at: WallClock.now) ?? 0)
    }
    active.insert(ticket)
    return ticket
  }

  func end(_ ticket: ConsentTicket) {
    active.remove(ticket)
    write { () throws(DatabaseError) in try store?.end(ticket.number, at: WallClock.now) }
  }

  var decisions: [Record] {
    policy.decisions.sorted { $0.value.time < $1.value.time }.map { subject, decision in
      Record([
        "kind": .text(subject.kind), "number": .count(UInt64(subject.number)), "name": subject.name.map { .text($0) },
        "authorization": .text(decision.authorization.rawValue),
        "decidedBy": .text(decision.author == .polkit ? "polkit" : "administrator"), "time": .time(decision.time),
      ])
    }
  }

  var requests: [Record] {
    records { () throws(DatabaseError) in
      try (store?.requests() ?? []).map { request in
        var record = request.claimant.record
        let person = UserDirectory.person(request.claimant.user, groups: nil)
        record.append("authorization", .text(policy.verdict(for: person).authorization.rawValue))
        record.append("time", .time(request.time))
        return record
      }
    }
  }

  var uses: [Record] {
    records { () throws(DatabaseError) in
      try (store?.uses() ?? []).map { use in
        var record = use.claimant.record
        record.append("began", .time(use.began))
        record.append("ended", use.ended.map { .time($0) })
        record.append("inUse", .flag(active.contains(ConsentTicket(number: use.number))))
        return record
      }
    }
  }

  private func records(_ body: () throws(DatabaseError) -> [Record]) -> [Record] {
    do throws(DatabaseError) {
      return try body()
    } catch {
      log.warning("who uses the service cannot be read: \(error)")
      return []
    }
  }
}

extension ConsentClient {
  fileprivate var claimant: Claimant { Claimant(user: person.number, app: app, purpose: purpose) }
}

extension Claimant {
  fileprivate var record: Record {
    Record([
      "user": .count(UInt64(user)), "userName": UserDirectory.person(user, groups: []).name.map { .text($0) },
      "appId": app.map { .text($0.description) }, "purpose": .text(purpose.description),
    ])
  }
}

extension Subject {
  fileprivate var kind: String {
    switch self {
    case .user: "user"
    case .group: "group"
    }
  }

  fileprivate var number: UInt32 {
    switch self {
    case .user(let number), .group(let number): number
    }
  }

  fileprivate var name: String? {
    switch self {
    case .user(let number): UserDirectory.person(number, groups: []).name
    case .group(let number): UserDirectory.groupName(number)
    }
  }

  fileprivate var text: String { "\(kind) \(name ?? String(number))" }
}
