import BeaconAdvertising
import Beacons
import Instants
import Proximity
import Regions
import Testing

@Suite struct NearnessTests {
  @Test func `two seconds within the distance cause an enter`() {
    var venue = Venue(Venue.region(within: 3))
    venue.hear(from: 0, to: 5, metres: 1)
    #expect(venue.log == ["2.0 hall enter inside approach"])
  }

  @Test func `one near sighting, or two far apart, cause no enter`() {
    var venue = Venue(Venue.region(within: 3))
    venue.hear(0, metres: 1)
    venue.hear(4, metres: 1)
    venue.pass(to: 20)
    #expect(venue.log == [])
  }

  @Test func `near sightings with long silences between them cause no enter`() {
    var venue = Venue(Venue.region(within: 3))
    for time in stride(from: 0.0, to: 600, by: 6) { venue.hear(time, metres: 1) }
    #expect(venue.log == ["30.0 hall state outside silence"])
  }

  @Test func `one near sighting after an exit by silence causes no enter`() {
    var venue = Venue(Venue.region(within: 3))
    venue.hear(from: 0, to: 5, metres: 1)
    venue.hear(70, metres: 1)
    venue.pass(to: 80)
    #expect(venue.log == ["2.0 hall enter inside approach", "34.9 hall exit outside silence"])
    venue.hear(from: 90, to: 95, metres: 1)
    #expect(venue.log.last == "92.0 hall enter inside approach")
  }

  @Test func `a visitor who passes by does not enter`() {
    var venue = Venue(Venue.region(within: 3))
    venue.hear(from: 0, to: 5, metres: 30)
    venue.hear(from: 5, to: 6, metres: 1)
    venue.hear(from: 6, to: 20, metres: 30)
    #expect(venue.log == [])
  }

  @Test func `a distance between the two limits changes no state`() {
    var venue = Venue(Venue.region(within: 3))
    venue.hear(from: 0, to: 5, metres: 1)
    venue.hear(from: 5, to: 100, metres: 4)
    #expect(venue.log == ["2.0 hall enter inside approach"])
  }

  @Test func `two seconds beyond the leaving distance cause an exit`() throws {
    var venue = Venue(Venue.region(within: 3))
    venue.hear(from: 0, to: 5, metres: 1)
    venue.hear(from: 5, to: 25, metres: 20)
    #expect(venue.log.count == 2)
    let exit = try #require(venue.log.last)
    #expect(exit.hasSuffix("hall exit outside departure"))
    let time = try #require(Double(exit.prefix { $0 != " " }))
    #expect(time > 7 && time < 14)
  }

  @Test func `silence causes an exit after the exit delay at any distance`() {
    var venue = Venue(Venue.region(within: 3))
    venue.hear(from: 0, to: 5, metres: 1)
    venue.pass(to: 100)
    #expect(venue.log.last == "34.9 hall exit outside silence")
  }

  @Test func `a near beacon keeps a wildcard region inside while another fades`() {
    var venue = Venue(Venue.region(within: 3))
    venue.hear(from: 0, to: 5, minor: 1, metres: 1)
    for step in 0..<400 {
      venue.hear(5 + Double(step) / 10, minor: 1, metres: 20)
      venue.hear(5.05 + Double(step) / 10, minor: 2, metres: 1)
    }
    #expect(venue.log == ["2.0 hall enter inside approach"])
  }

  @Test func `a near beacon that falls silent holds the region for its exit delay only`() {
    var venue = Venue(Venue.region(within: 3))
    venue.hear(from: 0, to: 5, minor: 1, metres: 1)
    venue.hear(from: 5, to: 60, minor: 2, metres: 20)
    #expect(venue.log.last == "34.9 hall exit outside silence")
  }

  @Test func `a near beacon that fell silent long ago does not hide a departure`() throws {
    var venue = Venue(Venue.region(within: 3))
    venue.hear(from: 0, to: 5, minor: 1, metres: 1)
    venue.hear(from: 100, to: 110, minor: 2, metres: 1)
    venue.hear(from: 110, to: 150, minor: 2, metres: 20)
    let exit = try #require(venue.log.last)
    #expect(exit.hasSuffix("hall exit outside departure"))
    let time = try #require(Double(exit.prefix { $0 != " " }))
    #expect(time > 112 && time < 119)
  }

  @Test func `a near beacon in a short silence keeps a wildcard region inside while another is far`() {
    var venue = Venue(Venue.region(within: 3))
    venue.hear(from: 0, to: 5, minor: 1, metres: 1)
    venue.hear(from: 5, to: 30, minor: 2, metres: 20)
    venue.hear(30, minor: 1, metres: 1)
    venue.hear(from: 31, to: 55, minor: 2, metres: 20)
    #expect(venue.log == ["2.0 hall enter inside approach"])
  }

  @Test func `a region without a measurable distance is never entered, and names the beacon`() throws {
    var venue = Venue(Venue.region(within: 3))
    venue.hear(from: 0, to: 20, metres: 1, power: 3)
    #expect(venue.log == [])
    let culprit = try #require(venue.engine.watch("hall")?.beacon?.withoutDistance)
    #expect(culprit.beacon.minor == 1 && culprit.measuredPower == 3)
  }

  @Test func `a near beacon is inside again without an enter after a loss of hearing`() {
    var venue = Venue(Venue.region(within: 3))
    venue.hear(from: 0, to: 5, metres: 1)
    venue.reception(.lost, at: 10)
    venue.reception(.hearing, at: 12)
    venue.hear(from: 12, to: 20, metres: 1)
    #expect(venue.log == ["2.0 hall enter inside approach", "10.0 hall state unknown receiverLost", "12.0 hall state inside approach"])
  }
}
