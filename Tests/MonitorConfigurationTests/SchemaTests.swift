import Beacons
import ConfigurationTree
import Foundation
import Instants
import TestSupport
import Testing

@testable import MonitorConfiguration

/// The JSON Schema for editors, `config/beaconmon.schema.json`.
@Suite struct SchemaTests {
  private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
  private static let file = repository.appending(path: "config/beaconmon.schema.json")

  private static func manual() throws -> ManualDescriptions {
    ManualDescriptions(page: try String(contentsOf: repository.appending(path: "Docs/man/beaconmon.toml.5"), encoding: .utf8))
  }

  /// `make schema` writes the file.
  @Test func `the schema in the repository has the keys of the reader and the texts of the manual`() throws {
    let manual = try Self.manual()
    let schema = ConfigurationSchema.json(title: "beaconmon.toml", describe: manual.text)
    if ProcessInfo.processInfo.environment["BEACONMON_WRITE_SCHEMA"] != nil { try Data(schema.utf8).write(to: Self.file) }
    let shipped = try String(contentsOf: Self.file, encoding: .utf8)
    #expect(shipped == schema, "run \"make schema\"")
  }

  @Test func `the manual explains every key, and every key that it explains exists`() throws {
    let manual = try Self.manual()
    for path in ConfigurationSchema.paths { #expect(manual.text(path) != nil, "\(path)") }
    let known = Set(ConfigurationSchema.paths)
    for path in manual.texts.keys where !path.isEmpty && path[0] != "venue" { #expect(known.contains(path), "\(path)") }
  }

  @Test func `every value has a form`() {
    func check(_ keys: KeyRecorder, _ path: [String]) {
      for (key, entry) in keys.entries {
        switch entry {
        case .value(.any, _): Issue.record("\(path + [key]) has no form")
        case .value: break
        case .table(let table, _): check(table, path + [key])
        case .tables(let kinds, _): for kind in kinds { check(kind, path + [key]) }
        }
      }
    }
    check(KeyRecorder.ofConfiguration(), [])
  }

  // MARK: Agreement

  /// A table with one key that is tried, and the keys that the reader requires beside it.
  private struct Envelope {
    let header: String
    let path: [String]
    let kind: Int
    let lines: [(key: String, toml: String)]

    init(_ header: String, _ path: [String], kind: Int = 0, _ lines: KeyValuePairs<String, String>) {
      (self.header, self.path, self.kind, self.lines) = (header, path, kind, lines.map { (key: $0.key, toml: $0.value) })
    }

    func text(_ key: String, _ value: String) -> String {
      let rest = lines.filter { $0.key != key }.map { "\($0.key) = \($0.toml)\n" }.joined()
      return header + rest + "\(key) = \(value)\n"
    }
  }

  private static let uuid = "\"\(galleryUUID)\""
  private static let envelopes = [
    Envelope("", [], [:]),
    Envelope("[ranging]\n", ["ranging"], [:]), Envelope("[journal]\n", ["journal"], [:]), Envelope("[notifier]\n", ["notifier"], [:]),
    Envelope("[[adapter]]\n", ["adapter"], ["address": "\"00:1A:7D:DA:71:13\""]),
    Envelope("[[beacon]]\n", ["beacon"], ["uuid": uuid, "major": "1", "minor": "1", "rssi-offset": "1"]),
    Envelope(
      "[[region]]\n", ["region"],
      ["identifier": "\"a\"", "uuid": uuid, "major": "1", "within": "0.1", "enter-sightings": "2"]),
    Envelope("[[region]]\n", ["region"], kind: 1, ["identifier": "\"a\"", "place": "\"room\""]),
    Envelope(
      "[[region]]\n", ["region"], kind: 2,
      ["identifier": "\"a\"", "latitude": "1", "longitude": "1", "radius": "50", "scan-only-near": "true"]),
    Envelope("[[place]]\n", ["place"], ["name": "\"a\"", "latitude": "1", "longitude": "1", "radius": "50"]),
    Envelope("[[advertise]]\n", ["advertise"], ["uuid": uuid, "major": "1", "minor": "1"]),
    Envelope("[location.gpsd]\n", ["location", "gpsd"], [:]),
    Envelope("[location.nmea]\n", ["location", "nmea"], ["device": "\"/dev/a\""]),
    Envelope("[location.fixed]\n", ["location", "fixed"], ["latitude": "1", "longitude": "1"]),
    Envelope("[[privacy.rule]]\n", ["privacy", "rule"], ["allow": "\"never\""]),
    Envelope("[[notifier.target]]\n", ["notifier", "target"], ["name": "\"a\"", "command": "[\"a\"]"]),
    Envelope(
      "[[notifier.target]]\nname = \"a\"\n[notifier.target.webhook]\n", ["notifier", "target", "webhook"],
      ["url": "\"https://example.org\""]),
    Envelope(
      "[[notifier.target]]\nname = \"a\"\n[notifier.target.mqtt]\n", ["notifier", "target", "mqtt"],
      ["host": "\"a\"", "tls": "true", "username": "\"a\"", "beacons": "true"]),
    Envelope("[[notifier.action]]\n", ["notifier", "action"], ["command": "[\"a\"]"]),
  ]

  /// Returns the recording of a table.
  private static func keys(_ path: [String], kind: Int) -> KeyRecorder {
    path.reduce(KeyRecorder.ofConfiguration()) { keys, name in
      switch keys.entries[name] {
      case .table(let table, _)?: table
      case .tables(let kinds, _)?: kinds[name == path.last ? kind : 0]
      default: keys
      }
    }
  }

  /// Returns values that the form permits, at its limits, and values that it refuses, as close to them as possible.
  private static func values(_ form: ValueForm) -> (good: [String], bad: [String]) {
    switch form {
    case .flag: return (["true", "false"], ["\"true\"", "1"])
    case .integer(let range):
      let (least, most) = (range.lowerBound, range.upperBound)
      return (["\(least)", "\(most)", "\(least + (most - least) / 2)"], ["\(least - 1)", "\(most + 1)", "\"1\"", "\(least).5"])
    case .number(let range):
      let (least, most) = (range.lowerBound, range.upperBound)
      return (["\(least)", "\(most)", "\((least + most) / 2)"], ["\(least - 0.002)", "\(most + 0.002)", "\"1\""])
    case .oneOf(let numbers): return (numbers.map { "\($0)" }, ["\((numbers.last ?? 0) + 1)", "\"1\""])
    case .uuid: return ([uuid, uuid.uppercased()], ["\"8ec76ea3\"", "\"8ec76ea3-6668-48da-9866-75be8bc86f4x\"", "1"])
    case .address: return (["\"00:1a:7D:DA:71:13\""], ["\"hci0\"", "\"00:1A:7D:DA:71\"", "1"])
    case .duration(let range):
      let (least, most) = (range.lowerBound, range.upperBound)
      let good = [least.text, most.text, "00" + most.text, milliseconds(least, 0), milliseconds(most, 0)]
      let below = least > .zero ? [milliseconds(least, -1)] : []
      let bad = below + [milliseconds(most, 1), "5 years", "30", "-1s"]
      return (good.map(quoted), bad.map(quoted) + ["30"])
    case .size(let range):
      let (least, most) = (range.lowerBound, range.upperBound)
      let good = [DataSize(octets: least).text, DataSize(octets: most).text, "\(least)B", "\(most)B"]
      return (good.map(quoted), ["\(least - 1)B", "\(most + 1)B", "1.5GiB", "64"].map(quoted) + ["64"])
    case .choice(let names): return (names.map(quoted), ["\"nonsense\"", "1"])
    case .text(let length, nil) where length.upperBound <= 300:
      let (longest, tooLong) = (String(repeating: "a", count: length.upperBound), String(repeating: "a", count: length.upperBound + 1))
      return (["a", longest].map(quoted), [quoted(tooLong), "1"] + (length.lowerBound > 0 ? ["\"\""] : []))
    case .text(_, nil): return (["\"a\""], ["1"])
    case .text, .url, .header: return ([], ["1", "true"])
    case .time: return ([], [])
    case .list, .oneKey, .map, .either, .any: return ([], ["1979-05-27", "-7"])
    }
  }

  private static func quoted(_ text: String) -> String { "\"\(text)\"" }

  private static func milliseconds(_ span: Span, _ difference: Int64) -> String { "\(span.microseconds / 1000 + difference)ms" }

  /// Returns whether the schema accepts each text, by Python's reader of TOML and its validator of JSON Schema.
  private func schemaAccepts(_ texts: [String]) throws -> [Bool] {
    let script = """
      import json, sys, tomllib, jsonschema
      validator = jsonschema.Draft7Validator(json.load(open(sys.argv[1])))
      jsonschema.Draft7Validator.check_schema(validator.schema)
      for line in sys.stdin: print(int(validator.is_valid(tomllib.loads(bytes.fromhex(line.strip()).decode()))))
      """
    let folder = try TemporaryDirectory()
    let input = folder.file("texts")
    try texts.map { text in text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\n" }.joined()
      .write(toFile: input, atomically: true, encoding: .utf8)
    let output = Pipe()
    let python = try Child(
      "/usr/bin/env", ["python3", "-c", script, Self.file.path], input: .file(try FileHandle(forReadingFrom: URL(fileURLWithPath: input))),
      output: .pipe(output))
    let answer = try output.fileHandleForReading.readToEnd() ?? Data()
    #expect(python.wait() == 0)
    return String(decoding: answer, as: UTF8.self).split(separator: "\n").map { $0 == "1" }
  }

  private func readerAccepts(_ text: String) -> Bool {
    do throws(ConfigurationError) { _ = try Configuration.parse(text: text, name: "t") } catch { return false }
    return true
  }

  @Test func `the reader and the schema accept the same values at, below and above every limit`() throws {
    var texts: [(text: String, isGood: Bool)] = []
    for envelope in Self.envelopes {
      let keys = Self.keys(envelope.path, kind: envelope.kind)
      texts.append((envelope.text("nonsense", "1"), false))
      for key in keys.keys {
        guard case .value(let form, _)? = keys.entries[key] else { continue }
        let (good, bad) = Self.values(form)
        // These have rules beyond their form, which other suites try.
        let isAlone =
          !["region", "target", "address", "log", "language", "group", "user"].contains(key) && !(key == "level" && envelope.kind == 1)
        texts += (isAlone ? good : []).map { (envelope.text(key, $0), true) } + bad.map { (envelope.text(key, $0), false) }
      }
    }
    #expect(texts.count > 200)
    let schema = try schemaAccepts(texts.map(\.text))
    try #require(schema.count == texts.count)
    for ((text, isGood), accepts) in zip(texts, schema) {
      #expect(readerAccepts(text) == isGood, "\(text)")
      #expect(accepts == isGood, "\(text)")
    }
  }

  @Test func `every shipped config is valid by the schema`() throws {
    let examples = try FileManager.default.subpathsOfDirectory(atPath: Self.repository.appending(path: "Docs/examples").path)
      .filter { $0.hasSuffix("beaconmon.toml") }.map { "Docs/examples/\($0)" }
    let texts = try (["config/beaconmon.toml"] + examples).map {
      try String(contentsOf: Self.repository.appending(path: $0), encoding: .utf8)
    }
    #expect(try schemaAccepts(texts + [ShippedConfiguration.uncommented()]).allSatisfy { $0 })
  }

  // MARK: Patterns

  @Test(arguments: [1, UInt64.random(in: .min ... .max)])
  func `a pattern of numbers matches exactly the numbers of its range`(seed: UInt64) throws {
    print("pattern seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<60 {
      let first = Int.random(in: 0...Int.random(in: 0...5000, using: &random), using: &random)
      let last = first + Int.random(in: 0...Int.random(in: 0...5000, using: &random), using: &random)
      let pattern = try Regex("(\(QuantityPattern.integers(first, last)))")
      for number in [0, 1, 9, 10, 99, 100, first - 1, first, first + 1, (first + last) / 2, last - 1, last, last + 1, last * 10]
      where number >= 0 {
        #expect(
          ("\(number)".wholeMatch(of: pattern) != nil) == (first...last).contains(number), "\(number) in \(first)...\(last), seed \(seed)")
      }
    }
  }
}
