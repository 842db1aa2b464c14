import Ingest
import Testing

@Suite struct EventTextTests {
  @Test(
    "the text of an event may have every value of JSON",
    arguments: [
      #"{"event":"enter","state":true,"x":null,"n":[-0,1,-2.50,1e5,1E-7,3e+2,0.0]}"#, " \t\r\n{ } ", "[]", "1",
      #""ü\u00fc\ud83d\ude00\\\/\"""#,
      String(repeating: "[", count: 64) + String(repeating: "]", count: 64), String(repeating: "9", count: 15_000), "1e15000",
    ])
  func valid(text: String) { #expect(EventText.fault(of: text) == nil) }

  @Test(
    "a text that is not JSON, or that the database refuses, has a fault",
    arguments: [
      "", " ", "{", "}", "{}{}", "{} x", "[1,]", "{,}", #"{"a"}"#, #"{"a":}"#, #"{a:1}"#, #"{"a":1,}"#, "'a'", "tru", "nulls", "01", "1.",
      ".5", "-",
      "1e", "+1", "NaN", "Infinity", "0x1", #"""#, #""\"#, #""\x""#, #""\u12""#, #""\u+123""#, #""\u0000""#, #""\ud800""#, #""\ude00""#,
      #""\ud800\u0041""#,
      "\"\n\"", "\"\u{0}\"", "\u{0}", "1e999999", "1e-16384", "1e99999999999999999999", "{\u{A0}}",
      String(repeating: "[", count: 66) + String(repeating: "]", count: 66),
    ])
  func invalid(text: String) { #expect(EventText.fault(of: text) != nil) }
}
