import Instants
import Locations
import Records
import TestSupport
import Testing
import TrackRecordings

@Suite struct WalkDecoderTests {
  struct Result: Equatable {
    var reports: [WalkReport] = []
    var error: WalkError?
    var lines = 0
    var counts = LineStatistics()
  }

  static func decode(_ octets: [UInt8], chunk: Int = .max) -> Result {
    var decoder = WalkDecoder()
    var result = Result()
    do throws(WalkError) {
      for start in stride(from: 0, to: octets.count, by: min(chunk, max(1, octets.count))) {
        try decoder.decode(octets[start...].prefix(chunk), into: &result.reports)
      }
      try decoder.finish(into: &result.reports)
    } catch {
      result.error = error
    }
    (result.lines, result.counts) = (decoder.lines, decoder.counts)
    return result
  }

  private static func places(_ result: Result) -> [(Double, Double)] {
    result.reports.compactMap { if case .reading(let reading) = $0.report { (reading.latitude, reading.longitude) } else { nil } }
  }

  private static func nmea() throws -> [UInt8] { try Fixture.octets("walk.nmea") }

  /// Returns the lines that `gpspipe -w` would have written of the same walk.
  private static func json() throws -> [UInt8] {
    try Fixture.text("walk.gpsd.txt").split(separator: "\n").filter { $0.hasPrefix("{") }.flatMap { Array($0.utf8) + [10] }
  }

  @Test func `NMEA sentences are delivered at the receiver's own times`() throws {
    let result = Self.decode(try Self.nmea())
    #expect(result.error == nil)
    let start = try #require(Instant(rfc3339: "2025-06-01T12:00:00Z"))
    let fixes = result.reports.filter { if case .reading = $0.report { true } else { false } }
    #expect(fixes.map(\.time) == (0..<30).map { start + Span.seconds(Double($0)) })
    #expect(result.counts.malformed == [:])
  }

  @Test func `gpsd's JSON is delivered at the same times as its NMEA`() throws {
    let (nmea, json) = (Self.decode(try Self.nmea()), Self.decode(try Self.json()))
    #expect(json.error == nil)
    #expect(Set(json.reports.map(\.time)) == Set(nmea.reports.map(\.time)))
    let (first, last) = (try #require(Self.places(nmea).last), try #require(Self.places(json).last))
    #expect(abs(first.0 - last.0) < 1e-7 && abs(first.1 - last.1) < 1e-7)
  }

  @Test func `only the format that first reports a position is used in a recording with both`() throws {
    #expect(Self.decode(try Fixture.octets("walk.gpsd.txt")).reports == Self.decode(try Self.json()).reports)
    let head = "{\"class\":\"VERSION\",\"release\":\"3.22\",\"rev\":\"3.22\",\"proto_major\":3,\"proto_minor\":14}\r\n"
    #expect(Self.decode(Array(head.utf8) + (try Self.nmea())).reports == Self.decode(try Self.nmea()).reports)
  }

  @Test(arguments: ["nmea", "gpsd"])
  func `times without a fix advance to the end of the walk, and jumping times are ignored`(language: String) throws {
    func line(_ second: String, isFix: Bool = false, date: String = "211126") -> String {
      guard language == "gpsd" else {
        let place = isFix ? "A,5015.0,N,00830.0,E" : "V,,,,"
        return Walk.sentence("GPRMC,12\(second).00,\(place),,,\(date),,,\(isFix ? "A" : "N")")
      }
      let day = "20\(date.suffix(2))-\(date.dropFirst(2).prefix(2))-\(date.prefix(2))"
      let time = "\(day)T12:\(second.prefix(2)):\(second.suffix(2)).000Z"
      return "{\"class\":\"TPV\",\"mode\":\(isFix ? "3,\"lat\":50.25,\"lon\":8.5" : "1"),\"time\":\"\(time)\"}\n"
    }
    var decoder = WalkDecoder()
    var reports: [WalkReport] = []
    // Before a receiver knows the time it reports any; a return to such a time is ignored.
    let texts = [
      line("5959", date: "060180"), line("0000", isFix: true), line("0023"), line("0024", date: "060180"), line("0025", date: "211226"),
      line("0105"),
    ]
    for text in texts { try decoder.decode(Array(text.utf8), into: &reports) }
    try decoder.finish(into: &reports)
    let start = try #require(Instant(rfc3339: "2026-11-21T12:00:00Z"))
    #expect(reports.map { ($0.time - start).seconds } == [0, 23, 23, 23, 65])
    #expect(decoder.period == start...(start + .seconds(65)))
  }

  @Test(arguments: ["walk.nmea", "walk.gpsd.txt", "tnthtm.nmea", "tnthtm.gpsd.txt"], [1, 7, 64, 1000])
  func `pieces of any size yield the same reports`(name: String, chunk: Int) throws {
    let octets = try Fixture.octets(name)
    #expect(Self.decode(octets, chunk: chunk) == Self.decode(octets))
  }

  @Test func `a last line without a line end counts`() throws {
    let octets = Array(try Self.nmea().dropLast(2))
    #expect(Self.decode(octets).reports == Self.decode(try Self.nmea()).reports)
  }

  @Test func `a broken line is counted and skipped`() throws {
    var octets = try Self.nmea()
    // The damage is in the second line, because the first has the date.
    octets[100] ^= 1
    let result = Self.decode(octets)
    #expect(result.error == nil && Self.places(result).count == 30)
    #expect(result.counts.malformed == ["checksum": 1])
  }

  @Test(arguments: [
    ("hello\n", "line 1: no line so far is NMEA 0183 or JSON of gpsd; record a walk with \"gpspipe -r > walk.nmea\""),
    ("hello\n*1000", "line 100: no line so far is NMEA 0183 or JSON of gpsd"),
    ("x*100000", "line 1: no line so far is NMEA 0183 or JSON of gpsd"),
    ("", "line 0: the recording ends without a fix that has a time; record it again with a clear view of the sky"),
    ("{\"class\":\"SKY\",\"device\":\"/dev/pts/1\"}\n", "line 1: the recording ends without a fix that has a time"),
    (
      "$GPRMC,,V,,,,,,,,,,N*53\n{\"class\":\"VERSION\",\"release\":\"9\",\"rev\":\"9\",\"proto_major\":4,\"proto_minor\":0}\n",
      "line 2: this is protocol 4 of gpsd, but only 3 is supported; record NMEA instead, with gpspipe -r"
    ),
  ])
  func `a file that is not a walk is refused with its line`(text: String, message: String) {
    let parts = text.hasPrefix("$") ? [text[...]] : text.split(separator: "*")
    let repeated = String(repeating: String(parts.first ?? ""), count: parts.count > 1 ? Int(parts[1]) ?? 1 : 1)
    let error = Self.decode(Array(repeated.utf8)).error
    #expect(error.map { "\($0)".hasPrefix(message) } == true, "\(String(describing: error))")
  }

  @Test(arguments: [1, UInt64.random(in: 2...(.max))])
  func `damaged recordings never trap, and chunks of any size make no difference`(seed: UInt64) throws {
    print("walk fuzz seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for name in ["walk.nmea", "walk.gpsd.txt"] {
      let walk = try Fixture.octets(name)
      for _ in 0..<100 {
        let start = Int.random(in: 0..<walk.count - 2000, using: &random)
        var octets = Array(walk[start..<start + 2000])
        for _ in 0..<Int.random(in: 0...20, using: &random) {
          octets[Int.random(in: 0..<octets.count, using: &random)] = .random(in: 0...255, using: &random)
        }
        #expect(Self.decode(octets, chunk: Int.random(in: 1...300, using: &random)) == Self.decode(octets))
      }
    }
  }
}
