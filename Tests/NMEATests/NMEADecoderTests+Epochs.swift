import Geodesy
import Instants
import Locations
import NMEA
import Records
import TestSupport
import Testing

/// Sentences that belong to one time of the receiver.
extension NMEADecoderTests {
  @Test func `an epoch ends with its known last sentence, and the first one after a pause`() {
    var decoder = NMEADecoder()
    var reports: [SourceReport] = []
    for text in [rmc, gga, gst] { decoder.decode(Array(sentence(text).utf8), at: start, into: &reports) }
    #expect(reports.isEmpty)
    decoder.advance(to: decoder.deadline - Span(microseconds: 1), into: &reports)
    #expect(reports.isEmpty)
    decoder.advance(to: decoder.deadline, into: &reports)
    #expect(reports.count == 1)
    #expect(decoder.deadline == .never)
    let later = start + .seconds(1)
    for text in [rmc, gga, gst] {
      #expect(reports.count == 1)
      decoder.decode(Array(sentence(text.replacing("120000", with: "120001")).utf8), at: later, into: &reports)
    }
    #expect(reports.count == 2)
    #expect(decoder.deadline == .never)
  }

  static let searching = ["GPRMC,120000.00,V,,,,,,,211126,,,N", "GPGGA,120000.00,,,,,0,00,99.99,,,,,,"]
  /// The sentences of a receiver without a fix, which repeats its position and knows the time.
  private static let lost = [
    "GPGGA,120000.00,5015.1234,N,00830.5678,E,0,00,99.99,112.5,M,47.9,M,,", "GPRMC,120000.00,V,5015.1234,N,00830.5678,E,,,211126,,,N",
  ]

  @Test(arguments: [
    [searching], [searching.reversed()], [lost], [lost, searching], [[rmc, gga, gst], searching], [[rmc, gga, gst], lost],
  ])
  func `a fix waits for its own GST, whatever ended the previous epoch without a fix`(before: [[String]]) throws {
    var decoder = NMEADecoder()
    var reports: [SourceReport] = []
    var second = 0
    func send(_ text: String) {
      let line = sentence(text.replacing("120000", with: "1200\(second / 10)\(second % 10)"))
      decoder.decode(Array(line.utf8), at: start + .seconds(Double(second)), into: &reports)
    }
    for epoch in before {
      for text in epoch { send(text) }
      // The time is long enough for earlier noise to expire.
      second += 10
    }
    let count = reports.count
    let coarse = gst.replacing("4.1,3.9", with: "40.0,40.0")
    for _ in 0..<3 {
      for text in [gga, rmc, coarse] { send(text) }
      second += 1
    }
    decoder.finish(into: &reports)
    let fixes = reports[count...].compactMap(\.reading).filter(\.isFix)
    #expect(fixes.map(\.horizontalAccuracy) == [40, 40, 40])
  }

  static let satellites = "GPGSV,4,1,16,02,45,120,40,05,30,200,38,07,60,080,42,12,15,300,35"

  @Test(arguments: [4800, 9600, 38_400])
  func `the first fix waits for its own GST on a slow line`(baud: Int) {
    var decoder = NMEADecoder()
    var reports: [SourceReport] = []
    let epoch = [gga, rmc, gsa, Self.satellites, Self.satellites, Self.satellites, Self.satellites, gst]
    var now = start
    for octet in epoch.map(sentence).joined().utf8 {
      now = now + Span(microseconds: Int64(10_000_000 / baud))
      decoder.advance(to: now, into: &reports)
      decoder.decode([octet], at: now, into: &reports)
    }
    #expect(reports.isEmpty)
    decoder.advance(to: decoder.deadline, into: &reports)
    #expect(reports.map { $0.reading?.horizontalAccuracy } == [((4.1 * 4.1 + 3.9 * 3.9) / 2).squareRoot()])
  }

  @Test func `a fix on a line without pauses is reported when the receiver's time changes`() {
    var decoder = NMEADecoder()
    var reports: [SourceReport] = []
    func send(_ text: String, at tenth: Int64) {
      let now = start + .milliseconds(100 * tenth)
      decoder.advance(to: now, into: &reports)
      decoder.decode(Array(sentence(text).utf8), at: now, into: &reports)
    }
    send(gga, at: 0)
    for tenth in 1...9 { send(Self.satellites, at: Int64(tenth)) }
    #expect(reports.isEmpty)
    send(gga.replacing("120000", with: "120001"), at: 10)
    #expect(reports.count >= 1)
  }

  @Test func `a sentence that was missing once is expected in the next epoch`() throws {
    var decoder = NMEADecoder()
    var reports: [SourceReport] = []
    let epochs = [[rmc, gga, gst], [rmc, gga], [rmc, gga, gst]]
    for (second, epoch) in epochs.enumerated() {
      for text in epoch {
        if text == gst { #expect(reports.count == second) }
        decoder.decode(
          Array(sentence(text.replacing("120000", with: "12000\(second)")).utf8), at: start + .seconds(Double(second)), into: &reports)
      }
    }
    #expect(reports.count == 3)
  }

  @Test func `a receiver without a fix still reports its time`() throws {
    let (reports, _) = NMEADecoder.reports(of: sentence(Self.searching[0]), sentence(Self.searching[1]))
    let noon: Instant = try #require(Instant(rfc3339: "2026-11-21T12:00:00Z"))
    #expect(reports == [.searching(.init(used: 0), time: noon)])
  }

  @Test func `a receiver that sends fewer sentences is reported with the remaining ones`() {
    var decoder = NMEADecoder()
    var reports: [SourceReport] = []
    for text in [rmc, gga, gst] { decoder.decode(Array(sentence(text).utf8), at: start, into: &reports) }
    for second in 1...3 {
      for text in [rmc, gga] {
        let text = sentence(text.replacing("120000", with: "12000\(second)"))
        decoder.decode(Array(text.utf8), at: start + .seconds(Double(second)), into: &reports)
      }
    }
    // The second epoch waited for its GST until the third began; the third was reported with its GGA.
    #expect(reports.count == 4)
  }

  @Test func `a time without a date belongs to the nearest day, over midnight in both directions`() {
    let (reports, _) = NMEADecoder.reports(
      of: sentence("GPRMC,235959.00,A,5015.0,N,00830.0,E,,,311226,,,A"), sentence("GPGGA,000000.00,5015.0,N,00830.0,E,1,08,0.9,,,,,,"),
      sentence("GPRMC,000001.00,A,5015.0,N,00830.0,E,,,010127,,,A"), sentence("GPGGA,235958.00,5015.0,N,00830.0,E,1,08,0.9,,,,,,"))
    #expect(
      reports.map { $0.reading?.time?.rfc3339 } == [
        "2026-12-31T23:59:59.000000Z", "2027-01-01T00:00:00.000000Z", "2027-01-01T00:00:01.000000Z", "2026-12-31T23:59:58.000000Z",
      ])
  }

  @Test func `before the first date a fix has no time`() throws {
    let (reports, _) = NMEADecoder.reports(of: sentence(gga))
    #expect(try #require(reports.first?.reading).time == nil)
  }

  @Test(arguments: [("060180", "1980"), ("220899", "1999"), ("211126", "2026"), ("311279", "2079")])
  func `a year of two digits is in the era of satellite navigation`(date: String, year: String) {
    let (reports, _) = NMEADecoder.reports(of: sentence("GPRMC,120000,A,5015.0,N,00830.0,E,,,\(date),,,A"))
    #expect(reports.first?.reading?.time?.rfc3339.prefix(4) == year[...])
  }

  @Test func `each round of sentences without any time is an epoch`() {
    let round = sentence("GPRMC,,V,,,,,,,,,,N") + sentence("GPGGA,,,,,,0,00,99.99,,,,,,")
    #expect(NMEADecoder.reports(of: round, round, round).reports.count == 3)
  }

  @Test func `the noise of an earlier epoch applies over midnight, and never to dead reckoning`() throws {
    var decoder = NMEADecoder()
    var reports: [SourceReport] = []
    for (time, quality) in [("235959.00", "1"), ("000000.00", "1"), ("000001.00", "6")] {
      let fix = gga.replacing("120000.00", with: time).replacing(",E,1,", with: ",E,\(quality),")
      for text in [fix] + (time == "235959.00" ? [gst.replacing("120000.00", with: time)] : []) {
        decoder.decode(Array(sentence(text).utf8), at: start, into: &reports)
      }
    }
    decoder.finish(into: &reports)
    #expect(reports.map { $0.reading?.verticalAccuracy } == [7.5, 7.5, nil])
    #expect(reports.last?.reading?.horizontalAccuracy == nil)
  }

  @Test func `the noise of an epoch applies to later ones for five seconds`() {
    var decoder = NMEADecoder()
    var reports: [SourceReport] = []
    for second in 0...7 {
      for text in [rmc, gga] + (second == 1 ? [gst] : []) {
        let text = sentence(text.replacing("120000", with: "12000\(second)"))
        decoder.decode(Array(text.utf8), at: start + .seconds(Double(second)), into: &reports)
      }
    }
    decoder.finish(into: &reports)
    // The second epoch was reported before its GST, and the vertical accuracy comes from GST alone.
    #expect(reports.map { $0.reading?.verticalAccuracy } == [nil, nil, 7.5, 7.5, 7.5, 7.5, 7.5, nil])
  }
}
