import Events
import Geodesy
import Geotagging
import Instants
import Testing

/// The fixes of the journal, from which photos get their places.
@Suite struct GeotagTrackEventTests {
  private let time = Instant(microseconds: 1_800_000_000_000_000)

  private func event(_ latitude: Double = 48, _ longitude: Double = 11) -> Event {
    var event = Event(sequence: 1, kind: .enter, time: time + .seconds(9), reason: Event.Reason(.fix))
    event.location = Event.Location(latitude: latitude, longitude: longitude)
    event.location?.horizontalAccuracy = 5
    event.reason.fixTime = time
    return event
  }

  @Test func `an event of a circle has the place and the time of its fix`() throws {
    let fix = try #require(GeotagTrack.Fix(event()))
    #expect(fix.time == time && fix.coordinate.latitude == 48 && fix.coordinate.longitude == 11 && fix.accuracy == 5)
    #expect(fix.altitude == nil && fix.floor == nil)
  }

  @Test func `a test, a wrong clock and a missing fix give no place`() {
    var (test, clock, place, fixTime) = (event(), event(), event(), event())
    test.isTest = true
    clock.isClockSynchronised = false
    place.location = nil
    fixTime.reason.fixTime = nil
    for event in [test, clock, place, fixTime] { #expect(GeotagTrack.Fix(event) == nil) }
  }

  @Test func `a clock whose state is unknown counts`() {
    var event = event()
    event.isClockSynchronised = nil
    #expect(GeotagTrack.Fix(event) != nil)
    event.isClockSynchronised = true
    #expect(GeotagTrack.Fix(event) != nil)
  }

  @Test(arguments: [(91, 0), (-91, 0), (0, 181), (0, -181), (.nan, 0), (0, .nan)] as [(Double, Double)])
  func `an impossible coordinate gives no place`(latitude: Double, longitude: Double) {
    #expect(GeotagTrack.Fix(event(latitude, longitude)) == nil)
  }
}
