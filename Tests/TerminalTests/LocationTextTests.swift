import Instants
import Locations
import Records
import Terminal
import Testing

@Suite struct LocationTextTests {
  private let plain = TerminalStyle(hasColours: false, hasUnicode: false, canRedraw: false)
  private let metric = Units(isMetric: true)
  private var fix: LocationReport {
    var fix = LocationReport()
    (fix.latitude, fix.longitude, fix.altitude, fix.ellipsoidalAltitude) = (52.5200066, 13.404954, 38.21, 77.8)
    (fix.horizontalAccuracy, fix.verticalAccuracy, fix.speed, fix.course, fix.floor) = (4.84, 12.3, 1.4, 87.2, 2)
    (fix.time, fix.age, fix.source) = (Instant(microseconds: 1_795_000_000_123_456), 0.31, "gpsd")
    return fix
  }
  private var bare: LocationReport {
    var bare = LocationReport()
    (bare.latitude, bare.longitude, bare.source) = (-1, 0, "fixed")
    return bare
  }

  @Test func `the text of a location has position, accuracy, motion and source`() {
    #expect(
      LocationText(style: plain, units: metric).text(fix) == """
        52.5200066, 13.4049540  +- 4.8 m
        38 m above sea level  +- 12 m, 5.0 km/h toward 87 deg, floor 2
        from gpsd, 0.3 s old
        """)
  }

  @Test func `the text of a location begins with the names of its place`() {
    var named = bare
    named.description = "Lodestone,\u{1B} Ground floor, Gallery"
    let lines = LocationText(style: plain, units: metric).text(named).split(separator: "\n")
    #expect(lines.count == 3 && lines[0].hasPrefix("Lodestone,") && lines[0].hasSuffix(" Ground floor, Gallery"))
    #expect(!lines[0].contains("\u{1B}"))
  }

  @Test func `a location that misses the requested accuracy is marked`() {
    let text = LocationText(style: plain, units: metric)
    #expect(text.shortfall(fix, wanted: 3) == "no better than +- 4.8 m in this time; the request was for +- 3.0 m")
    #expect(text.shortfall(bare, wanted: 100) == "the source does not report the accuracy of this fix; the request was for +- 100 m")
    #expect([0, 4.84, 10].allSatisfy { text.shortfall(fix, wanted: $0) == nil })
  }

  @Test func `unknown values are omitted`() {
    #expect(LocationText(style: plain, units: metric).text(bare) == "-1.0000000, 0.0000000\nfrom fixed")
  }

  @Test func `a line of a track has its columns`() {
    let text = LocationText(style: plain, units: metric)
    #expect(text.line(fix) == "2026-11-18 11:06:40.123Z  52.5200066, 13.4049540     +- 4.8 m      5.0 km/h  87 deg  gpsd")
    #expect(text.line(bare) == "-                         -1.0000000, 0.0000000                           -      -  fixed")
  }

  @Test func `a map link has the longitude first and the ellipsoidal height`() {
    #expect(
      LocationText.geoJSON(fix.record).hasPrefix(
        """
        {"type":"Feature","geometry":{"type":"Point","coordinates":[13.4049540,52.5200066,77.80]},"properties":{"altitude":38.21,
        """))
    #expect(LocationText.geoJSON(bare.record).hasSuffix(#""coordinates":[0.0000000,-1.0000000]},"properties":{"source":"fixed"}}"#))
  }

  @Test func `the progress fits one line and never wraps`() {
    let text = LocationText(style: plain, units: metric)
    let line = text.progress(fix, elapsed: .seconds(4), timeout: .seconds(30), columns: 80)
    #expect(line == "\r\u{1B}[K52.5200066, 13.4049540  +- 4.8 m, from gpsd, 26 s left")
    #expect(text.progress(nil, elapsed: .seconds(4), timeout: .seconds(30), columns: 80).hasSuffix("waiting for a fix, 26 s left"))
    for columns in 1...60 {
      #expect(text.progress(fix, elapsed: .zero, timeout: .seconds(30), columns: columns).count < columns + 4)
    }
  }
}

@Suite struct UnitsTests {
  @Test(arguments: [
    (4.84, "4.8 m", "16 ft"), (9.96, "10 m", "33 ft"), (304, "304 m", "997 ft"), (1250, "1.25 km", "0.78 mi"),
    (999.6, "1.00 km", "0.62 mi"),
  ])
  func `lengths use the units of the region`(metres: Double, metric: String, imperial: String) {
    #expect(Units(isMetric: true).length(metres) == metric)
    #expect(Units(isMetric: false).length(metres) == imperial)
  }

  @Test func `speeds use the units of the region`() {
    #expect(Units(isMetric: true).speed(1.4) == "5.0 km/h")
    #expect(Units(isMetric: false).speed(1.4) == "3.1 mph")
    #expect([true, false].map { Units(isMetric: $0).height(1520) } == ["1520 m", "4987 ft"])
  }

  @Test(arguments: [(0.31, "0.3 s"), (42, "42 s"), (300, "5 min"), (10_800, "3 h"), (200_000, "2 d")])
  func `ages are written in short form`(seconds: Double, text: String) {
    #expect(Units(isMetric: true).age(seconds) == text)
  }

  @Test(arguments: [
    (["LANG": "en_US.UTF-8"], false), (["LANG": "en_GB.UTF-8"], true), (["LANG": "de_DE"], true), (["LANG": "C"], true), ([:], true),
    (["LANG": "en_US.UTF-8", "LC_MEASUREMENT": "de_DE.UTF-8"], true), (["LANG": "de_DE", "LC_ALL": "my_MM"], false),
    (["LC_ALL": "", "LANG": "en_LR@x"], false),
  ])
  func `the locale determines the units`(environment: [String: String], isMetric: Bool) {
    #expect(Units { environment[$0] }.isMetric == isMetric)
  }
}
