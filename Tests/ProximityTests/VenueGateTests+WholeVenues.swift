import BeaconAdvertising
import Beacons
import Events
import Geodesy
import IndoorPositioning
import Instants
import Proximity
import Ranging
import Regions
import Testing
import Venues

/// Regions that are whole venues.
extension VenueGateTests {
  static let whole = PlaceRegion(identifier: "hall", area: VenueArea(.whole, venue: "hall"))

  @Test func `the silence of a venue counts from the start of the clock`() {
    var device = Device(Self.hall, Self.whole)
    device.driver.start(at: device.at(1000))
    device.pass(to: 1059)
    #expect(device.log.isEmpty)
    device.pass(to: 1100)
    #expect(device.log == ["1060.0 state outside fix"])
  }

  @Test func `silence does not affect a venue while the scan is held off far from a circle`() throws {
    var device = Device(Self.hall, Self.whole)
    let center = try #require(Coordinate(latitude: 48.1, longitude: 11))
    let place = try #require(Coordinate(latitude: 10, longitude: 11))
    let circle = try #require(Circle(center: center, radius: 100))
    device.driver.adjust { engine in
      engine.add(.circle(CircularRegion(identifier: "museum", circle: circle, gate: CircularRegion.Gate())), at: engine.now)
    }
    device.take(device.driver.step(Fix(place: place, accuracy: 5, time: device.at(0), isLasting: true), at: device.at(0)))
    device.pass(to: 50)
    try #require(!device.driver.engine.isScanWorthwhile)
    device.pass(to: 200)
    #expect(device.driver.engine.watch("hall")?.state == .unknown)
  }

  @Test func `beacons that are heard without an RSSI enter the venue`() {
    var device = Device(Self.hall, Self.whole)
    for second in 0..<10 {
      let sighting = Sighting(beacon: Self.hall.beacons[0].identity, measuredPower: -59, rssi: nil, time: device.at(Double(second)))
      device.take(device.driver.step([sighting], through: sighting.time))
    }
    #expect(device.log == ["7.0 enter inside approach"])
  }

  @Test func `a passer-by after a pause of the adapters does not resume a visit that has ended`() {
    var device = Device(Self.hall, Self.whole)
    device.hear(from: 0, to: 20)
    device.pass(to: 200)
    device.driver.adjust { $0.setReception(.all(.lost), at: Instant(microseconds: 200_000_000)) }
    device.pass(to: 300)
    device.driver.adjust { $0.setReception(.all(.hearing), at: Instant(microseconds: 300_000_000)) }
    device.hear(from: 301, to: 303)
    device.pass(to: 500)
    #expect(device.log.count { $0.contains("enter") } == 1 && device.driver.engine.watch("hall")?.state == .outside)
  }

  @Test(arguments: [true, false])
  func `a visit that a lasting location began ends after it is replaced or dropped`(isReplaced: Bool) throws {
    var device = Device(Self.hall, Self.whole)
    try device.fix(1, east: 20, isLasting: true)
    device.pass(to: 100)
    // The next location is close to the circle, so that it neither confirms nor excludes the venue.
    if isReplaced { try device.fix(100, east: 75, accuracy: 20, isLasting: true) } else { device.driver.openVenues() }
    device.pass(to: 300)
    #expect(device.log == ["3.0 enter inside approach", "165.0 exit outside departure"])
  }

  @Test func `a fix in the circle still counts when the adapters are lost, and the venue is unknown when it expires`() throws {
    var device = Device(Self.hall, Self.whole)
    try device.fix(1, east: 20)
    device.pass(to: 100)
    device.driver.adjust { $0.setReception(.all(.lost), at: Instant(microseconds: 100_000_000)) }
    device.pass(to: 200)
    #expect(device.log.first == "3.0 enter inside approach" && device.driver.engine.watch("hall")?.state == .inside)
    device.pass(to: 400)
    #expect(device.log.last == "301.0 state unknown locationLost")
  }

  @Test func `a region is unknown once its venue is removed or renamed`() {
    var renamed = Self.hall
    renamed.id = "gallery"
    for venues in [[], [renamed]] {
      var device = Device(Self.hall, Self.whole)
      device.hear(from: 0, to: 20)
      device.driver.replaceVenues(with: venues)
      device.pass(to: 30)
      #expect(device.log == ["7.0 enter inside approach", "19.8 state unknown locationLost"])
    }
  }

  @Test func `a venue is entered when its beacons have been heard for 5 s, and left after 60 s of silence`() throws {
    var device = Device(Self.hall, Self.whole)
    device.hear(from: 100, to: 120)
    device.pass(to: 300)
    #expect(device.log == ["60.0 state outside fix", "107.0 enter inside approach", "184.8 exit outside departure"])
    #expect(device.driver.nextWake == .never && device.driver.demand == .presence)
  }

  @Test func `a device that passes by hears beacons for too short a time to enter the venue`() throws {
    var device = Device(Self.hall, Self.whole)
    device.hear(from: 100, to: 103)
    device.pass(to: 300)
    device.hear(from: 300, to: 302)
    device.pass(to: 400)
    #expect(device.log == ["60.0 state outside fix"])
  }

  @Test func `a fix in the circle enters the venue, and one that excludes it leaves the venue`() throws {
    var device = Device(Self.hall, Self.whole)
    try device.fix(1, east: 1000)
    try device.fix(50, east: 20)
    device.pass(to: 100)
    try device.fix(100, east: 300)
    device.pass(to: 200)
    #expect(device.log == ["1.0 state outside fix", "52.0 enter inside approach", "105.0 exit outside departure"])
  }

  @Test func `a venue is unknown while no adapter can hear, and its visit continues afterwards`() throws {
    var device = Device(Self.hall, Self.whole)
    device.hear(from: 0, to: 20)
    device.driver.adjust { $0.setReception(.all(.lost), at: Instant(microseconds: 20_000_000)) }
    device.pass(to: 200)
    device.driver.adjust { $0.setReception(.all(.hearing), at: Instant(microseconds: 200_000_000)) }
    device.hear(from: 201, to: 210)
    #expect(device.log == ["7.0 enter inside approach", "20.0 state unknown locationLost", "201.0 state inside fix"])
    device.pass(to: 400)
    #expect(device.log.last == "274.8 exit outside departure")
  }

  @Test func `a visit ends after the silence that follows an adapter's return`() throws {
    var device = Device(Self.hall, Self.whole)
    device.hear(from: 0, to: 20)
    device.driver.adjust { $0.setReception(.all(.lost), at: Instant(microseconds: 20_000_000)) }
    device.pass(to: 200)
    device.driver.adjust { $0.setReception(.all(.hearing), at: Instant(microseconds: 200_000_000)) }
    device.pass(to: 400)
    #expect(device.log.last == "265.0 exit outside departure")
  }

  @Test func `the events of a venue do not depend on the batches of the sightings`() throws {
    func events(_ batch: Int) -> [String] {
      var device = Device(Self.hall, Self.whole, PlaceRegion(identifier: "level", area: VenueArea(.level("ground"))))
      let sightings = (0..<2000).map { step in
        Sighting(
          beacon: Self.hall.beacons[step % 6].identity, measuredPower: -59, rssi: -70, time: device.at(10 + Double(step) / 30))
      }
      for start in stride(from: 0, to: sightings.count, by: batch) {
        let part = Array(sightings[start..<min(start + batch, sightings.count)])
        device.take(device.driver.step(part, through: part[part.count - 1].time))
      }
      device.pass(to: 300)
      return device.log
    }
    let single = events(1)
    #expect(single.contains { $0.contains("enter") } && single.contains { $0.contains("exit") })
    #expect(events(17) == single && events(2000) == single)
  }
}
