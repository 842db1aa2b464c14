import Geodesy
import Instants
import Locations
import NMEA
import Records
import TestSupport
import Testing

@Suite struct NMEAFileTests {
  func decode(_ octets: [UInt8], chunk: Int) -> ([SourceReport], LineCounts<NMEAFault>) {
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
