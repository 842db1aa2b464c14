import Instants
import Records
import TestSupport
import Testing

@Suite struct JSONReaderTests {
  private static let event =
    #"{"sequence":2,"event":"enter","region":"exhibit 11","kind":"beacon","time":"2020-02-09T12:44:50.246543Z","state":"inside","beacon":{"uuid":"8ec76ea3-6668-48da-9866-75be8bc86f4d","major":1,"minor":11},"rssi":-65.3,"distance":2.07,"accuracy":1.24,"proximity":"near","reason":{"cause":"approach","lastSeen":"2020-02-09T12:44:50.246543Z","lastSeenAge":0.000,"samples":13,"threshold":3.00,"adapter":"capture"}}"#

  @Test func `the example of the documentation is written as it was read`() throws {
    let record = try Record(json: Self.event)
    #expect(record.json == Self.event)
    #expect(record["sequence"] == .count(2))
    #expect(record["time"]?.time?.microseconds == 1_581_252_290_246_543)
    #expect(record["beacon"]?.record?["minor"]?.short == 11)
    #expect(record["distance"] == .metres(2.07))
    #expect(record["reason"]?.record?["lastSeenAge"] == .quantity(0, decimals: 3))
  }

  @Test(
    arguments: [
      (" { \"a\" : [ { } , {\"b\":null} ] , \"c\" :true}\n", #"{"a":[{},{}],"c":true}"#),
      (#"{"s":"\u00e9\ud83d\ude42\/\b\f\n\ud83d!\udc00"}"#, "{\"s\":\"é🙂/\\u0008\\u000c\\n\u{FFFD}!\u{FFFD}\"}"),
      (#"{"n":-5,"big":18446744073709551615,"x":1.50,"e":2e3}"#, #"{"n":-5,"big":18446744073709551615,"x":1.50,"e":2000}"#),
    ])
  func `JSON of other programs is read`(text: String, expected: String) throws {
    #expect(try Record(json: text).json == expected)
  }

  @Test(
    arguments: [
      "", "[]", "{", "{}x", #"{"a":}"#, #"{"a":01}"#, #"{"a":1.}"#, #"{"a":.5}"#, #"{"a":+1}"#, #"{"a":1e}"#, #"{"a":1e999}"#,
      #"{"a":nul}"#,
      #"{"a":[1]}"#, #"{"a":"\x"}"#, #"{"a":"\u12"}"#, #"{"a":"\u+123"}"#, "{\"a\":\"\n\"}", #"{"a":1,}"#, #"{a:1}"#, #"{"a":"#,
      "{\"a\":\"b",
      String(repeating: #"{"a":"#, count: 100_000),
    ])
  func `malformed JSON is an error with its position`(text: String) {
    #expect(throws: JSONError.self) { try Record(json: text) }
  }

  @Test(arguments: [1, UInt64.random(in: .min ... .max)])
  func `a mutated text is read or refused, and a value that was read survives writing`(seed: UInt64) throws {
    print("JSON fuzz seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<3000 {
      var octets = Array(Self.event.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<octets.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: octets[place] = UInt8.random(in: 0...255, using: &random)
        case 1: octets.remove(at: place)
        default: octets.insert(Array("{}[]\",:\\0".utf8).randomElement(using: &random) ?? 0, at: place)
        }
      }
      do throws(JSONError) {
        let record = try Record(json: String(decoding: octets, as: UTF8.self))
        #expect(try Record(json: record.json).json == record.json, "seed \(seed)")
      } catch {
        #expect(error.description.hasPrefix("octet "), "seed \(seed)")
      }
    }
  }
}
