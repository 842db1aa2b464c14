import Instants
import Regions
import Testing

@testable import MonitorConfiguration

/// Keys with another name in earlier versions, with names of the test.
@Suite struct RenamedKeyTests {
  private static let renamed = [
    RenamedKey(table: [], old: "tongue", new: "language", version: "0.3.0"),
    RenamedKey(table: ["region"], old: "silence", new: "exit-delay", version: "0.2.0"),
    RenamedKey(table: ["notifier", "target", "webhook"], old: "address", new: "url", version: "0.2.0"),
  ]

  private func document(_ texts: String...) throws(ConfigurationError) -> ConfigurationDocument {
    try MergedConfiguration(texts.enumerated().map { ("\($0).toml", $1) }, renamed: Self.renamed).document()
  }

  private static let region = "[[region]]\nidentifier = \"a\"\nuuid = \"\(galleryUUID)\"\n"

  @Test func `an old name works, with a warning that names both and its place`() throws {
    let document = try document("tongue = \"de\"\n" + Self.region + "silence = \"1m\"\n")
    #expect(document.configuration.languages == ["de"])
    #expect(document.configuration.regions.first?.beaconRegion?.exitDelay == .seconds(60))
    #expect(
      document.renamedKeys.map(\.warningLine) == [
        "0.toml:1: warning: tongue: is called language since version 0.3.0; rename it",
        "0.toml:5: warning: region: silence: is called exit-delay since version 0.2.0; rename it",
      ])
  }

  @Test func `both names in one table are an error`() {
    let error = #expect(throws: ConfigurationError.self) { try document("language = \"en\"\ntongue = \"de\"\n") }
    #expect(error?.description == "0.toml:2: tongue: is the former name of language, which is set in line 1 as well; remove tongue")
  }

  @Test func `a drop-in with the new name replaces a value with the old one, and the other way round`() throws {
    #expect(try document("tongue = \"de\"\n", "language = \"fr\"\n").configuration.languages == ["fr"])
    #expect(try document("language = \"de\"\n", "tongue = \"fr\"\n").configuration.languages == ["fr"])
    let override = "[[region]]\nidentifier = \"a\"\nsilence = \"2m\"\n"
    let document = try document(Self.region + "exit-delay = \"1m\"\n", override)
    #expect(document.configuration.regions.first?.beaconRegion?.exitDelay == .seconds(120))
    #expect(document.renamedKeys.map(\.file) == ["1.toml"])
  }

  @Test func `an old name in a nested table works`() throws {
    let document = try document("[[notifier.target]]\nname = \"a\"\nwebhook = { address = \"https://example.org\" }\n")
    #expect(document.configuration.notifier.targets.count == 1 && document.renamedKeys.count == 1)
  }

  @Test func `the new name of every renamed key of this version exists`() {
    for key in RenamedKey.ofConfiguration { #expect(ConfigurationSchema.paths.contains(key.table + [key.new]), "\(key)") }
  }
}
