import Instants
import Proximity
import Regions
import TestSupport
import Testing

@Suite struct FlappingTests {
  func flapping(_ venue: Venue) throws -> Flapping { try #require(venue.engine.watch("hall")).flapping(at: venue.engine.now) }

  @Test func `gaps longer than the exit delay are counted, and a longer delay is advised`() throws {
    var venue = Venue(Venue.region())
    for visit in 0..<5 { venue.hear(from: Double(visit) * 50, to: Double(visit) * 50 + 10) }
    #expect(try flapping(venue).count == 4)
    #expect(try flapping(venue).advice == .exitDelay(.seconds(55)))  // 40.1 s and a quarter more
  }

  @Test func `a beacon that returns much later does not count as flapping`() throws {
    var venue = Venue(Venue.region())
    for visit in 0..<5 { venue.hear(from: Double(visit) * 600, to: Double(visit) * 600 + 10) }
    #expect(try flapping(venue) == Flapping(count: 0, advice: nil))
  }

  @Test func `single sightings count as strays, and more required sightings are advised`() throws {
    var venue = Venue(Venue.region())
    for visit in 0..<5 { venue.hear(Double(visit) * 600) }
    venue.pass(to: 5000)
    #expect(try flapping(venue).count == 5)
    #expect(try flapping(venue).advice == .enterSightings(2))
  }

  @Test func `departures that are reverted cause advice for a larger leaving distance`() throws {
    var venue = Venue(Venue.region(within: 3))
    for visit in 0..<6 {
      venue.hear(from: Double(visit) * 20, to: Double(visit) * 20 + 8, metres: 1)
      venue.hear(from: Double(visit) * 20 + 8, to: Double(visit) * 20 + 20, metres: 20)
    }
    #expect(try flapping(venue).count == 5)
    #expect(try flapping(venue).advice == .leaveBeyond(7))
  }

  @Test func `two gaps cause no advice`() throws {
    var venue = Venue(Venue.region())
    for visit in 0..<3 { venue.hear(from: Double(visit) * 50, to: Double(visit) * 50 + 10) }
    #expect(try flapping(venue) == Flapping(count: 2, advice: nil))
  }

  @Test func `counts of flapping expire after two days, also in silence`() throws {
    var venue = Venue(Venue.region())
    for visit in 0..<5 { venue.hear(from: Double(visit) * 50, to: Double(visit) * 50 + 10) }
    venue.pass(to: 86_400)
    #expect(try flapping(venue).count == 4)
    venue.pass(to: 2 * 86_400)
    #expect(try flapping(venue).count == 0)
  }
}
