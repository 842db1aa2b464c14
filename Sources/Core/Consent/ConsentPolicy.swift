/// Who may learn where this device is. The first that says something decides: the switch; what was decided for the user; for one of the user's
/// groups, where a no goes before a yes; the rules of the config in their order; and membership of those who hear every event anyhow.
public struct ConsentPolicy: Sendable {
  /// Off: nobody is told anything, whatever was decided.
  public var isEnabled = true
  public var rules: [ConsentRule]
  public var decisions: [Subject: Decision]
  /// Those whom the bus' policy lets hear every event: root, the service's own user and its group.
  public var insiders: Set<Subject>

  public init(rules: [ConsentRule] = [], decisions: [Subject: Decision] = [:], insiders: Set<Subject> = []) {
    self.rules = rules
    self.decisions = decisions
    self.insiders = insiders
  }

  /// What was decided for a user, and by what.
  public struct Verdict: Hashable, Sendable {
    public enum Basis: Hashable, Sendable {
      case switchedOff
      case decision(Subject, Decision)
      /// Counted from zero.
      case rule(Int)
      case insider
      /// Nobody has decided; somebody can be asked.
      case nothing
    }

    public var authorization: Authorization
    public var basis: Basis

    public init(authorization: Authorization, basis: Basis) {
      self.authorization = authorization
      self.basis = basis
    }

    /// Whether somebody can be asked for it: nobody has decided, or it is more than was allowed. A no is not asked about, and what is allowed need not be.
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
    if let index = rules.firstIndex(where: { $0.applies(to: person) }) {
      return Verdict(authorization: rules[index].authorization, basis: .rule(index))
    }
    if isInsider(person) { return Verdict(authorization: .always, basis: .insider) }
    return Verdict(authorization: .notDetermined, basis: .nothing)
  }

  public func isInsider(_ person: Person) -> Bool { insiders.contains { $0.includes(person) } }

  /// A no before a yes, and the farthest yes.
  private func groupDecision(for person: Person) -> (Subject, Decision)? {
    let found = person.groups.compactMap { group in decisions[.group(group.number)].map { (Subject.group(group.number), $0) } }
    return found.first { $0.1.authorization == .denied } ?? found.first { $0.1.authorization == .always } ?? found.first
  }
}

extension ConsentPolicy.Verdict {
  /// Why it is not more, and what would change it, for the one who was refused.
  public var reason: String {
    switch basis {
    case .switchedOff: "location services are switched off on this device; an administrator switches them on with `beaconmon privacy on`"
    case .decision(.user, let decision): "\(Self.text(decision.authorization)) for this user; \(remedy)"
    case .decision(.group, let decision): "\(Self.text(decision.authorization)) for one of this user's groups; \(remedy)"
    case .rule(let index):
      "\(Self.text(authorization)) by rule \(index + 1) of [[privacy.rule]] in the config; an administrator can change it"
    case .insider: "allowed: root and the service's group hear every event"
    case .nothing: "nobody has decided about this user yet; \(remedy)"
    }
  }

  private var remedy: String {
    authorization == .whenInUse
      ? "an administrator allows more with `beaconmon privacy grant USER --always`"
      : "an administrator allows it with `beaconmon privacy grant USER`"
  }

  private static func text(_ authorization: Authorization) -> String {
    switch authorization {
    case .notDetermined: "not decided"
    case .denied: "denied"
    case .whenInUse: "allowed while in use only"
    case .always: "allowed"
    }
  }
}
