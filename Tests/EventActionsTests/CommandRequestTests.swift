import EventActions
import Events
import Records
import TestSupport
import Testing

@Suite struct CommandRequestTests {
  private static let named = #"{"action":"a"}"# + "\n"

  @Test func `a request survives encoding, with its event octet for octet`() {
    let json = #"{"sequence":1,"event":"enter","region":"a \"b\" é","distance":2.30}"#
    let event = Event.of(["sequence": .count(1), "event": .text("enter"), "region": .text("a \"b\" é"), "distance": .metres(2.3)])
    let request = CommandRequest(action: "two\nlines", event: event, json: json)
    #expect(CommandRequest(text: request.text) == request)
  }

  @Test(
    arguments: [
      "", "\n\n", "{}\n{}\n", #"{"action":1}"# + "\n{}\n", named, named + "{}", named + "[]\n", named + "{}\n{}\n",
    ])
  func `malformed text is not a request`(text: String) {
    #expect(CommandRequest(text: text) == nil)
  }

  @Test func `a request that arrives octet by octet is complete with its last octet`() {
    let event = Event.of(["sequence": .count(1), "event": .text("enter")])
    let request = CommandRequest(action: "a", event: event, json: #"{"sequence":1,"event":"enter"}"#)
    var arrival = CommandRequest.Arrival()
    let outcomes = request.text.utf8.map { arrival.take([$0]) }
    #expect(outcomes.dropLast().allSatisfy { $0 == nil })
    #expect(outcomes.last == .request(request))
  }

  @Test func `two lines that are not a request, and too many octets, are refused`() {
    var lines = CommandRequest.Arrival()
    #expect(lines.take(Array("{}\n{}\n".utf8)) == .refused("the request is not two lines of JSON"))
    var long = CommandRequest.Arrival()
    #expect(long.take(Array(repeating: UInt8(ascii: " "), count: CommandRequest.largest)) == nil)
    #expect(long.take([10]) == .refused("the request is longer than 65536 octets"))
  }

  @Test(
    arguments: [
      CommandReport(.exited(0)), CommandReport(.exited(255), output: "a\nb\u{0}\u{FFFD}"), CommandReport(.signalled(9), output: "x"),
      CommandReport(.timedOut), CommandReport(.failed("no \"config\"")), CommandReport(.refused("")),
    ])
  func `a report is one line, and survives encoding`(report: CommandReport) {
    #expect(!report.json.contains("\n"))
    #expect(CommandReport(json: report.json) == report)
  }

  @Test(
    arguments: [
      (CommandReport(.exited(-1), output: "a"), #"{"outcome":"exited","code":-1,"output":"a"}"#),
      (CommandReport(.signalled(9)), #"{"outcome":"signalled","signal":9}"#),
      (CommandReport(.timedOut, output: "b"), #"{"outcome":"timedOut","output":"b"}"#),
      (CommandReport(.failed("no config")), #"{"outcome":"failed","reason":"no config"}"#),
      (CommandReport(.refused("")), #"{"outcome":"refused","reason":""}"#),
    ])
  func `a report has the keys of its outcome alone`(report: CommandReport, json: String) {
    #expect(report.json == json)
  }

  @Test(
    arguments: [
      "", "{}", #"{"outcome":"exited"}"#, #"{"outcome":"exited","code":4294967296}"#, #"{"outcome":"failed"}"#, #"{"outcome":"ok"}"#,
    ])
  func `malformed JSON is not a report`(json: String) {
    #expect(CommandReport(json: json) == nil)
  }
}
