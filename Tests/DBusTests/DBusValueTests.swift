import DBus
import EventLoop
import Instants
import TestSupport
import Testing

@Suite struct DBusValueTests {
  private static let everything: [DBusValue] = [
    .byte(7), .boolean(true), .int16(-2), .uint16(65535), .int32(-70000), .uint32(4_000_000_000), .int64(-5_000_000_000),
    .uint64(18_000_000_000_000_000_000), .double(-59.5), .string("Grüße 🐦"), .objectPath("/org/example"), .signature("a{sv}"),
    .bytes([2, 21, 255]), .strings(["a", ""]), .array(of: "(ii)", []),
    .dictionary(key: "q", value: "ay", [.init(.uint16(76), .bytes([1]))]),
    .structure([.string("x"), .array(of: "as", [.strings(["y"])])]), .variant(.variant(.int32(1))), .options(["k": .byte(1)]),
  ]

  /// The text of `everything` in busctl's notation, which writes octets beyond ASCII in octal.
  private static let text = [
    "ybnqiuxtdsogayasa(ii)a{qay}(saas)va{sv}", "7", "true", "-2", "65535", "-70000", "4000000000", "-5000000000",
    "18000000000000000000", "-59.5", #""Gr\303\274\303\237e \360\237\220\246""#, "\"/org/example\"", "\"a{sv}\"", "3 2 21 255",
    "2 \"a\" \"\"", "0", "1 76 1 1",
    "\"x\" 1 1 \"y\"", "v i 1", "1 \"k\" y 1",
  ].joined(separator: " ")

  @Test func `every type is written as other programs read it`() throws {
    let fixture = try BusFixture()
    let tree = ObjectTree(connection: fixture.connection)
    let outputs = Self.everything.enumerated().map { DBusArgument("value\($0.offset)", $0.element.signature) }
    let method = DBusMethod("Tell", out: outputs) { _ in Self.everything }
    let object = try tree.export("/a", [DBusInterface("org.example.Types", methods: [method])])
    let text = try fixture.busctl("call", fixture.connection.uniqueName ?? "", "/a", "org.example.Types", "Tell")
    #expect(text == Self.text + "\n")
    withExtendedLifetime(object) {}
  }

  @Test func `every type is read as other programs write it`() throws {
    let fixture = try BusFixture()
    let tree = ObjectTree(connection: fixture.connection)
    var heard: [DBusValue] = []
    let inputs = Self.everything.enumerated().map { DBusArgument("value\($0.offset)", $0.element.signature) }
    let method = DBusMethod("Hear", in: inputs) { call in
      heard = call.arguments
      return []
    }
    let object = try tree.export("/a", [DBusInterface("org.example.Types", methods: [method])])
    let words = [
      "ybnqiuxtdsogayasa(ii)a{qay}(saas)va{sv}", "7", "true", "-2", "65535", "-70000", "4000000000", "-5000000000",
      "18000000000000000000", "-59.5", "Grüße 🐦", "/org/example", "a{sv}", "3", "2", "21", "255", "2", "a", "", "0", "1", "76", "1", "1",
      "x", "1", "1", "y", "v", "i", "1", "1", "k", "y", "1",
    ]
    let text = try fixture.loop.result(
      of: [
        "busctl", "--address=\(fixture.bus.address)", "call", "--", fixture.connection.uniqueName ?? "", "/a", "org.example.Types", "Hear",
      ]
        + words
    ).output.text
    #expect(text.isEmpty)
    #expect(heard == Self.everything)
    withExtendedLifetime(object) {}
  }

  @Test func `a NUL in text becomes a replacement character`() throws {
    let fixture = try BusFixture()
    let text = try fixture.monitored("type='signal',interface='org.example.Nul'") {
      try fixture.connection.emit(path: "/", interface: "org.example.Nul", member: "Text", [.string("a\0b")])
    }
    #expect(text.contains("string \"a\u{FFFD}b\""))
  }

  @Test func `accessors look through variants and return nil for other types`() {
    let options = DBusValue.options(["rssi": .int16(-59), "uuids": .strings(["a"]), "data": .variant(.bytes([1]))])
    #expect(options["rssi"]?.integer() == -59)
    #expect(options["rssi"]?.integer(UInt8.self) == nil)
    #expect(options["rssi"]?.string == nil)
    #expect(options["uuids"]?.strings == ["a"])
    #expect(options["data"]?.bytes == [1])
    #expect(options["other"] == nil)
    #expect(DBusValue.string("x")["key"] == nil)
    #expect(DBusValue.array(of: "v", [.variant(.byte(1)), .variant(.string("x"))]).strings == nil)
  }

  @Test(arguments: [
    ("", "_"), ("shop1", "shop1"), ("a b", "a_20b"), ("_", "_5f"), ("é", "_c3_a9"), ("\0", "_00"), ("../x", "_2e_2e_2fx"),
  ])
  func `every text has its own path element`(text: String, element: String) throws {
    #expect(ObjectPath.element(for: text) == element)
  }

  @Test func `random values either pass the bus or are rejected`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let fixture = try BusFixture()
    let peer = try fixture.connect()
    var received = 0
    let subscription = peer.addMatch(MatchRule(interface: "org.example.Fuzz")) { _ in received += 1 }
    let ping: (@escaping (Bool) -> Void) -> Void = { done in
      peer.call(destination: fixture.connection.uniqueName ?? "", path: "/", interface: "org.freedesktop.DBus.Peer", member: "Ping") { _ in
        done(true)
      }
    }
    let _: Bool = try fixture.loop.value(ping)
    var accepted = 0
    for _ in 0..<2000 {
      do throws(DBusError) {
        let values = (0..<Int.random(in: 0...4, using: &random)).map { _ in Self.randomValue(&random, depth: 0) }
        try fixture.connection.emit(path: "/", interface: "org.example.Fuzz", member: "Tree", values)
        accepted += 1
      } catch {
        #expect(error.isStandard("InvalidArgs") || error.isStandard("NotSupported"), "seed \(seed): \(error)")
      }
    }
    let _: Bool = try fixture.loop.value(ping)
    // The ping follows the signals on the way to the bus, but its reply may overtake signals that the bus still delivers.
    try fixture.loop.run(for: .milliseconds(100))
    #expect(received == accepted, "seed \(seed)")
    #expect(accepted > 100 && accepted < 2000, "seed \(seed)")
    #expect(fixture.connection.uniqueName != nil, "seed \(seed): the bus threw us out")
    withExtendedLifetime(subscription) {}
  }

  private static func randomValue(_ random: inout SeededGenerator, depth: Int) -> DBusValue {
    let hostile = ["", "/", "//", "a\0b", "/a\0", "s", "a{", "((", "/a/b", "\u{FFFF}", "🐦", String(repeating: "a", count: 300)]
    let text = hostile.randomElement(using: &random) ?? ""
    let children = { (random: inout SeededGenerator) in
      (0..<Int.random(in: 0...3, using: &random)).map { _ in randomValue(&random, depth: depth + 1) }
    }
    switch Int.random(in: 0..<(depth > 6 ? 6 : 11), using: &random) {
    case 0: return .double(Double(bitPattern: random.next()))
    case 1: return .boolean(Bool.random(using: &random))
    case 2: return .string(text)
    case 3: return .bytes(Array(text.utf8))
    case 4: return .int64(Int64(truncatingIfNeeded: random.next()))
    case 5: return Int.random(in: 0..<4, using: &random) == 0 ? .objectPath(text) : .objectPath("/ok")
    case 6: return Int.random(in: 0..<4, using: &random) == 0 ? .signature(text) : .signature("as")
    case 7: return .variant(randomValue(&random, depth: depth + 1))
    case 8: return .structure(children(&random))
    case 9:
      let elements = children(&random)
      return .array(of: elements.first?.signature ?? "s", elements)
    default:
      let value = randomValue(&random, depth: depth + 1)
      return .dictionary(key: "s", value: value.signature, [.init(.string(text), value)])
    }
  }
}
