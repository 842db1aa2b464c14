import Testing
import Venues

@Suite struct LocalizedTextTests {
  private static let title: LocalizedText = ["en": "Lodestone", "de": "Magnetstein", "de-AT": "Magnetit", "pt-BR": "Magnetita"]

  @Test(arguments: [
    (["de"], "Magnetstein"), (["de-CH", "en"], "Magnetstein"), (["DE-at"], "Magnetit"), (["de-AT-1996"], "Magnetit"),
    (["pt"], "Magnetita"), (["pt-PT", "de"], "Magnetita"), (["fr", "de"], "Magnetstein"), (["fr"], "Lodestone"), ([], "Lodestone"),
    (["*", "de"], "Magnetstein"), (["de-x-private"], "Magnetstein"), ([""], "Lodestone"), (["-"], "Lodestone"), (["d"], "Lodestone"),
  ])
  func `a reader gets the best language of the text`(_ preferred: [String], _ text: String) {
    #expect(Self.title.text(preferring: preferred) == text)
  }

  @Test func `a text without a language suits every reader`() {
    #expect(LocalizedText("Lodestone").text(preferring: ["de"]) == "Lodestone")
    #expect(LocalizedText().text(preferring: ["de"]) == nil)
    #expect(LocalizedText().isEmpty)
  }

  @Test func `a repeated language keeps its first text`() {
    let text: LocalizedText = ["en": "one", "EN": "two"]
    #expect(text.versions == [.init(language: "en", text: "one")])
  }

  @Test(arguments: [
    ("de_CH.UTF-8", ["de-CH"]), ("de_CH:en", ["de-CH", "en"]), ("C", []), ("C.UTF-8", []), ("POSIX", []), ("", []),
    ("sr_RS@latin", ["sr-RS"]),
  ])
  func `a locale of the environment gives language tags`(_ locale: String, _ tags: [String]) {
    #expect(LocalizedText.languages(ofLocale: locale) == tags)
  }
}
