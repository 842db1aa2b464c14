import Authorization
import Consent
import DBus
import EventLoop
import Glibc
import Instants
import Logging
import MonitorService
import ProgramSupport
import Records
import SQLite

/// Decides which users may learn the location of the device, by the config's rules, stored decisions, and polkit's dialogs.
final class ConsentKeeper {
  /// Called after a new decision, or a change of the switch for location services.
  var onChange: () -> Void = {}

  private(set) var policy: ConsentPolicy
  let store: ConsentStore?
  /// The error of the file, now or at the start; nil if there is none.
  private var trouble: String?
  let log: Logger
  private let polkit: Polkit
  private let loop: Loop
  /// The usage that is not in the file yet.
  var usage = ConsentLog()
  private var writing: Timer?
  private var lastWritten: Instant?
  /// The callers that wait for the same dialog; a user gets one dialog at a time.
  private var waiting: [Question: [(ConsentPolicy.Verdict) -> Void]] = [:]

  private struct Question: Hashable {
    let user: UInt32
    let use: Use
  }

  /// - Parameter path: of the file; nil keeps everything in memory.
  init(_ connection: DBusConnection, path: String?, rules: [ConsentRule], log: Logger) {
    self.log = log
    loop = connection.loop
    polkit = Polkit(connection)
    store = Self.open(path)
    trouble = store?.note
    policy = ConsentPolicy(rules: rules)
    if let store {
      read { () throws(DatabaseError) in policy.isEnabled = try store.isEnabled() }
      read { () throws(DatabaseError) in policy.decisions = try store.decisions() }
      if let warning = store.permissionWarning { log.warning("\(warning)") }
    } else {
      // If the switch cannot be read, it counts as off, so that no denied user learns the location.
      (policy.isEnabled, trouble) = (false, "there is no memory for what was decided; start beaconmond again")
    }
    if let note { log.error("\(note)") }
    writing = loop.timer { [unowned self] in writeUsage() }
  }

  /// Replaces the rules.
  func replaceRules(with rules: [ConsentRule]) {
    guard rules != policy.rules else { return }
    policy.rules = rules
    onChange()
  }

  /// The users whom config/dbus lets receive every event, and the user who runs the daemon.
  private static var insiders: Set<Subject> {
    var insiders: Set<Subject> = [.user(0), .user(geteuid())]
    if let group = UserDirectory.groupNumber("beaconmon") { insiders.insert(.group(group)) }
    return insiders
  }

  /// Opens the file, or returns nil if there is no memory for it; then decisions hold, but usage is not stored.
  private static func open(_ path: String?) -> ConsentStore? {
    do throws(DatabaseError) { return try ConsentStore(path: path) } catch { return nil }
  }

  private func read(_ body: () throws(DatabaseError) -> Void) {
    do throws(DatabaseError) {
      try body()
    } catch {
      policy.isEnabled = false
      trouble = "\(error); what was decided cannot be read, and counts as not decided"
    }
  }

  /// Writes to the file, and logs a failure, which does not revoke an allowed use.
  private func write(_ body: () throws(DatabaseError) -> Void) {
    do throws(DatabaseError) {
      try body()
    } catch {
      log.warning("who uses the service is not kept: \(error)")
    }
  }

  /// Writes usage to the file: now, if the last write was a while ago, and otherwise a while after it.
  func noteUsage() {
    guard usage.hasNews, writing?.due == nil else { return }
    writing?.arm(at: max(loop.now, lastWritten.map { $0 + ConsentLog.interval } ?? loop.now))
  }

  /// Writes the usage that is not in the file yet.
  func writeUsage() {
    let now = WallClock.now
    lastWritten = loop.now
    write { () throws(DatabaseError) in try store?.write(&usage, at: now) }
    // Usage that the file does not take must not fill the memory.
    usage.settle(at: now)
  }
}

// MARK: Decisions

extension ConsentKeeper: ConsentAuthority {
  var isEnabled: Bool { policy.isEnabled }
  var note: String? {
    trouble.map { isEnabled ? $0 : "\($0); location services are off until an administrator says `beaconmon privacy on`" }
  }
  func person(_ credentials: BusCredentials) -> Person {
    // Looked up with the first caller: the C library's group functions take half a MiB, and on many devices no caller comes.
    if policy.insiders.isEmpty { policy.insiders = Self.insiders }
    // A caller without a user number from the bus is a stranger.
    return UserDirectory.person(credentials.userID ?? .max, groups: credentials.groupIDs)
  }
  /// Returns the decision for a user who may be logged out, by the groups in the system's database.
  func verdict(forUser number: UInt32) -> ConsentPolicy.Verdict { verdict(for: person(BusCredentials(userID: number))) }
  func isInsider(_ person: Person) -> Bool { policy.isInsider(person) }
  func verdict(for person: Person) -> ConsentPolicy.Verdict { policy.verdict(for: person) }

  func request(_ use: Use, for client: ConsentClient, completion: @escaping (ConsentPolicy.Verdict) -> Void) {
    usage.asked(client.claimant, at: WallClock.now)
    noteUsage()
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
    // The dialog may take long: a decision that was made in the meantime stays.
    case .yes where verdict.isOpen(for: question.use):
      let granted = Decision(question.use == .always ? .always : .whenInUse, by: .polkit, at: WallClock.now)
      write { () throws(DatabaseError) in try store?.set(granted, for: .user(person.number)) }
      policy.decisions[.user(person.number)] = granted
      verdict = policy.verdict(for: person)
      log.notice("user \(person.name ?? String(person.number)) is allowed, \(granted.authorization.rawValue), as polkit says")
    case .no where verdict.basis == .nothing:
      // polkit is asked again next time, since its rules may have changed.
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

extension Subject {
  var kind: String {
    switch self {
    case .user: "user"
    case .group: "group"
    }
  }

  var number: UInt32 {
    switch self {
    case .user(let number), .group(let number): number
    }
  }

  var name: String? {
    switch self {
    case .user(let number): UserDirectory.person(number, groups: []).name
    case .group(let number): UserDirectory.groupName(number)
    }
  }

  fileprivate var text: String { "\(kind) \(name ?? String(number))" }
}
