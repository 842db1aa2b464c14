import Instants
import Records
import Terminal
import Testing

@Suite struct PrivacyTextTests {
  @Test func `the registrations are a table with user, region and reason, and idle ones are marked`() throws {
    func registration(_ identifier: String, isIdle: Bool) -> Record {
      Record([
        "user": .count(1000), "userName": .text("anna"), "appId": .text("org.example.Guide"), "purpose": .text("Greets you"),
        "identifier": .text(identifier), "time": .time(Instant(microseconds: 1_800_000_000_000_000)), "idle": .flag(isIdle),
      ])
    }
    let text = PrivacyText(style: plain).text(
      isEnabled: true, note: nil, decisions: [], requests: [], uses: [],
      registrations: [registration("desk", isIdle: false), registration("hall", isIdle: true)])
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let title = try #require(lines.firstIndex(of: "Registered"))
    #expect(
      lines[(title + 1)...(title + 3)] == [
        "  user  app                region       since                 purpose",
        "  anna  org.example.Guide  desk         2027-01-15 08:00:00Z  Greets you",
        "  anna  org.example.Guide  hall (idle)  2027-01-15 08:00:00Z  Greets you",
      ])
  }

  @Test func `trouble with the file of decisions is shown below the switch`() {
    let text = PrivacyText(style: plain).text(
      isEnabled: false, note: "it cannot be read", decisions: [], requests: [], uses: [], registrations: [])
    #expect(text.hasPrefix("location services  off: sessions receive neither events nor locations\nit cannot be read\n\nDecided"))
  }
}
