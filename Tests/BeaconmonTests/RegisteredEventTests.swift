import Beaconmon
import FoundationEssentials
import TestSupport
import Testing

@Suite struct RegisteredEventTests {
  private static let journal = "0d7a9a3c-4d3c-4a0e-9e43-2f9c4d1b7a10"
  private static let beacon = "8ec76ea3-6668-48da-9866-75be8bc86f4d"

  /// The output of GLib 2.74, with a value of every D-Bus type.
  private static let printed = #"""
    {'sequence': <uint64 12>, 'event': <'enter'>, 'region': <"Anna's \"desk\" é\n\u200b">, 'time': <uint64 1600000005500000>, \#
    'state': <'inside'>, 'beacon': <{'uuid': <'\#(beacon)'>, 'major': <uint16 1>, 'minor': <uint16 65535>}>, 'rssi': <-61.0>, \#
    'x': <1.0000000000000001e+300>, 'reason': <@a{sv} {}>, 'durable': <true>, 'list': <@as []>, 't': <(3, 'a', @ay [])>, 'u': <(-3,)>, \#
    'n': <nan>, 'by': <b'ab'>, 'ab': <[byte 0x61, 0x62]>, 'h': <handle 3>, 'o': <objectpath '/a'>, 'journal': <'\#(journal)'>}
    """#

  @Test func `an event is read from the arguments that GLib prints`() throws {
    let event = try #require(RegisteredEvent(details: Self.printed))
    #expect(event.id.journal == UUID(uuidString: Self.journal) && event.id.sequence == 12)
    #expect(event.identifier == "Anna's \"desk\" é\n\u{200b}" && event.kind == .entered && event.state == .inside)
    #expect(event.date == Date(timeIntervalSince1970: 1_600_000_005.5))
    #expect(event.beacon?.description == "\(Self.beacon)/1/65535")
  }

  /// Bindings differ in their integer types.
  @Test(
    arguments: [
      ["sequence": UInt64(12), "time": UInt64(1_600_000_005_500_000), "major": UInt16(1), "minor": UInt16(2)],
      ["sequence": Int(12), "time": Int(1_600_000_005_500_000), "major": Int(1), "minor": Int32(2)],
    ] as [[String: any BinaryInteger & Sendable]])
  func `an event is read from a dictionary`(numbers: [String: any BinaryInteger & Sendable]) throws {
    var details: [String: Any] = [
      "event": "exit", "region": "desk", "state": "outside", "journal": Self.journal, "rssi": -61.5, "durable": true, "other": [1, 2],
      "reason": ["cause": "silence", "exitDelay": "30s", "lastSeenAge": 30.5] as [String: Any],
    ]
    details["sequence"] = numbers["sequence"]
    details["time"] = numbers["time"]
    details["beacon"] = ["uuid": Self.beacon, "major": numbers["major"] ?? 0, "minor": numbers["minor"] ?? 0] as [String: Any]
    let event = try #require(RegisteredEvent(details: details))
    #expect(event.id.sequence == 12 && event.identifier == "desk" && event.kind == .exited && event.state == .outside)
    #expect(event.beacon?.description == "\(Self.beacon)/1/2" && event.date == Date(timeIntervalSince1970: 1_600_000_005.5))
    #expect(event.reason.cause == .silence && event.reason.exitDelay == .seconds(30) && event.reason.lastSeenAge == .milliseconds(30_500))
    for key in ["sequence", "journal", "region", "event", "time"] {
      var less = details
      less[key] = nil
      #expect(RegisteredEvent(details: less) == nil, "\(key)")
    }
  }

  @Test func `the storey of a basement and the measurements are read from both forms`() throws {
    let text = """
      {'sequence': <uint64 1>, 'event': <'enter'>, 'region': <'vault'>, 'time': <uint64 1600000005500000>, 'state': <'inside'>, \
      'journal': <'\(Self.journal)'>, 'floor': <int64 -1>, 'levelName': <'Basement'>, 'rssi': <-61.5>, 'distance': <2.0>, \
      'accuracy': <0.5>, 'distanceMethod': <'bayesian'>, 'proximity': <'near'>, 'boundaryDistance': <-12.25>, \
      'beacon': <{'uuid': <'\(Self.beacon)'>, 'major': <uint16 1>, 'minor': <uint16 2>}>}
      """
    let details: [String: Any] = [
      "sequence": 1, "event": "enter", "region": "vault", "time": Int64(1_600_000_005_500_000), "state": "inside", "journal": Self.journal,
      "floor": Int64(-1), "levelName": "Basement", "rssi": -61.5, "distance": 2.0, "accuracy": 0.5, "distanceMethod": "bayesian",
      "proximity": "near", "boundaryDistance": -12.25, "beacon": ["uuid": Self.beacon, "major": 1, "minor": 2] as [String: Any],
    ]
    let measurement = BeaconMeasurement(rssi: -61.5, distance: 2, accuracy: 0.5, distanceMethod: .bayesian, proximity: .near)
    for event in [RegisteredEvent(details: text), RegisteredEvent(details: details)] {
      #expect(event?.floor == -1 && event?.levelName == "Basement" && event?.boundaryDistance == -12.25)
      #expect(event?.measurement == measurement)
    }
  }

  @Test(arguments: [
    "", "{", "{}", "@a{sv} {}", "[]", "'a'", "{'a'}", "{1: <2>}", "<{'a': <1>}>>", "{'a': <1>} 2", "{'a': <b>}", #"{'a': <'\u12'>}"#,
    String(repeating: "<", count: 100_000), String(repeating: "{'a': ", count: 100_000),
  ])
  func `malformed text is not an event`(text: String) {
    #expect(RegisteredEvent(details: text) == nil)
  }

  @Test(arguments: [1, UInt64.random(in: .min ... .max)])
  func `a truncated text is not an event, and a mutated one is read or rejected`(seed: UInt64) {
    print("variant fuzz seed \(seed)")
    let scalars = Array(Self.printed.unicodeScalars)
    for end in scalars.indices { #expect(RegisteredEvent(details: String(String.UnicodeScalarView(scalars[..<end]))) == nil) }
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      var mutated = scalars
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<mutated.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: mutated[place] = Unicode.Scalar(UInt8.random(in: 0...255, using: &random))
        case 1: mutated.remove(at: place)
        default: mutated.insert(Array("{}[]<>()'\":,@\\ub0".unicodeScalars).randomElement(using: &random) ?? "0", at: place)
        }
      }
      if let event = RegisteredEvent(details: String(String.UnicodeScalarView(mutated))) {
        #expect(event.id.journal.uuidString.count == 36, "seed \(seed)")
      }
    }
  }
}
