import Geodesy
import Geotagging
import Instants
import TestSupport
import Testing

@Suite struct GeotagTrackDecoderTests {
  private func track(_ octets: [UInt8], chunk: Int = 7) throws -> GeotagTrack {
    var decoder = GeotagTrackDecoder()
    var track = GeotagTrack()
    for start in stride(from: 0, to: octets.count, by: chunk) { try decoder.decode(octets[start...].prefix(chunk), into: &track) }
    try decoder.finish(into: &track)
    track.sort()
    return track
  }

  private func track(_ text: String) throws -> GeotagTrack { try track(Array(text.utf8)) }

  private func instant(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }

  @Test func `NMEA, the JSON of gpsd and lines of track are tracks`() throws {
    let noon = try instant("2025-06-01T12:00:10Z")
    let nmea = try track(try Fixture.octets("walk.nmea"))
    #expect(nmea.fixCount == 30)
    let place = try nmea.place(at: noon, gap: .seconds(60))
    let json = try track(try Fixture.text("walk.gpsd.txt").split(separator: "\n").filter { $0.hasPrefix("{") }.joined(separator: "\n"))
    #expect(try json.place(at: noon, gap: .seconds(60)).coordinate.distance(to: place.coordinate) < 0.1)
    let lines = try track(
      """
      {"latitude":48.1,"longitude":11.5,"horizontalAccuracy":3.00,"time":"2025-06-01T12:00:09.000000Z","levelName":"Upper floor","venueName":"Museum"}
      {"latitude":48.2,"longitude":11.5,"horizontalAccuracy":3.00,"time":"2025-06-01T12:00:11.000000Z","levelName":"Upper floor","venueName":"Museum"}

      """)
    let between = try lines.place(at: noon, gap: .seconds(60))
    #expect(abs(between.coordinate.latitude - 48.15) < 1e-3 && between.floor == "Upper floor, Museum" && between.accuracy == 3)
  }

  @Test func `lines of heading give directions`() throws {
    let track = try track(
      """
      {"latitude":48.1,"longitude":11.5,"time":"2025-06-01T12:00:09.000000Z"}
      {"timestamp":"2025-06-01T12:00:10.000000Z","kind":"heading","magneticHeading":100.0,"trueHeading":104.0,"source":"iio"}
      {"timestamp":"2025-06-01T12:00:10.100000Z","kind":"course","trueHeading":200.0}
      {"timestamp":"2025-06-01T12:00:10.200000Z","x":1.0,"y":2.0,"z":3.0,"magnitude":3.7}
      """)
    let place = try track.place(at: try instant("2025-06-01T12:00:10.1Z"), gap: .seconds(60))
    #expect(place.direction == .init(degrees: 104, reference: .trueNorth))
  }

  @Test func `impossible places and lines without a time are left out`() throws {
    let track = try track(
      """
      {"latitude":95,"longitude":11.5,"time":"2025-06-01T12:00:09.000000Z"}
      {"latitude":48,"longitude":181,"time":"2025-06-01T12:00:09.000000Z"}
      {"latitude":48,"longitude":11}
      {"latitude":48,"longitude":11,"time":"2025-06-01T12:00:09.000000Z","horizontalAccuracy":-1,"altitude":1e9}
      not JSON
      """)
    let place = try track.place(at: try instant("2025-06-01T12:00:09Z"), gap: .seconds(60))
    #expect(track.fixCount == 1 && place.accuracy == nil && place.altitude == nil)
  }

  @Test func `a file that is not a track is refused with its line`() throws {
    #expect(throws: GeotagTrackError.foreign(line: 2)) { try track("{\"a\":1}\n{\"b\":2}\n") }
    #expect(throws: GeotagTrackError.self) { try track("") }
    #expect(throws: GeotagTrackError.self) { try track("hello\n") }
    #expect(throws: GeotagTrackError.foreign(line: 100)) { try track("{x\n" + String(repeating: "x\n", count: 200)) }
  }
}
