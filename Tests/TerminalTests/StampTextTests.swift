import Geodesy
import Geotagging
import Instants
import Locations
import Terminal
import Testing

@Suite struct StampTextTests {
  private let text = StampText(style: TerminalStyle(hasColours: false, hasUnicode: true, canRedraw: false), units: Units(isMetric: true))
  private let start = Instant(microseconds: 1_795_000_000_000_000)

  private func track(_ headings: Bool, accuracy: Double? = 4.84) throws -> GeotagTrack {
    var track = GeotagTrack()
    for second in [0.0, 1] {
      let place = try #require(Coordinate(latitude: 52.5200066, longitude: 13.404954))
      track.add(.init(time: start + .seconds(second), coordinate: place, accuracy: accuracy, floor: "Ground\u{1B} floor"))
      if headings { track.add(try #require(HeadingReading(magneticHeading: 359.7)), at: start + .seconds(second)) }
    }
    track.sort()
    return track
  }

  @Test func `the line of a stamped photo has position, accuracy, floor, direction and the distance of the fixes`() throws {
    let between = try track(true).place(at: start + .milliseconds(400), gap: .seconds(60))
    let line = text.text(between)
    #expect(line.hasPrefix("52.5200066, 13.4049540 ± 4.8 m, Ground"))
    #expect(line.hasSuffix(" floor, 0° magnetic; between fixes 0.4 s before and 0.6 s after"))
    #expect(!line.contains("\u{1B}"))
    let late = try track(false).place(at: start + .seconds(31), gap: .seconds(60))
    #expect(text.text(late).hasSuffix("; from a fix 30 s away") && !text.text(late).contains("±"))
    #expect(text.text(try track(false).place(at: start, gap: .seconds(60))).hasSuffix("; from a fix of this time"))
  }

  @Test func `a photo far from the fixes is refused with its time, theirs, and advice`() throws {
    let period = try #require(try track(false).period)
    let reason = text.reason(.tooFar(.seconds(7200)), time: start + .seconds(7201), period: period, gap: .seconds(300))
    #expect(
      reason == """
        taken 2026-11-18 13:06:41Z, but the nearest fix is 2 h away, and --max-gap allows 5m; \
        the fixes are from 2026-11-18 11:06:40Z to 2026-11-18 11:06:41Z; check the camera's clock and --timezone
        """)
  }
}
