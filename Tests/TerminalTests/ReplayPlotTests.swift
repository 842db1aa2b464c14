import BeaconAdvertising
import Beacons
import Events
import Foundation
import FoundationXML
import Instants
import Scoring
import Terminal
import TestSupport
import Testing

/// The picture of a replay, and the text of a comparison.
@Suite struct ReplayPlotTests {
  private static func event(_ kind: Event.Kind, _ region: String, _ seconds: Double) -> Event {
    Event(sequence: 0, kind: kind, region: region, time: Instant(microseconds: 0) + .seconds(seconds))
  }

  private static func plot(_ runs: [ReplayPlot.Run], others: Int = 0) throws -> XMLElementCounts {
    let text = ReplayPlot(runs, title: "walk <1>", others: others, time: .utc) { _ in "Room & \"more\"" }.text
    return try XMLElementCounts(text)
  }

  /// Counts the elements of a well-formed document.
  private final class XMLElementCounts: NSObject, XMLParserDelegate {
    private(set) var counts: [String: Int] = [:]
    private(set) var text = ""

    init(_ document: String) throws {
      super.init()
      let parser = XMLParser(data: Data(document.utf8))
      parser.delegate = self
      try #require(parser.parse(), "\(String(describing: parser.parserError))")
    }

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?, attributes: [String: String]
    ) {
      counts[attributes["class"].map { "\(name).\($0)" } ?? name, default: 0] += 1
      for (key, value) in attributes where ["x", "y", "width", "height", "x1", "y1", "x2", "y2"].contains(key) && value != "100%" {
        #expect(Double(value)?.isFinite == true, "\(name) \(key) \(value)")
      }
    }

    func parser(_ parser: XMLParser, foundCharacters characters: String) { text += characters }
  }

  @Test func `a visit is a bar for each config, and hostile names stay text`() throws {
    let visits = [Self.event(.enter, "desk <b>", 10), Self.event(.exit, "desk <b>", 20)]
    let runs = [
      ReplayPlot.Run(name: "a.toml", trace: ReplayTrace(of: []), events: visits),
      ReplayPlot.Run(name: "b&c.toml", trace: ReplayTrace(of: []), events: [Self.event(.enter, "desk <b>", 12)]),
    ]
    let picture = try Self.plot(runs)
    // The background, a bar for each config, and a colour of the legend for each config, RSSI and four proximities.
    #expect(picture.counts["rect"] == 1 + 2 + 7)
    #expect(picture.text.contains("desk <b>: ") && picture.text.contains("b&c.toml") && picture.text.contains("walk <1>"))
  }

  @Test func `each beacon of the trace has a panel, and the others are counted`() throws {
    let beacons = try (UInt16(1)...4).map { BeaconIdentity(uuid: try BeaconUUID(galleryUUID), major: 1, minor: $0) }
    var trace = ReplayTrace(of: beacons.prefix(3))
    for (number, beacon) in beacons.enumerated() {
      for second in 0...number {
        let time = Instant(microseconds: 0) + .seconds(Double(second))
        trace.hear([Sighting(beacon: beacon, measuredPower: -59, rssi: -60, adapter: 0, time: time)])
      }
    }
    let picture = try Self.plot([ReplayPlot.Run(name: "a", trace: trace, events: [])], others: 1)
    #expect(picture.counts["rect.frame"] == 3)
    #expect(picture.counts["line.signal"] == 1 + 2 + 3)
    #expect(picture.text.contains("1 more beacon was heard less often.") && picture.text.contains("Room & \"more\""))
  }

  @Test func `an empty replay is a picture as well`() throws {
    #expect(try Self.plot([ReplayPlot.Run(name: "a", trace: ReplayTrace(of: []), events: [])]).counts["rect.frame"] == nil)
  }

  @Test func `a comparison counts the events of each config and lists them side by side`() {
    let comparison = EventComparison([
      EventComparison.Run(name: "now.toml", events: [Self.event(.enter, "desk", 10), Self.event(.exit, "desk", 20)]),
      EventComparison.Run(name: "tuned.toml", events: [Self.event(.enter, "desk", 12.5)]),
    ])
    let style = TerminalStyle(hasColours: false, hasUnicode: false, canRedraw: false)
    #expect(
      EventComparisonText(style: style, time: .utc).text(comparison, width: nil) == """
                  now.toml  tuned.toml
        enter     1         1
        exit      1         0
        flaps     0         0
        later by  +0.0 s    +2.5 s

        time                      event  region  now.toml  tuned.toml
        1970-01-01 00:00:10.000Z  enter  desk    +0.0 s    +2.5 s
        1970-01-01 00:00:20.000Z  exit   desk    +0.0 s    -

        """)
  }
}
