import MonitorConfiguration
import Regions
import TestSupport
import Testing

@Suite struct ConfigurationFuzzTests {
  private static let tokens = [
    "[", "]", "[[", "]]", "{", "}", "=", ",", ".", "\"", "'", "\"\"\"", "'''", "\\", "\\u0000", "\\U0010FFFF", "\\uD800", "#", "\n", "\r\n",
    "\r", "\t", "\0", "true", "nan", "-inf", "0x7fffffffffffffff", "-9223372036854775808", "1e400", "1979-05-27T07:32:00Z", "{{", "é",
    "\u{FEFF}",
    "[[region]]\n", "identifier = \"entrance\"\n", "\"1s\"", "\"99999999999999999d\"", "[1, \"a\", {}]", "major = 65535\n", "region = 1\n",
  ]

  /// The shipped example with a few random edits is accepted, or refused with messages of one line each.
  @Test(arguments: [1, 2, UInt64.random(in: .min ... .max)])
  func `a mutated file is accepted or refused with messages of one line`(seed: UInt64) throws {
    print("configuration fuzz seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let example = Array(try ShippedConfiguration.uncommented().split(separator: "\n").filter { !$0.hasPrefix("#") }.joined(separator: "\n"))
    for round in 0..<200 {
      var text = example
      for _ in 0..<Int.random(in: 1...4, using: &random) { mutate(&text, using: &random) }
      do throws(ConfigurationError) {
        let configuration = try Configuration.parse(text: String(text), name: "t")
        #expect(Set(configuration.regions.map(\.identifier)).count == configuration.regions.count, "seed \(seed) round \(round)")
      } catch {
        for line in error.description.split(separator: "\n", omittingEmptySubsequences: false) {
          #expect(line.wholeMatch(of: /t:[1-9][0-9]*(:[1-9][0-9]*)?: [^\p{Cc}]+/) != nil, "seed \(seed) round \(round): \(line)")
        }
      }
    }
  }

  private func mutate(_ text: inout [Character], using random: inout SeededGenerator) {
    let place = Int.random(in: 0...text.count, using: &random)
    let end = Swift.min(text.count, place + Int.random(in: 0...12, using: &random))
    switch Int.random(in: 0..<4, using: &random) {
    case 0: text.removeSubrange(place..<end)
    case 1: text.insert(contentsOf: text[place..<end], at: Int.random(in: 0...text.count, using: &random))
    case 2: text.replaceSubrange(place..<end, with: Self.tokens.randomElement(using: &random) ?? "")
    default: text.insert(contentsOf: Self.tokens.randomElement(using: &random) ?? "", at: place)
    }
  }

  /// Random text that never was a configuration.
  @Test(arguments: [3, UInt64.random(in: .min ... .max)])
  func `noise is accepted or refused`(seed: UInt64) {
    print("configuration noise seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<1000 {
      let text = (0..<Int.random(in: 0...30, using: &random)).map { _ in Self.tokens.randomElement(using: &random) ?? "" }.joined()
      do throws(ConfigurationError) { _ = try Configuration.parse(text: text, name: "t") } catch {
        #expect(error.description.hasPrefix("t:"), "seed \(seed)")
      }
    }
  }
}
