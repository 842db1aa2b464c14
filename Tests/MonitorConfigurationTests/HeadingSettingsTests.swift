import Headings
import MonitorConfiguration
import Testing

/// The source of headings in a config.
@Suite struct HeadingSettingsTests {
  private func settings(_ text: String) throws -> HeadingSettings { try Configuration.parse(text: "[heading]\n" + text, name: "t").heading }

  @Test(arguments: HeadingSettings.Source.allCases)
  func `each source has a name`(source: HeadingSettings.Source) throws {
    let recording = source == .capture ? "\ncapture = \"walk.jsonl\"" : ""
    #expect(try settings("source = \"\(source.rawValue)\"" + recording).source == source)
  }

  @Test(arguments: AccelerationSign.allCases)
  func `each sign of accelerations has a name, and auto is the default`(sign: AccelerationSign) throws {
    #expect(try settings("acceleration-sign = \"\(sign.rawValue)\"").accelerationSign == sign)
    #expect(try settings("").accelerationSign == .auto)
  }

  @Test func `a recording has a path`() throws {
    #expect(try settings("source = \"capture\"\ncapture = \"walk.jsonl\"") == HeadingSettings(source: .capture, capture: "walk.jsonl"))
  }

  @Test(arguments: [
    ("source = \"capture\"", "source: requires a recording; write capture = \"walk.jsonl\""),
    ("source = \"capture\"\ncapture = \"\"", "capture: is empty; write capture = \"walk.jsonl\""),
    ("capture = \"walk.jsonl\"", "capture: has no effect; write source = \"capture\", or remove it"),
    ("source = \"nose\"", "source: \"nose\" is not a source of headings"),
    ("acceleration-sign = \"up\"", "acceleration-sign: \"up\" is not a sign of accelerations"),
  ])
  func `an error names the key and a remedy`(text: String, message: String) {
    let error = #expect(throws: ConfigurationError.self) { try settings(text) }
    #expect(error.map { "\($0)".contains(message) } == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test func `a recording that does not exist has a warning`() throws {
    let document = try ConfigurationDocument.parse(text: "[heading]\nsource = \"capture\"\ncapture = \"/nowhere/walk.jsonl\"", name: "t")
    #expect(
      document.machineWarnings(for: [.daemon], environment: [:]).map { "\($0)" } == [
        "t:3: heading: capture: there is no file /nowhere/walk.jsonl; check the path"
      ])
  }
}
