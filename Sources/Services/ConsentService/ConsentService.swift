import Consent
import Instants
import Logging
import Scheduling

/// Decides which users may learn the location of the device, by the config's rules, stored decisions, and dialogs.
public final class ConsentService {
  /// Runs after a new decision, or a change of the switch for location services.
  public var onChange: () -> Void = {}

  var policy: ConsentPolicy
  /// The file; nil if there was no memory for it. Then decisions hold until the end, but usage is not stored.
  let file: (any ConsentFile)?
  let directory: any PersonDirectory
  let scheduler: any Scheduler
  let log: Logger
  /// The usage that is not in the file yet.
  var usage = ConsentLog()
  var writing: (any SchedulerTimer)?
  var lastWritten: Instant?
  /// The error of the file, now or at the start; nil if there is none.
  var trouble: String?
  /// Whether the insiders contain the service's group.
  private var hasGroup = false
  /// Whether `policy` contains the decisions in the file.
  /// Without them rules would override denials, so location services stay off.
  var hasReadDecisions = false
  private let dialog: any ConsentDialog
  /// The user who runs the daemon.
  private let ownUser: UInt32
  /// The decisions since the start, while the file cannot be read; nil for a decision that was removed.
  var unsaved: [Subject: Decision?] = [:]
  /// Whether location services were switched off since the start, while the file cannot be read.
  var isSwitchedOff = false
  var reopening: (any SchedulerTimer)?
  var reopenBackoff = Backoff(from: .seconds(5), to: .seconds(60))
  /// The callers that wait for the same dialog; a user gets one dialog at a time.
  private var waiting: [Question: [(ConsentPolicy.Verdict) -> Void]] = [:]

  private struct Question: Hashable {
    let user: UInt32
    let use: Use
  }

  /// - Parameter ownUser: the user who runs the daemon, an insider.
  public init(
    _ scheduler: any Scheduler, _ file: (any ConsentFile)?, _ directory: any PersonDirectory, _ dialog: any ConsentDialog,
    ownUser: UInt32, rules: [ConsentRule], log: Logger
  ) {
    self.scheduler = scheduler
    self.file = file
    self.directory = directory
    self.dialog = dialog
    self.ownUser = ownUser
    self.log = log
    policy = ConsentPolicy(rules: rules, insiders: Insiders(user: ownUser))
    if !rules.isEmpty { lookUpNames() }
    if let file {
      do {
        try readDecisions()
        policy.isEnabled = try file.isEnabled()
      } catch {
        policy.isEnabled = false
        trouble = "\(error); consent decisions cannot be read and have no effect"
      }
      if let warning = file.permissionWarning { log.warning("\(warning)") }
    } else {
      // If the switch cannot be read, it counts as off, so that no denied user learns the location.
      (policy.isEnabled, trouble) = (false, "out of memory for consent decisions; restart beaconmond")
    }
    if let note { log.error("\(note)") }
    writing = scheduler.timer { [unowned self] in writeUsage() }
    if file?.isUnreadable == true {
      reopening = scheduler.timer { [unowned self] in reopen() }
      waitToReopen()
    }
  }

  /// Reads the decisions in the file, unless an earlier call has read them. Decisions of this process take precedence.
  private func readDecisions() throws {
    guard !hasReadDecisions, let file else { return }
    policy.decisions.merge(try file.decisions()) { current, _ in current }
    hasReadDecisions = true
    trouble = file.note
  }

  /// Replaces the rules.
  public func replaceRules(with rules: [ConsentRule]) {
    guard rules != policy.rules else { return }
    (policy.rules, policy.subjects) = (rules, [:])
    lookUpNames()
    onChange()
  }
}

// MARK: Verdicts

extension ConsentService {
  /// False if location services are off, in which case no client learns anything.
  public var isEnabled: Bool { policy.isEnabled }

  /// A problem with the file of decisions, now or at the start, and its remedy; nil if there is none.
  public var note: String? {
    trouble.map { isEnabled ? $0 : "\($0); location services are off until an administrator runs `beaconmon privacy on`" }
  }

  /// Returns the person that the system knows by the credentials of a bus connection.
  ///
  /// - Parameters:
  ///   - user: the user number; nil, for a caller without one, is a stranger.
  ///   - groups: the numbers of the groups; nil looks them up.
  public func person(user: UInt32?, groups: [UInt32]?) -> Person {
    let number = user ?? .max
    // Looked up with the callers: the C library's user and group functions take half a MiB, and on many devices only the notifier
    // calls, as the service's own user.
    if !policy.insiders.contains(Person(number)) || !policy.rules.isEmpty { lookUpNames() }
    return Person(number, groups: groups ?? directory.groups(of: number))
  }

  /// Looks up the names of the config's rules and of the service's group that the system did not know yet.
  private func lookUpNames() {
    for rule in policy.rules where policy.subjects[rule.subjects] == nil {
      switch rule.subjects {
      case .everyone: break
      case .user(let name): policy.subjects[rule.subjects] = directory.userNumber(name).map { .user($0) }
      case .group(let name): policy.subjects[rule.subjects] = directory.groupNumber(name).map { .group($0) }
      }
    }
    guard !hasGroup, let group = directory.groupNumber("beaconmon") else { return }
    policy.insiders.insert(group: group)
    hasGroup = true
  }

  /// Returns true if the bus policy of config/dbus lets the person receive every event, or if the person runs the daemon.
  public func isInsider(_ person: Person) -> Bool { policy.insiders.contains(person) }

  /// Returns the present decision, without asking.
  public func verdict(for person: Person) -> ConsentPolicy.Verdict { policy.verdict(for: person) }

  /// Returns the decision for a user who may be logged out, by the groups in the system's database.
  public func verdict(forUser number: UInt32) -> ConsentPolicy.Verdict { verdict(for: person(user: number, groups: nil)) }
}

// MARK: Dialogs

extension ConsentService {
  /// Requests a decision if there is none. Calls `completion` at once, or when a person has answered.
  public func request(_ use: Use, for client: ConsentClient, completion: @escaping (ConsentPolicy.Verdict) -> Void) {
    usage.asked(client.claimant, at: scheduler.wallClock)
    noteUsage()
    let question = Question(user: client.person.number, use: use)
    waiting[question, default: []].append(completion)
    guard waiting[question]?.count == 1 else { return }
    let details = [("app", client.app?.description ?? "A program"), ("purpose", client.purpose.description)]
    dialog.ask(use == .always ? .always : .whenInUse, for: client.busName, details: details) { [weak self] in
      self?.take($0, question, client.person)
    }
  }

  private func take(_ answer: DialogAnswer, _ question: Question, _ person: Person) {
    var verdict = policy.verdict(for: person)
    switch answer {
    // The dialog may take long: a decision that was made in the meantime stays.
    case .yes where verdict.isOpen(for: question.use):
      let granted = Decision(question.use == .always ? .always : .whenInUse, by: .polkit, at: scheduler.wallClock)
      write { try file?.set(granted, for: .user(person.number)) }
      record(granted, for: .user(person.number))
      verdict = policy.verdict(for: person)
      log.notice(
        "user \(directory.userName(person.number) ?? String(person.number)) is permitted, \(granted.authorization.rawValue), by polkit")
    case .no where verdict.basis == .nothing:
      // The next request asks again, since polkit's rules may have changed.
      verdict.authorization = .denied
    case .yes, .no, .dismissed, .unavailable:
      break
    }
    let completions = waiting.removeValue(forKey: question) ?? []
    for completion in completions { completion(verdict) }
    onChange()
  }

  /// Calls `completion` with true if the caller is an administrator. Asks if the policy of the system requires it.
  ///
  /// - Parameter question: the act of an administrator; by default, deciding for other users.
  public func authorizeManager(
    _ person: Person, busName: String, for question: DialogQuestion = .manage, completion: @escaping (Bool) -> Void
  ) {
    if person.number == 0 || person.number == ownUser { return completion(true) }
    dialog.ask(question, for: busName, details: []) { completion($0 == .yes) }
  }
}

// MARK: Decisions of administrators

extension ConsentService {
  /// Switches location services on or off.
  ///
  /// - Throws: an error if the switch cannot be saved, or if the decisions, which take effect with it, cannot be read.
  public func setEnabled(_ isEnabled: Bool) throws(ConsentFailure) {
    try keep {
      if isEnabled { try readDecisions() }
      try file?.setEnabled(isEnabled)
    }
    isSwitchedOff = !isEnabled
    guard policy.isEnabled != isEnabled else { return }
    policy.isEnabled = isEnabled
    log.notice("location services switched \(isEnabled ? "on" : "off")")
    onChange()
  }

  /// Records a decision.
  ///
  /// - Parameter authorization: the decision; nil forgets it.
  public func decide(_ subject: Subject, _ authorization: Authorization?, by person: Person) throws(ConsentFailure) {
    let decision = authorization.map { Decision($0, by: .administrator(person.number), at: scheduler.wallClock) }
    try keep { try file?.set(decision, for: subject) }
    record(decision, for: subject)
    log.notice("\(text(subject)): \(authorization?.rawValue ?? "decision removed"), by user \(person.number)")
    onChange()
  }

  private func record(_ decision: Decision?, for subject: Subject) {
    policy.decisions[subject] = decision
    if file?.isUnreadable == true { unsaved.updateValue(decision, forKey: subject) }
  }

  private func keep(_ body: () throws -> Void) throws(ConsentFailure) {
    do {
      try body()
    } catch {
      throw ConsentFailure("the change was not saved: \(error)")
    }
  }

  private func text(_ subject: Subject) -> String { "\(subject.kind.rawValue) \(name(of: subject) ?? String(subject.number))" }
}

/// The reason why a decision is not in the file, and has no effect.
public struct ConsentFailure: Error {
  public let reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}
