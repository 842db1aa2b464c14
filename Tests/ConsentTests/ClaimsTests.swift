import Consent
import Testing

@Suite struct ClaimsTests {
  @Test(arguments: ["Shows the exhibit you stand at", "é", String(repeating: "a", count: 200), "Führt durch das Museum 🖼"])
  func `a purpose is a line of text`(text: String) {
    #expect(Purpose(text)?.description == text)
  }

  @Test(arguments: [
    "", "  ", "a\nb", "\u{1B}[2J", "a\u{202E}b", "\u{0}", String(repeating: "a", count: 201),
    "a" + String(repeating: "\u{301}", count: 1000),
  ])
  func `text that cannot be shown on one line is not a purpose`(text: String) {
    #expect(Purpose(text) == nil)
  }

  @Test(arguments: ["org.example.Guide", "a.b", "org.example_2.Guide-Book"])
  func `a valid bus name is a valid app id`(text: String) {
    #expect(AppID(text)?.description == text)
  }

  @Test(arguments: ["", "guide", ".a.b", "a..b", "a.b.", "a.1b", "a.b c", "a.ü", "a.b/c", "org." + String(repeating: "a", count: 252)])
  func `any other name is not a valid app id`(text: String) {
    #expect(AppID(text) == nil)
  }
}
