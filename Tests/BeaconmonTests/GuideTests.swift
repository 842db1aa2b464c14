import Foundation
import TestSupport
import Testing

/// The examples in the guides are those that are compiled here.
@Suite struct GuideTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  @Test(arguments: ["Docs/guides/porting-from-core-location.md", "Docs/guides/waking-your-app.md"])
  func `the code of a guide compiles`(guide: String) throws {
    let text = try String(contentsOf: Self.folder.appendingPathComponent("../../\(guide)"), encoding: .utf8)
    let snippets = Self.folder.appendingPathComponent("Snippets")
    let compiled = try FileManager.default.contentsOfDirectory(at: snippets, includingPropertiesForKeys: nil)
      .map { try String(contentsOf: $0, encoding: .utf8) }
    // Code for Core Location cannot be compiled here. ExampleTests builds a whole package, because only a main file may have statements
    // outside of a function.
    let shown = text.matches(of: /(?s)```swift\n(.*?)```/).map { String($0.output.1) }
      .filter { !$0.contains("CoreLocation") && !$0.contains(".package(") && !$0.contains("\ntry await ") }
    #expect(!shown.isEmpty)
    for snippet in shown { #expect(compiled.contains { $0.contains(snippet) }, "\(snippet)") }
  }
}
