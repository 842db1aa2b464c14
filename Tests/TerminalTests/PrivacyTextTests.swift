import Consent
import Instants
import Status
import Terminal
import Testing

@Suite struct PrivacyTextTests {
  @Test func `the registrations are a table with user, region and reason, and idle ones are marked`() throws {
    func registration(_ identifier: String, isIdle: Bool) -> PrivacyStatus.Registration {
      var registration = PrivacyStatus.Registration()
      (registration.claim.user, registration.claim.userName) = (1000, "anna")
      (registration.claim.appID, registration.claim.purpose) = ("org.example.Guide", "Greets you")
      (registration.identifier, registration.isIdle) = (identifier, isIdle)
      registration.time = Instant(microseconds: 1_800_000_000_000_000)
      return registration
    }
    var status = PrivacyStatus()
    status.registrations = [registration("desk", isIdle: false), registration("hall", isIdle: true)]
    let lines = PrivacyText(style: plain).text(status).split(separator: "\n", omittingEmptySubsequences: false)
    let title = try #require(lines.firstIndex(of: "Registered"))
    #expect(
      lines[(title + 1)...(title + 3)] == [
        "  user  app                region       since                 purpose",
        "  anna  org.example.Guide  desk         2027-01-15 08:00:00Z  Greets you",
        "  anna  org.example.Guide  hall (idle)  2027-01-15 08:00:00Z  Greets you",
      ])
  }

  @Test func `decisions name users and groups, their permission and its author`() throws {
    func decision(_ kind: Subject.Kind, _ number: UInt64, _ name: String?) -> PrivacyStatus.Decision {
      var decision = PrivacyStatus.Decision()
      (decision.kind, decision.number, decision.name) = (kind, number, name)
      (decision.authorization, decision.decidedBy) = (kind == .user ? .whenInUse : .denied, .administrator)
      return decision
    }
    var status = PrivacyStatus()
    status.decisions = [decision(.user, 1000, "anna"), decision(.group, 50, nil)]
    let lines = PrivacyText(style: plain).text(status).split(separator: "\n", omittingEmptySubsequences: false)
    let title = try #require(lines.firstIndex(of: "Decided"))
    #expect(
      lines[(title + 1)...(title + 3)] == [
        "  who   may           by             since", "  anna  while in use  administrator  –", "  @50   no            administrator  –",
      ])
  }

  @Test func `a problem with the file of decisions is shown below the switch`() {
    var status = PrivacyStatus()
    (status.locationServices.isEnabled, status.locationServices.note) = (false, "it cannot be read")
    #expect(
      PrivacyText(style: plain).text(status).hasPrefix(
        "location services  off: sessions receive neither events nor locations\nit cannot be read\n\nDecided"))
  }
}
