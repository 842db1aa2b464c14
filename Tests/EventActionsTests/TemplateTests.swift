import EventActions
import Events
import Instants
import Records
import TestSupport
import Testing

@Suite struct TemplateTests {
  @Test(
    arguments: [
      ("", ""), ("Welcome", "Welcome"), ("somebody came to {region}", "somebody came to entrance"),
      ("{event} {state} {proximity}", "enter inside near"), ("{major}/{minor}: {distance}", "1/5: 2.31 m"),
      ("{distanceMetres} metres", "2.31 metres"),
      ("{time}", "2020-02-09T12:44:44.779766Z"), ("{{{region}}}", "{entrance}"), ("{{region}}", "{region}"), ("a{{b}}c", "a{b}c"),
      ("👋🏽 {region}", "👋🏽 entrance"),
    ])
  func `placeholders are filled in`(template: String, expected: String) throws {
    #expect(try Template(template).text(for: arrival) == expected)
  }

  @Test func `advice has the title, the place and the minutes of the way, rounded up`() throws {
    var event = Event(sequence: 1, kind: .depart)
    (event.appointment, event.placeName, event.travelTime) = ("Tour", "Gate 12", .seconds(301))
    #expect(
      try Template("{event}: {minutes} minutes to {place} for {appointment}").text(for: event) == "depart: 6 minutes to Gate 12 for Tour")
    event.travelTime = .zero
    #expect(try Template("{minutes}").text(for: event) == "1")
  }

  @Test func `a template has the values of an alert of a fleet`() throws {
    var event = Event(sequence: 1, kind: .alertEnded)
    (event.alert, event.site, event.device, event.text) = (.deviceSilent, "berlin", "door", "it is over")
    event.duration = .seconds(1020)
    #expect(
      try Template("{event} {alert} {site} {device} {duration}: {text}").text(for: event)
        == "alert-ended device-silent berlin door 17m: it is over")
  }

  @Test func `a placeholder without a value becomes the word unknown`() throws {
    let event = Event.of(["event": .text("state"), "region": .text("hall"), "state": .text("outside")])
    #expect(try Template("{place}").text(for: event) == "unknown")
    #expect(try Template("{region} {state} {distance} {distanceMetres} {minor}").text(for: event) == "hall outside unknown unknown unknown")
  }

  @Test(
    arguments: [
      ("{who}", .unknownPlaceholder("who")), ("{}", .unknownPlaceholder("")), ("{ region }", .unknownPlaceholder(" region ")),
      ("{Region}", .unknownPlaceholder("Region")), ("a {region", .unclosedBrace(position: 3)), ("{", .unclosedBrace(position: 1)),
      ("ab}", .strayBrace(position: 3)), ("{region}}", .strayBrace(position: 9)), ("{{{", .unclosedBrace(position: 3)),
    ] as [(String, TemplateError)])
  func `an invalid template is refused`(template: String, error: TemplateError) {
    #expect(throws: error) { try Template(template) }
  }

  @Test(
    arguments: [
      (
        .unknownPlaceholder("who"),
        "{who} is not a placeholder; use {region} {event} {time} {state} {major} {minor} {distance} {distanceMetres} {proximity} {place} {appointment} {minutes} {alert} {site} {device} {text} {duration}, or {{ and }} for braces"
      ),
      (.unclosedBrace(position: 3), "the { at position 3 is never closed; write {{ for a brace"),
      (.strayBrace(position: 9), "the } at position 9 has no opening brace; write }} for a brace"),
    ] as [(TemplateError, String)])
  func `the errors of templates explain the remedy`(error: TemplateError, text: String) {
    #expect(error.description == text)
  }
}
