import Instants

/// Decides which users may learn the location of the device. The first of these that applies takes precedence:
///
/// - the switch;
/// - a decision for the user;
/// - a decision for one of the user's groups, where denied takes precedence over allowed;
/// - the rules of the config in their order;
/// - membership of the insiders, which hear every event anyway.
public struct ConsentPolicy: Sendable {
  /// Whether location services are on. If not, every user is denied, whatever was decided.
  public var isEnabled = true
  public var rules: [ConsentRule]
  /// The user or group of each rule that names one; a rule whose name is missing here applies to no person.
  public var subjects: [ConsentRule.Subjects: Subject] = [:]
  public var decisions: [Subject: Decision]
  /// The users that may hear every event by the bus policy.
  public var insiders: Insiders

  public init(rules: [ConsentRule] = [], decisions: [Subject: Decision] = [:], insiders: Insiders) {
    self.rules = rules
    self.decisions = decisions
    self.insiders = insiders
  }

  /// The authorization of a user and its basis.
  public struct Verdict: Hashable, Sendable {
    public enum Basis: Hashable, Sendable {
      case switchedOff
      case decision(Subject, Decision)
      /// The index of the rule, counted from zero.
      case rule(Int)
      case insider
      /// No decision yet; an administrator or the user can be asked.
      case nothing
    }

    public var authorization: Authorization
    public var basis: Basis

    public init(authorization: Authorization, basis: Basis) {
      self.authorization = authorization
      self.basis = basis
    }

    /// Whether the user or an administrator can be asked for this use.
    /// True if there is no decision, or if the use is more than what is allowed. A denied user is not asked, and an allowed use needs no
    /// question.
    public func isOpen(for use: Use) -> Bool {
      basis == .nothing || authorization.covers(.whenInUse) && !authorization.covers(use)
    }
  }

  public func verdict(for person: Person) -> Verdict {
    guard isEnabled else { return Verdict(authorization: .denied, basis: .switchedOff) }
    if let decision = decisions[.user(person.number)] {
      return Verdict(authorization: decision.authorization, basis: .decision(.user(person.number), decision))
    }
    if let (subject, decision) = groupDecision(for: person) {
      return Verdict(authorization: decision.authorization, basis: .decision(subject, decision))
    }
    if let index = rules.firstIndex(where: { $0.subjects == .everyone || subjects[$0.subjects]?.includes(person) == true }) {
      return Verdict(authorization: rules[index].authorization, basis: .rule(index))
    }
    if insiders.contains(person) { return Verdict(authorization: .always, basis: .insider) }
    return Verdict(authorization: .notDetermined, basis: .nothing)
  }

  /// Returns a denial if there is one, or otherwise the widest authorization.
  private func groupDecision(for person: Person) -> (Subject, Decision)? {
    let found = person.groups.compactMap { group in decisions[.group(group)].map { (Subject.group(group), $0) } }
    return found.first { $0.1.authorization == .denied } ?? found.first { $0.1.authorization == .always } ?? found.first
  }
}

extension ConsentPolicy.Verdict {
  /// The reason for the authorization, and how to change it if the user is not allowed everything.
  public var reason: String {
    switch basis {
    case .switchedOff: "location services are switched off on this device; an administrator can switch them on with `beaconmon privacy on`"
    case .decision(.user, let decision): "\(Self.text(decision.authorization)) for this user\(remedy)"
    case .decision(.group, let decision): "\(Self.text(decision.authorization)) for one of this user's groups\(remedy)"
    case .rule(let index):
      "\(Self.text(authorization)) by rule \(index + 1) of [[privacy.rule]] in the config; an administrator can change it"
    case .insider: "permitted: root and the group of the service receive every event"
    case .nothing: "there is no decision about this user yet\(remedy)"
    }
  }

  /// The way to more; empty if there is no more.
  private var remedy: String {
    switch authorization {
    case .always: ""
    case .whenInUse: "; an administrator can permit more with `beaconmon privacy grant USER --always`"
    case .notDetermined, .denied: "; an administrator can permit it with `beaconmon privacy grant USER`"
    }
  }

  private static func text(_ authorization: Authorization) -> String {
    switch authorization {
    case .notDetermined: "not decided"
    case .denied: "denied"
    case .whenInUse: "permitted only while in use"
    case .always: "allowed"
    }
  }
}

/// A rule of the config about some users. It uses names, so that the same config serves many devices.
public struct ConsentRule: Hashable, Sendable {
  public enum Subjects: Hashable, Sendable {
    case everyone
    /// The name or the number of a user.
    case user(String)
    /// The name or the number of a group.
    case group(String)
  }

  public var subjects: Subjects
  /// The authorization, which may be denied.
  public var authorization: Authorization

  public init(_ subjects: Subjects, _ authorization: Authorization) {
    self.subjects = subjects
    self.authorization = authorization
  }
}

/// A decision about a user or a group.
public struct Decision: Hashable, Sendable {
  public enum Author: Hashable, Sendable {
    /// A user with the rights of an administrator, by user number.
    case administrator(UInt32)
    /// The user, as asked by polkit.
    case polkit
  }

  public var authorization: Authorization
  public var author: Author
  /// The time of the decision, since the Unix epoch.
  public var time: Instant

  public init(_ authorization: Authorization, by author: Author, at time: Instant) {
    self.authorization = authorization
    self.author = author
    self.time = time
  }
}
