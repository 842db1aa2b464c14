import Geodesy
import Instants
import Locations
import NMEA
import Records
import TestSupport
import Testing

private let start = Instant(microseconds: 1_000_000)
private let rmc = "GPRMC,120000.00,A,5015.1234,N,00830.5678,E,2.70,40.5,211126,,,A"
private let gga = "GPGGA,120000.00,5015.1234,N,00830.5678,E,1,08,0.9,112.5,M,47.9,M,,"
private let gst = "GPGST,120000.00,3.1,5.0,3.2,40.0,4.1,3.9,7.5"
private let gsa = "GPGSA,A,3,02,05,07,12,15,20,25,29,,,,,1.8,0.9,1.5"

@Suite struct NMEADecoderTests {
  @Test func `all sentences of an epoch become one reading`() throws {
    let (reports, counts) = NMEADecoder.reports(of: sentence(rmc), sentence(gga), sentence(gsa), sentence(gst))
    let reading = try #require(reports.first?.reading)
    #expect(reports.count == 1)
    #expect(abs(reading.latitude - 50.252056667) < 1e-9)
    #expect(abs(reading.longitude - 8.509463333) < 1e-9)
    #expect((reading.altitude, reading.ellipsoidalAltitude) == (112.5, 160.4))
    #expect((reading.speed, reading.course) == (2.7 * 1852 / 3600, 40.5))
    #expect(reading.horizontalAccuracy == ((4.1 * 4.1 + 3.9 * 3.9) / 2).squareRoot())
    #expect(reading.verticalAccuracy == 7.5)
    #expect(reading.time == Instant(rfc3339: "2026-11-21T12:00:00Z"))
    #expect(reading.isFix)
    #expect((counts.used, counts.unused, counts.faults.total) == (4, 0, 0))
  }

  @Test(arguments: [("N", "E", 1.0, 1.0), ("S", "E", -1, 1), ("N", "W", 1, -1), ("S", "W", -1, -1)])
  func `hemispheres give the signs`(latitude: String, longitude: String, north: Double, east: Double) throws {
    let (reports, _) = NMEADecoder.reports(of: sentence("GPGGA,120000,5015.0,\(latitude),00830.0,\(longitude),1,08,0.9,112.5,M,47.9,M,,"))
    let reading = try #require(reports.first?.reading)
    #expect((reading.latitude, reading.longitude) == (50.25 * north, 8.5 * east))
  }

  @Test(arguments: ["GP", "GN", "GL", "GA", "GB", "BD", "GQ", "II", "X1"])
  func `a sentence of any talker is read`(talker: String) throws {
    let (reports, _) = NMEADecoder.reports(of: sentence(talker + gga.dropFirst(2)))
    #expect(reports.first?.reading != nil)
  }

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

  private static let searching = ["GPRMC,120000.00,V,,,,,,,211126,,,N", "GPGGA,120000.00,,,,,0,00,99.99,,,,,,"]
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

  private static let satellites = "GPGSV,4,1,16,02,45,120,40,05,30,200,38,07,60,080,42,12,15,300,35"

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
  func `a year of two digits lies in the era of satellite navigation`(date: String, year: String) {
    let (reports, _) = NMEADecoder.reports(of: sentence("GPRMC,120000,A,5015.0,N,00830.0,E,,,\(date),,,A"))
    #expect(reports.first?.reading?.time?.rfc3339.prefix(4) == year[...])
  }

  @Test(
    arguments: [
      ("GPRMC,120000,V,5015.0,N,00830.0,E,,,211126,,,N", nil), ("GPRMC,120000,A,5015.0,N,00830.0,E,,,211126,,,S", nil),
      ("GPGGA,120000,5015.0,N,00830.0,E,0,00,99.9,,,,,,", nil), ("GPGGA,120000,5015.0,N,00830.0,E,8,08,0.9,,,,,,", nil),
      ("GPGGA,120000,5015.0,N,00830.0,E,7,08,0.9,,,,,,", nil), ("GNGNS,120000,5015.0,N,00830.0,E,NN,00,99.9,,,,", nil),
      ("GPRMC,120000,A,5015.0,N,00830.0,E,,,211126", true), ("GNGNS,120000,5015.0,N,00830.0,E,NA,08,0.9,1,2,,", true),
      ("GPGGA,120000,5015.0,N,00830.0,E,6,08,0.9,,,,,,", true),
    ] as [(String, Bool?)])
  func `coordinates of a receiver without a fix are ignored`(content: String, isFix: Bool?) throws {
    let (reports, _) = NMEADecoder.reports(of: sentence(content))
    #expect(try #require(reports.first?.reading).isFix == (isFix ?? false))
  }

  @Test func `GSA with mode 1 overrides the fix of other sentences`() throws {
    let (reports, _) = NMEADecoder.reports(of: sentence(gga), sentence("GPGSA,A,1,,,,,,,,,,,,,99.9,99.9,99.9"))
    #expect(try #require(reports.first?.reading).isFix == false)
  }

  @Test func `a fix in two dimensions has no altitude`() throws {
    let (reports, _) = NMEADecoder.reports(of: sentence(gga), sentence("GPGSA,A,2,02,05,07,,,,,,,,,,1.8,0.9,1.5"))
    let reading = try #require(reports.first?.reading)
    #expect((reading.altitude, reading.ellipsoidalAltitude, reading.verticalAccuracy) == (nil, nil, nil))
    #expect(reading.isFix)
  }

  @Test(
    arguments: [(1, 0.9 * 7.1 / 2.0.squareRoot(), 1.5 * 7.1), (2, 0.9 * 7.1 / 4 / 2.0.squareRoot(), 1.5 * 7.1 / 4), (6, nil, nil)]
      as [(Int, Double?, Double?)])
  func `the accuracy without GST is the dilution times the range error`(quality: Int, horizontal: Double?, vertical: Double?) throws {
    let (reports, _) = NMEADecoder.reports(of: sentence(gga.replacing("E,1,08", with: "E,\(quality),08")), sentence(gsa))
    let reading = try #require(reports.first?.reading)
    #expect((reading.horizontalAccuracy, reading.verticalAccuracy) == (horizontal, vertical))
  }

  @Test func `zero deviations count as unknown`() throws {
    let (reports, _) = NMEADecoder.reports(of: sentence(gga), sentence(gst.replacing("4.1", with: "0.0").replacing("3.9", with: "0.0")))
    #expect(try #require(reports.first?.reading).horizontalAccuracy == 0.9 * 7.1 / 2.0.squareRoot())
  }

  @Test func `a dilution marked as unknown is unknown`() throws {
    let (reports, _) = NMEADecoder.reports(of: sentence(gga.replacing(",0.9,", with: ",99.99,")))
    #expect(try #require(reports.first?.reading).horizontalAccuracy == nil)
  }

  @Test func `a receiver without a fix is searching, with its number of satellites`() {
    let (reports, _) = NMEADecoder.reports(of: sentence("GPRMC,,V,,,,,,,,,,N"), sentence("GPGGA,,,,,,0,03,99.99,,,,,,"))
    #expect(reports == [.searching(.init(used: 3))])
  }

  @Test func `each round of sentences without any time is an epoch`() {
    let round = sentence("GPRMC,,V,,,,,,,,,,N") + sentence("GPGGA,,,,,,0,00,99.99,,,,,,")
    #expect(NMEADecoder.reports(of: round, round, round).reports.count == 3)
  }

  @Test(arguments: [
    "GPGSV,1,1,01,02,45,120,40", "PTNTHTM,90.3,N,-0.5,N,1.2,N,70.1,4.5,6.1",
  ])
  func `a sentence without position data is counted as unused`(content: String) {
    let (reports, counts) = NMEADecoder.reports(of: sentence(content))
    #expect(reports.isEmpty)
    #expect((counts.used, counts.unused, counts.faults.total) == (0, 1, 0))
  }

  @Test(
    arguments: [
      ("$\(gga)*62\r\n", .checksum), ("$\(gga)\r\n", .checksum), ("$\(gga)*6\r\n", .checksum), ("$\(gga)*+1\r\n", .checksum),
      ("$*00\r\n", .garbage), ("\u{1B}[2J\r\n", .garbage), ("GPGGA,1\r\n", .garbage), ("$GP\u{7F}GA*00\r\n", .garbage),
      ("$" + String(repeating: "A", count: 1_000_000) + "\r\n", .length),
      (sentence(gga.replacing("5015.1234,N", with: "5060.0,N")), .field),
      (sentence(gga.replacing("5015.1234,N", with: "-5015.0,N")), .field),
      (sentence(gga.replacing("5015.1234,N", with: "nan,N")), .field), (sentence(gga.replacing("5015.1234,N", with: "5015.1234,")), .field),
      (sentence(gga.replacing("5015.1234,N", with: ",")), .field), (sentence(gga.replacing("5015.1234,N", with: "5015.1234,X")), .field),
      (sentence(gga.replacing("5015.1234,N", with: "5e3,N")), .field), (sentence(gga.replacing("112.5", with: "inf")), .field),
      (sentence(gga.replacing("5015.1234,N,00830.5678,E", with: ",,,")), .field),
      (sentence(rmc.replacing("5015.1234,N,00830.5678,E", with: ",,,")), .field),
      (sentence(gga.replacing("112.5", with: "0x10")), .field), (sentence(gga.replacing(",08,", with: ",-8,")), .field),
      (sentence(gga.replacing("0.9", with: "-0.9")), .field), (sentence(gga.replacing("120000.00", with: "240000.00")), .field),
      (sentence(gga.replacing("120000.00", with: "12")), .field), (sentence(rmc.replacing("211126", with: "310226")), .field),
      (sentence(gga.replacing("120000.00", with: String(repeating: "9", count: 24))), .field),
      (sentence(gga.replacing("120000.00", with: "1200000")), .field), (sentence(rmc.replacing("211126", with: "2111")), .field),
      (sentence("GPGGA,120000,5015.0,N"), .field),
    ] as [(String, NMEAFault)])
  func `a malformed line is counted and yields no report`(line: String, fault: NMEAFault) {
    let (reports, counts) = NMEADecoder.reports(of: line)
    #expect(reports.isEmpty)
    #expect((counts.faults[fault], counts.lines) == (1, 1))
  }

  @Test(
    arguments: [
      (gga.replacing("5015.1234", with: "9100.0"), .latitude), (gga.replacing("00830.5678", with: "18100.0"), .longitude),
      (gga.replacing("112.5", with: "-20000.0"), .altitude), (rmc.replacing("2.70", with: "-2.70"), .motion),
      (rmc.replacing("40.5", with: "400.5"), .motion), (rmc.replacing(",A,5", with: ",V,5"), .noFix),
      (rmc.replacing("211126", with: "010625"), .beforeRelease), (rmc.replacing("211126", with: "221126"), .ahead),
    ] as [(String, LocationRefusal)])
  func `an impossible value of a sentence is refused with its reason`(content: String, refusal: LocationRefusal) throws {
    let noon = try #require(Instant(rfc3339: "2026-11-21T12:00:00Z"))
    let reading = try #require(NMEADecoder.reports(of: sentence(content)).reports.first?.reading)
    #expect(throws: refusal) {
      try Location(reading, from: Location.Source("nmea"), at: Receipt(instant: start, wallClock: .init(time: noon, isSynchronised: true)))
    }
  }

  @Test func `a negative deviation is refused`() throws {
    let (reports, counts) = NMEADecoder.reports(of: sentence(gga), sentence(gst.replacing("3.9", with: "-3.9")))
    #expect(counts.faults[.field] == 1)
    #expect(reports.first?.reading?.horizontalAccuracy == NMEADecoder.reports(of: sentence(gga)).reports.first?.reading?.horizontalAccuracy)
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

  @Test(
    arguments: [
      ("HEHDT,274.5,T", 274.5, nil, nil), ("HCHDM,360.0,M", nil, 0, nil), ("HCHDG,101.1,,,7.1,W", 94, 101.1, -7.1),
      ("HCHDG,2.0,3.0,W,4.0,E", 3, 359, 4), ("HCHDG,359.0,2.0,E,,", nil, 1, nil),
    ] as [(String, Double?, Double?, Double?)])
  func `a heading is reported at once, relative to true or magnetic north`(
    content: String, trueHeading: Double?, magneticHeading: Double?, variation: Double?
  ) throws {
    var decoder = NMEADecoder()
    var reports: [SourceReport] = []
    decoder.decode(Array(sentence(content).utf8), at: start, into: &reports)
    guard case .heading(let heading)? = reports.first else { throw Unexpected() }
    func isSame(_ one: Double?, _ other: Double?) -> Bool { one == nil && other == nil || abs((one ?? -1e9) - (other ?? 1e9)) < 1e-9 }
    #expect(isSame(heading.trueHeading, trueHeading) && isSame(heading.magneticHeading, magneticHeading), "\(heading)")
    #expect(isSame(heading.variation, variation) && reports.count == 1 && decoder.counts.used == 1)
  }

  private struct Unexpected: Error {}

  @Test(arguments: [
    ("HEHDT,361,T", true), ("HCHDG,101.1,,,7.1,X", true), ("HCHDG,101.1,200,E,,", true), ("HEHDT,north,T", true), ("HEHDT,,T", false),
  ])
  func `an impossible heading is not reported`(content: String, isFault: Bool) {
    let (reports, counts) = NMEADecoder.reports(of: sentence(content))
    #expect(reports.isEmpty && counts.faults[.field] == (isFault ? 1 : 0) && counts.unused == (isFault ? 0 : 1))
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

@Suite struct NMEAFileTests {
  private func decode(_ octets: [UInt8], chunk: Int) -> ([SourceReport], LineCounts<NMEAFault>) {
    var decoder = NMEADecoder()
    var reports: [SourceReport] = []
    var rest = octets[...]
    while !rest.isEmpty {
      decoder.decode(rest.prefix(chunk), at: start, into: &reports)
      rest = rest.dropFirst(chunk)
    }
    decoder.finish(into: &reports)
    return (reports, decoder.counts)
  }

  @Test(arguments: [1, 2, 7, 64, 4096])
  func `chunks of any size yield the same reports`(chunk: Int) throws {
    let octets = try Fixture.octets("walk.nmea")
    let whole = decode(octets, chunk: .max)
    #expect(whole.0.compactMap(\.reading).count == 30 && whole.0.count == 60)
    #expect((whole.1.used, whole.1.unused, whole.1.faults.total) == (150, 60, 0))
    let pieces = decode(octets, chunk: chunk)
    #expect(pieces.0 == whole.0)
    #expect(pieces.1 == whole.1)
  }

  @Test func `a heading sentence yields no position`() throws {
    let (reports, counts) = decode(try Fixture.octets("tnthtm.nmea"), chunk: .max)
    #expect(reports.isEmpty)
    #expect((counts.unused, counts.lines) == (12, 12))
  }

  /// gpsd's answers have nine decimals of a degree and three or four of a metre.
  @Test func `gpsd decodes the walk to the same values`() throws {
    var answers: [Instant: Record] = [:]
    for line in try Fixture.text("walk.gpsd.txt").split(whereSeparator: \.isNewline) where line.hasPrefix("{\"class\":\"TPV\"") {
      let answer = try Record(json: String(line))
      // The last answer of an epoch is the most complete.
      if let time = answer["time"]?.time { answers[time] = answer }
    }
    let (reports, _) = decode(try Fixture.octets("walk.nmea"), chunk: .max)
    #expect(answers.count == 30)
    for reading in reports.compactMap(\.reading) {
      let time = try #require(reading.time)
      let answer = try #require(answers[time])
      let pairs: [(Double?, String, Double)] = [
        (reading.latitude, "lat", 1e-9), (reading.longitude, "lon", 1e-9), (reading.altitude, "altMSL", 1e-4),
        (reading.ellipsoidalAltitude, "altHAE", 1e-4), (reading.speed, "speed", 1e-3), (reading.course, "track", 1e-4),
      ]
      for (ours, key, tolerance) in pairs {
        let theirs = try #require(answer[key]?.number)
        let value = try #require(ours)
        #expect(abs(value - theirs) <= tolerance, "\(key)")
      }
    }
  }
}
