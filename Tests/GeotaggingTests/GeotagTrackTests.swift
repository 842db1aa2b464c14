import Geodesy
import Geotagging
import Instants
import Locations
import Testing

@Suite struct GeotagTrackTests {
  private static func fix(
    _ seconds: Double, _ latitude: Double = 48, _ longitude: Double, altitude: Double? = nil, accuracy: Double? = nil, floor: String? = nil
  ) throws -> GeotagTrack.Fix {
    GeotagTrack.Fix(
      time: Self.time(seconds), coordinate: try #require(Coordinate(latitude: latitude, longitude: longitude)), altitude: altitude,
      accuracy: accuracy, floor: floor)
  }

  private static func time(_ seconds: Double) -> Instant { Instant(microseconds: 1_795_000_000_000_000) + .seconds(seconds) }

  private func track(_ fixes: [GeotagTrack.Fix]) -> GeotagTrack {
    var track = GeotagTrack()
    for fix in fixes { track.add(fix) }
    track.sort()
    return track
  }

  @Test func `a photo between two fixes is on the line between them, in proportion to time`() throws {
    let track = track([
      try Self.fix(8, 48, 11.004, altitude: 540, accuracy: 6), try Self.fix(0, 48, 11, altitude: 500, accuracy: 4),
    ])
    let place = try track.place(at: Self.time(2), gap: .seconds(300))
    #expect(abs(place.coordinate.longitude - 11.001) < 1e-8 && abs(place.coordinate.latitude - 48) < 1e-7)
    #expect(place.altitude == 510 && place.accuracy == 6)
    #expect(place.distances == [.seconds(2), .seconds(6)])
  }

  @Test func `a place between fixes on both sides of the 180th meridian stays there`() throws {
    let track = track([try Self.fix(0, -17, 179.999), try Self.fix(10, -17, -179.999)])
    #expect(abs(abs(try track.place(at: Self.time(5), gap: .seconds(300)).coordinate.longitude) - 180) < 1e-7)
  }

  @Test func `a photo at the time of a fix has exactly its place`() throws {
    let track = track([try Self.fix(0, 48, 11, floor: "floor 0"), try Self.fix(1, 48, 11.1, floor: "floor 1")])
    let place = try track.place(at: Self.time(1), gap: .seconds(300))
    #expect(place.coordinate.longitude == 11.1 && place.floor == "floor 1" && place.distances == [.zero])
  }

  @Test func `a photo beyond the ends of the track has the place of the nearest fix, within the gap`() throws {
    let track = track([try Self.fix(0, 48, 11, accuracy: 3), try Self.fix(10, 48, 12, accuracy: 3)])
    #expect(try track.place(at: Self.time(-60), gap: .seconds(60)).coordinate.longitude == 11)
    let late = try track.place(at: Self.time(40), gap: .seconds(60))
    #expect(late.coordinate.longitude == 12 && late.distances == [.seconds(30)])
    // The device may have moved in this time.
    #expect(late.accuracy == nil)
    #expect(throws: GeotagRefusal.tooFar(.seconds(61))) { try track.place(at: Self.time(-61), gap: .seconds(60)) }
    #expect(throws: GeotagRefusal.tooFar(.seconds(90))) { try track.place(at: Self.time(100), gap: .seconds(60)) }
  }

  @Test func `a photo in a hole of the track has the place of the fix within the gap, or none`() throws {
    let track = track([try Self.fix(0, 48, 11), try Self.fix(1000, 48, 12)])
    #expect(try track.place(at: Self.time(50), gap: .seconds(60)).coordinate.longitude == 11)
    #expect(try track.place(at: Self.time(950), gap: .seconds(60)).coordinate.longitude == 12)
    #expect(throws: GeotagRefusal.tooFar(.seconds(400))) { try track.place(at: Self.time(400), gap: .seconds(60)) }
    #expect(throws: GeotagRefusal.noFixes) { try GeotagTrack().place(at: Self.time(0), gap: .seconds(60)) }
  }

  @Test func `a floor is stated only if both fixes are on it`() throws {
    let between = { (one: String?, other: String?) in
      try self.track([Self.fix(0, 48, 11, floor: one), Self.fix(4, 48, 11, floor: other)]).place(at: Self.time(1), gap: .seconds(60)).floor
    }
    #expect(try between("Ground floor", "Ground floor") == "Ground floor")
    #expect(try between("Ground floor", "First floor") == nil)
    #expect(try between("Ground floor", nil) == nil)
  }

  @Test func `the direction turns the shorter way between two headings, across north`() throws {
    var track = track([try Self.fix(0, 48, 11), try Self.fix(10, 48, 11)])
    track.add(try #require(HeadingReading(trueHeading: 350)), at: Self.time(2))
    track.add(try #require(HeadingReading(trueHeading: 20)), at: Self.time(4))
    track.sort()
    let direction = try #require(try track.place(at: Self.time(3), gap: .seconds(60)).direction)
    #expect(abs(direction.degrees - 5) < 1e-9 && direction.reference == .trueNorth)
    let early = try #require(try track.place(at: Self.time(2.2), gap: .seconds(60)).direction)
    #expect(abs(early.degrees - 353) < 1e-9)
  }

  @Test func `a magnetic direction is marked as such, and a heading that is too old does not count`() throws {
    var track = track([try Self.fix(0, 48, 11), try Self.fix(100, 48, 11)])
    track.add(try #require(HeadingReading(magneticHeading: 270)), at: Self.time(10))
    track.sort()
    #expect(try track.place(at: Self.time(14), gap: .seconds(300)).direction == .init(degrees: 270, reference: .magneticNorth))
    #expect(try track.place(at: Self.time(15.5), gap: .seconds(300)).direction == nil)
  }

  @Test func `the tags of a place are rationals with their references`() throws {
    var track = track([
      try Self.fix(0, -33.8567844, -151.2152967, altitude: -12.345, accuracy: 4.84, floor: "Erdgeschoß")
    ])
    track.add(try #require(HeadingReading(magneticHeading: 359.999)), at: Self.time(0))
    track.sort()
    let place = try track.place(at: Self.time(0), gap: .seconds(60))
    let tags = Dictionary(uniqueKeysWithValues: place.tags.map { (String($0.key.dropFirst("Exif.GPSInfo.GPS".count)), $0.value) })
    #expect(tags["LatitudeRef"] == "S" && tags["LongitudeRef"] == "W")
    #expect(tags["Latitude"] == "33/1 51/1 244238/10000" && tags["Longitude"] == "151/1 12/1 550681/10000")
    #expect(tags["AltitudeRef"] == "1" && tags["Altitude"] == "1235/100" || tags["Altitude"] == "1234/100")
    #expect(tags["HPositioningError"] == "484/100")
    #expect(tags["AreaInformation"] == "charset=Unicode Erdgeschoß")
    #expect(tags["ImgDirectionRef"] == "M" && tags["ImgDirection"] == "0/100")
    #expect(tags["DateStamp"] == "2026:11:18" && tags["TimeStamp"] == "11/1 6/1 40000/1000")
  }

  @Test func `a place removes the tags of an earlier one that it does not have`() throws {
    let place = try track([try Self.fix(0, 48, 11)]).place(at: Self.time(0), gap: .seconds(60))
    for name in ["HPositioningError", "AltitudeRef", "Altitude", "AreaInformation", "ImgDirectionRef", "ImgDirection"] {
      #expect(place.tags.contains(PhotoTag("Exif.GPSInfo.GPS\(name)", nil)), "\(name)")
    }
    #expect(place.tags.filter { $0.value == nil }.count == 6)
  }
}
