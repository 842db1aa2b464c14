import Instants
import Proximity
import Regions
import TestSupport
import Testing

@Suite struct FlappingTests {
  func flapping(_ venue: Venue) throws -> Flapping { try #require(venue.engine.watch("hall")).flapping(at: venue.engine.now) }

  @Test func `gaps that are too long for the exit delay are counted, and a longer one is advised`() throws {
    var venue = Venue(Venue.region())
    for visit in 0..<5 { venue.hear(from: Double(visit) * 50, to: Double(visit) * 50 + 10) }
    #expect(try flapping(venue).count == 4)
    #expect(try flapping(venue).advice == .exitDelay(.seconds(55)))  // 40.1 s and a quarter more
  }

  @Test func `who comes back much later has not flapped`() throws {
    var venue = Venue(Venue.region())
    for visit in 0..<5 { venue.hear(from: Double(visit) * 600, to: Double(visit) * 600 + 10) }
    #expect(try flapping(venue) == Flapping(count: 0, advice: nil))
  }

  @Test func `single sightings are strays, and more of them are advised`() throws {
    var venue = Venue(Venue.region())
    for visit in 0..<5 { venue.hear(Double(visit) * 600) }
    venue.pass(to: 5000)
    #expect(try flapping(venue).count == 5)
    #expect(try flapping(venue).advice == .enterSightings(2))
  }

  @Test func `departures that are taken back ask for a wider distance of leaving`() throws {
    var venue = Venue(Venue.region(within: 3))
    for visit in 0..<6 {
      venue.hear(from: Double(visit) * 20, to: Double(visit) * 20 + 8, metres: 1)
      venue.hear(from: Double(visit) * 20 + 8, to: Double(visit) * 20 + 20, metres: 20)
    }
    #expect(try flapping(venue).count == 5)
    #expect(try flapping(venue).advice == .leaveBeyond(7))
  }

  @Test func `two are chance`() throws {
    var venue = Venue(Venue.region())
    for visit in 0..<3 { venue.hear(from: Double(visit) * 50, to: Double(visit) * 50 + 10) }
    #expect(try flapping(venue) == Flapping(count: 2, advice: nil))
  }

  @Test func `after two days all is forgotten, heard or not`() throws {
    var venue = Venue(Venue.region())
    for visit in 0..<5 { venue.hear(from: Double(visit) * 50, to: Double(visit) * 50 + 10) }
    venue.pass(to: 86_400)
    #expect(try flapping(venue).count == 4)
    venue.pass(to: 2 * 86_400)
    #expect(try flapping(venue).count == 0)
  }
}
