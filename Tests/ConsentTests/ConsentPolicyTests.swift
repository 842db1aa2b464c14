import Consent
import Instants
import Testing

@Suite struct ConsentPolicyTests {
  private let anna = Person(1000, groups: [1000, 50, 60])
  private let policy = ConsentPolicy(insiders: Insiders(user: 990, group: 991))

  private func decided(_ authorization: Authorization) -> Decision {
    Decision(authorization, by: .administrator(0), at: Instant(microseconds: 1))
  }

  @Test func `the authorization of a user without decision or rule is undetermined`() {
    #expect(policy.verdict(for: anna) == .init(authorization: .notDetermined, basis: .nothing))
  }

  @Test(arguments: [Person(0), Person(990), Person(1000, groups: [991])])
  func `an insider is always authorized`(person: Person) {
    #expect(policy.verdict(for: person) == .init(authorization: .always, basis: .insider))
  }

  @Test func `the first matching rule decides`() {
    var policy = policy
    policy.rules = [.init(.user("ben"), .always), .init(.group("staff"), .whenInUse), .init(.everyone, .denied)]
    policy.subjects = [.user("ben"): .user(1001), .group("staff"): .group(50)]
    #expect(policy.verdict(for: anna) == .init(authorization: .whenInUse, basis: .rule(1)))
    #expect(policy.verdict(for: Person(1001)).authorization == .always)
    #expect(policy.verdict(for: Person(1002)).authorization == .denied)
  }

  @Test func `a rule for a user or group that the system does not know applies to no person`() {
    var policy = policy
    policy.rules = [.init(.user("anna"), .denied), .init(.group("staff"), .denied)]
    #expect(policy.verdict(for: anna) == .init(authorization: .notDetermined, basis: .nothing))
  }

  @Test func `a decision takes precedence over the rules, and a user's decision over a group's`() {
    var policy = policy
    policy.rules = [.init(.everyone, .always)]
    policy.decisions = [.group(50): decided(.denied)]
    #expect(policy.verdict(for: anna).authorization == .denied)
    policy.decisions[.user(1000)] = decided(.whenInUse)
    #expect(policy.verdict(for: anna) == .init(authorization: .whenInUse, basis: .decision(.user(1000), decided(.whenInUse))))
  }

  @Test(arguments: [
    (Authorization.always, "allowed for this user"),
    (
      .whenInUse, "permitted only while in use for this user; an administrator can permit more with `beaconmon privacy grant USER --always`"
    ),
    (.denied, "denied for this user; an administrator can permit it with `beaconmon privacy grant USER`"),
  ])
  func `a reason says how to get more, unless everything is allowed`(authorization: Authorization, reason: String) {
    var policy = policy
    policy.decisions = [.user(1000): decided(authorization)]
    #expect(policy.verdict(for: anna).reason == reason)
    policy.decisions = [.group(50): decided(authorization)]
    #expect(policy.verdict(for: anna).reason == reason.replacing("this user", with: "one of this user's groups", maxReplacements: 1))
  }

  @Test func `of the decisions for several groups, a denial takes precedence, and then the wider permission`() {
    var policy = policy
    policy.decisions = [.group(50): decided(.whenInUse), .group(60): decided(.always)]
    #expect(policy.verdict(for: anna).authorization == .always)
    policy.decisions[.group(1000)] = decided(.denied)
    #expect(policy.verdict(for: anna).authorization == .denied)
  }

  @Test func `the switch takes precedence over all rules and decisions`() {
    var policy = policy
    policy.isEnabled = false
    policy.decisions = [.user(0): decided(.always)]
    for person in [anna, Person(0)] {
      #expect(policy.verdict(for: person) == .init(authorization: .denied, basis: .switchedOff))
    }
  }

  @Test func `an insider can be denied`() {
    var policy = policy
    policy.decisions = [.user(0): decided(.denied)]
    #expect(policy.verdict(for: Person(0)).authorization == .denied)
  }

  @Test func `a dialog is possible without a decision, or for more than was granted`() {
    var policy = policy
    #expect(policy.verdict(for: anna).isOpen(for: .whenInUse) && policy.verdict(for: anna).isOpen(for: .always))
    for (authorization, isOpenForAlways) in [(Authorization.denied, false), (.whenInUse, true), (.always, false)] {
      policy.decisions = [.user(1000): decided(authorization)]
      #expect(!policy.verdict(for: anna).isOpen(for: .whenInUse))
      #expect(policy.verdict(for: anna).isOpen(for: .always) == isOpenForAlways)
    }
    policy.decisions = [:]
    policy.isEnabled = false
    #expect(!policy.verdict(for: anna).isOpen(for: .whenInUse))
  }

  @Test(arguments: [
    (Authorization.notDetermined, false, false), (.denied, false, false), (.whenInUse, true, false), (.always, true, true),
  ])
  func `an authorization covers itself and lesser requests`(authorization: Authorization, inUse: Bool, always: Bool) {
    #expect(authorization.covers(.whenInUse) == inUse)
    #expect(authorization.covers(.always) == always)
  }
}
