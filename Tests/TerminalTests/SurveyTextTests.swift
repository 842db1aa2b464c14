import BeaconAdvertising
import Beacons
import Foundation
import FoundationXML
import Instants
import Surveys
import Terminal
import Testing
import Venues

@Suite struct SurveyTextTests {
  private static let uuid = BeaconUUID(high: 1, low: 2)
  private static let style = TerminalStyle(hasColours: false, hasUnicode: false, canRedraw: false)

  /// A survey of a beacon with a hostile name, an unexpected one, a foreign one and a missing one.
  private static func survey() throws -> Survey {
    let list = try ExpectedBeacons(csv: "uuid,major,minor,name\n\(uuid),1,1,<b>Door & \"gate\"\n\(uuid),1,2,Till\n")
    var survey = Survey(expected: list)
    var sightings: [Sighting] = []
    for number in 0..<100 {
      for (minor, uuid) in [(1, uuid), (3, uuid), (9, BeaconUUID(high: 7, low: 7))] as [(UInt16, BeaconUUID)] {
        let time = Instant(microseconds: 1_600_000_000_000_000) + .milliseconds(Int64(200 * number) + Int64(minor))
        sightings.append(
          Sighting(
            beacon: BeaconIdentity(uuid: uuid, major: 1, minor: minor), measuredPower: -59, rssi: Int8(-60 - number % 5), time: time))
      }
    }
    survey.hear(sightings, from: sightings.map { BluetoothAddress(value: UInt64($0.beacon.minor)) })
    return survey
  }

  private static func report(_ survey: Survey) -> SurveyReport { survey.report(source: "walk.btsnoop") { _ in "hci0" } }

  @Test func `the text compares the beacons with the list`() throws {
    let text = SurveyText(style: Self.style, width: nil, time: .utc).text(Self.report(try Self.survey()))
    #expect(
      text == """
        survey of walk.btsnoop, 2020-09-13 12:26:40Z, 20 s, 300 packets of 3 beacons

        beacon  name              adv/s  loss  dBm, 10 to 90 %  interval ms  at 1 m
        1/1     <b>Door & "gate"  5.0    0 %   -62, -64 to -60  200 +- 0     -59
        1/3                       5.0    0 %   -62, -64 to -60  200 +- 0     -59
          unexpected: the list has other beacons of this UUID, but not this one

        missing: 1/2, Till

        beacons of other UUIDs, which are not expected:
        beacon                                    packets  dBm
        00000000-0000-0007-0000-000000000007/1/9  100      -62

        1 of 2 expected by the list were heard, 1 missing, 1 beacon with a fault

        """, "\(text)")
  }

  @Test(arguments: [20, 40, 60, 80])
  func `no line of the text is wider than the window`(width: Int) throws {
    let text = SurveyText(style: Self.style, width: width, time: .utc).text(Self.report(try Self.survey()))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= width }, "\(text)")
    #expect(text.contains("unexpected") && text.contains("missing"))
  }

  @Test func `the page is well-formed, loads nothing, and shows names as they are`() throws {
    let survey = try Self.survey()
    let page = SurveyPage(Self.report(survey), survey.signals, time: .utc, program: "beaconmon <test>").text
    #expect(page.contains("&lt;b&gt;Door &amp; &quot;gate&quot;") && !page.contains("<b>Door"))
    #expect(!page.contains("http://") && !page.contains("https://") && !page.contains("src=") && !page.contains("<script"))
    // As XML it has the elements that it should have: the void elements of HTML are closed first.
    let body = page.replacing("<!DOCTYPE html>\n", with: "").replacing(/<meta[^>]*>/, with: "").replacing("<br>", with: "<br/>")
    let counter = ElementCounter()
    let parser = XMLParser(data: Data(body.utf8))
    parser.delegate = counter
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    #expect(counter.counts["svg"] == 3 && counter.counts["desc"] == 3 && counter.counts["table"] == 2)
    #expect(counter.counts["li"] == 1 && counter.counts["h3"] == 2 && page.split(separator: "<tr class=\"fault\">").count == 2)
  }

  private final class ElementCounter: NSObject, XMLParserDelegate {
    var counts: [String: Int] = [:]

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?, attributes: [String: String]
    ) {
      counts[name, default: 0] += 1
    }
  }

  @Test func `an empty survey has a text and a page`() {
    let report = Survey().report(source: "empty") { _ in nil }
    #expect(SurveyText(style: Self.style, width: 80, time: .utc).text(report).hasSuffix("no fault\n"))
    #expect(SurveyPage(report, [:], time: .utc, program: "test").text.hasSuffix("</html>\n"))
  }

  @Test func `a place is chosen by its name, by its position or from the list`() throws {
    let venue = Venue(
      id: "hall", levels: [VenueLevel(id: "ground")],
      places: [
        Place(
          id: "door", level: "ground", position: PlanPoint(x: 1, y: 2), title: LocalizedText([.init(language: "en", text: "Front door")])),
        Place(id: "till", level: "ground", position: PlanPoint(x: 5, y: 2)),
      ])
    let places = SurveyPlaceChoice(venue, languages: [])
    var screen = ListScreen(SurveyContent(source: "test", places: places, style: Self.style), style: Self.style)
    func type(_ text: String) -> ListAction {
      for character in text { _ = screen.press(.character(character)) }
      return screen.press(.enter)
    }
    func place(_ action: ListAction) -> SurveyPlace? { if case .chosen(let option) = action { places.place(option) } else { nil } }
    #expect(place(type("wDOOR")) == SurveyPlace(level: "ground", point: PlanPoint(x: 1, y: 2), name: "Front door"))
    #expect(place(type("w3.5 4")) == SurveyPlace(level: "ground", point: PlanPoint(x: 3.5, y: 4)))
    #expect(place(type("wground 3,4")) == SurveyPlace(level: "ground", point: PlanPoint(x: 3, y: 4)))
    #expect(screen.press(.character("w")) == .redraw && screen.press(.down) == .redraw)
    let lines = screen.lines(size: TerminalSize(columns: 60, rows: 10))
    #expect(lines.dropFirst().prefix(2).map { $0.trimmingCharacters(in: .whitespaces) } == ["Front door", "> till"], "\(lines)")
    #expect(lines.last?.hasPrefix("where do you stand? _") == true, "\(lines)")
    #expect(place(screen.press(.enter))?.name == "till")
    // Nothing fits, so Enter waits; Esc goes back.
    #expect(type("wxyz") == .none && screen.press(.escape) == .redraw && screen.press(.character("q")) == .quit)
    screen.update { $0.stand(at: SurveyPlace(level: "ground", point: PlanPoint(x: 1, y: 2), name: "Front door")) }
    #expect(screen.lines(size: TerminalSize(columns: 60, rows: 10)).contains { $0.hasPrefix("STAND STILL at Front door at 1.0, 2.0") })
    guard case .chosen(let walk) = type("w") else { return #expect(Bool(false)) }
    #expect(places.place(walk) == nil)
  }

  @Test func `the screen has the missing beacons among the others with their faults`() throws {
    var content = SurveyContent(source: "test", style: Self.style)
    content.take(Self.report(try Self.survey()), at: Instant(microseconds: 1_600_000_020_000_000))
    var screen = ListScreen(content, style: Self.style)
    let lines = screen.lines(size: TerminalSize(columns: 60, rows: 12))
    #expect(
      lines.prefix(5).map { $0.trimmingCharacters(in: .whitespaces) } == [
        "survey  test  1 missing  12:27:00Z", "beacon       name         state          dBm  adv/s   loss",
        "1/1          <b>Door ...  ok             -62    5.0    0 %", "1/2          Till         not heard        -      -      -",
        "1/3          -            unexpected     -62    5.0    0 %",
      ], "\(lines.joined(separator: "\n"))")
    #expect(screen.press(.end) == .redraw && screen.press(.enter) == .redraw)
    let detail = screen.lines(size: TerminalSize(columns: 60, rows: 16)).joined(separator: "\n")
    #expect(detail.contains("unexpected: the list has other beacons of this UUID"), "\(detail)")
  }
}
