import Geodesy
import Instants
import Locations
import NMEA
import Records
import TestSupport
import Testing

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
}
