import Events
import Geodesy
import Instants
import Locations
import Proximity
import Ranging
import Regions
import Testing

/// Circles by hand: positions are metres east of the center of a circle of 100 m on the equator.
@Suite struct CircleTests {
  @Test func `a circle is entered after 20 seconds inside, and left after 20 seconds beyond the buffer`() throws {
    var walk = try Walk()
    walk.fix(0, east: 500)
    walk.fix(10, east: 95, accuracy: 4)
    walk.fix(29, east: 0, accuracy: 4)
    walk.fix(100, east: 123, accuracy: 4)  // within the buffer of 20 m, by its accuracy
    walk.fix(110, east: 125, accuracy: 4)
    walk.fix(131, east: 300, accuracy: 4)
    #expect(walk.log == ["0.0 state outside fix", "30.0 enter inside approach", "130.0 exit outside departure"])
  }

  @Test(arguments: [(0.0, 0.0), (0, 180), (0, -180), (90, 0), (-90, 55)])
  func `a circle at the edge of the coordinates is entered and left, and the one on the other side of the earth is not`(
    latitude: Double, longitude: Double
  ) throws {
    let here = try #require(Coordinate(latitude: latitude, longitude: longitude))
    let opposite = try #require(Coordinate(latitude: -latitude, longitude: longitude + 180))
    var engine = ProximityEngine(at: .seconds(0))
    for (name, center) in [("here", here), ("opposite", opposite)] {
      engine.add(
        .circle(CircularRegion(identifier: name, circle: try #require(Circle(center: center, radius: 100)))), at: .seconds(0))
    }
    var log: [String] = []
    func fix(_ seconds: Double, _ place: Coordinate) {
      engine.ingest(Fix(place: place, accuracy: 3, time: .seconds(seconds)), at: .seconds(seconds))
      for transition in engine.drainEvents().map(\.transition) where transition.kind != .state {
        log.append("\((transition.time - .seconds(0)).seconds) \(transition.kind) \(transition.region.identifier)")
      }
    }
    let away = here.destination(azimuth: 123, distance: 5000).coordinate
    for (second, place) in [(0.0, away), (30, here), (60, here), (90, away), (120, away), (150, opposite), (180, opposite)] {
      fix(second, place)
    }
    #expect(log == ["50.0 enter here", "110.0 exit here", "170.0 enter opposite"])
  }

  @Test func `a circle of nearly half the earth is not entered from outside`() throws {
    let center = try #require(Coordinate(latitude: 0, longitude: 179.6))
    let circle = try #require(Circle(center: center, radius: 19_970_000))
    let region = CircularRegion(identifier: "wide", circle: circle)
    var engine = ProximityEngine(at: .seconds(0))
    engine.add(.circle(region), at: .seconds(0))
    func fix(_ seconds: Double, longitude: Double) throws -> Double {
      let fix = Fix(place: try #require(Coordinate(latitude: 0, longitude: longitude)), accuracy: 3, time: .seconds(seconds))
      engine.ingest(fix, at: .seconds(seconds))
      return region.boundaryDistance(to: fix)
    }
    let first = try fix(0, longitude: 0.1)
    let second = try fix(60, longitude: 0.1)
    #expect(first > 0 && second > 0)
    #expect(engine.watch("wide")?.state == .unknown)
    let third = try fix(120, longitude: 1)
    #expect(third < 0)
    engine.advance(to: .seconds(140))
    #expect(engine.watch("wide")?.state == .inside)

    let origin = try #require(Coordinate(latitude: 0, longitude: 0))
    let small = try #require(Circle(center: origin, radius: 100))
    let antipode = try #require(Coordinate(latitude: 0, longitude: 180))
    #expect(small.contains(origin) && !small.contains(antipode))
  }

  @Test func `a hold ends without another fix`() throws {
    var walk = try Walk()
    walk.fix(0, east: 0)
    #expect(walk.engine.nextDeadline == .seconds(20))
    walk.pass(to: 20)
    #expect(walk.log == ["20.0 enter inside approach"])
  }

  @Test(arguments: [(97.0, 4.0), (0, 101), (130, 3)])
  func `a contradicting fix restarts the hold, unless it is too coarse`(
    east: Double, accuracy: Double
  ) throws {
    var walk = try Walk()
    walk.fix(0, east: 0)
    walk.fix(15, east: east, accuracy: accuracy)
    walk.fix(16, east: 0)
    walk.pass(to: 40)
    let isCoarse = accuracy > 100
    #expect(walk.log.last == (isCoarse ? "20.0 enter inside approach" : "36.0 enter inside approach"))
  }

  @Test(arguments: [(59.0, 40.0, true), (61, 40, false), (45, 55, true), (49.9, 99, true), (50.1, 99, false)])
  func `an accuracy of more than half the radius counts as half`(east: Double, accuracy: Double, enters: Bool) throws {
    var walk = try Walk()
    walk.fix(0, east: east, accuracy: accuracy)
    walk.pass(to: 20)
    #expect(walk.engine.watch("shop")?.state == (enters ? .inside : .unknown))
  }

  @Test func `two fixes on either side of a circle are one crossing and no change of state`() throws {
    var walk = try Walk()
    walk.fix(0, east: -400)
    walk.fix(10, east: 400)
    walk.fix(20, east: -400, accuracy: 101)
    walk.fix(81, east: 400)
    #expect(walk.log == ["0.0 state outside fix", "10.0 cross outside passage"])
  }

  @Test func `a source that claims millimetre accuracy is handled like any other`() throws {
    var walk = try Walk()
    walk.fix(0, east: -5000, accuracy: 0.001)
    walk.fix(10, east: 4000, accuracy: 0.001)
    #expect(walk.log == ["0.0 state outside fix", "10.0 cross outside passage"])
  }

  @Test func `an event names the deciding fix, not a later coarse one`() throws {
    var walk = try Walk()
    walk.fix(0, east: 10)
    walk.fix(15, east: 900, accuracy: 500)
    walk.pass(to: 20)
    #expect(walk.log == ["20.0 enter inside approach"])
    #expect(walk.fixes.last??.accuracy == 3)
  }

  @Test func `the required accuracy follows the smallest remaining circle`() throws {
    var engine = try Walk().engine
    for (name, radius) in [("a", 10.0), ("b", 10), ("c", 400)] { engine.add(try Walk.region(name, radius: radius), at: .seconds(0)) }
    var wanted: [Double?] = []
    for name in ["a", "b", "c", "shop"] {
      wanted.append(engine.wantedAccuracy)
      engine.remove([name], of: .config)
    }
    #expect(wanted == [5, 5, 50, 50])
    #expect(engine.wantedAccuracy == nil)
  }

  @Test func `a circle with both crossings muted reports no crossing`() throws {
    var walk = try Walk(notifyOnEntry: false, notifyOnExit: false)
    for second in 0..<10 { walk.fix(Double(second), east: second.isMultiple(of: 2) ? -400 : 400) }
    #expect(walk.log == ["0.0 state outside fix"])
    walk.fix(10, east: 0)
    walk.pass(to: 30)
    #expect(walk.log.last == "30.0 state inside approach")
  }

  @Test func `a circle without a sufficient fix for five minutes is unknown, and recovers without a crossing`() throws {
    var walk = try Walk()
    walk.fix(0, east: 0)
    for second in 1...10 { walk.fix(Double(second * 29), east: 0, accuracy: 150) }
    walk.pass(to: 300)
    walk.fix(500, east: 110)
    walk.fix(600, east: 300)
    walk.pass(to: 620)
    #expect(
      walk.log == [
        "20.0 enter inside approach", "300.0 state unknown locationLost", "500.0 state inside fix", "620.0 exit outside departure",
      ])
  }

  @Test func `a lost source makes a circle unknown at once`() throws {
    var walk = try Walk()
    walk.fix(0, east: 300)
    walk.engine.loseFixes(at: .seconds(5))
    walk.pass(to: 6)
    #expect(walk.log == ["0.0 state outside fix", "5.0 state unknown locationLost"])
    #expect(walk.engine.nextDeadline == .never)
  }

  @Test func `a fixed location stays valid, also for circles that are added later`() throws {
    var walk = try Walk()
    walk.engine.ingest(try Walk.fix(0, east: 0, accuracy: 5, isLasting: true), at: .seconds(0))
    walk.pass(to: 100_000)
    walk.engine.add(try Walk.region("new"), at: .seconds(100_000))
    walk.pass(to: 100_100)
    #expect(walk.log == ["20.0 enter inside approach", "100020.0 enter inside approach"])
    #expect(walk.engine.nextDeadline == .never)
  }

  @Test func `old and late fixes are ignored`() throws {
    var walk = try Walk()
    walk.engine.ingest(try Walk.fix(-300, east: 0), at: .seconds(0))
    walk.pass(to: 30)
    #expect(walk.log == [])
    walk.engine.ingest(try Walk.fix(-200, east: 300), at: .seconds(40))
    walk.engine.ingest(try Walk.fix(-201, east: 0), at: .seconds(41))
    walk.pass(to: 100)
    #expect(walk.log == ["40.0 state outside fix", "100.0 state unknown locationLost"])
  }

  @Test func `a dwell is reported once, without another fix`() throws {
    var walk = try Walk(dwell: 60)
    walk.fix(0, east: 0)
    walk.pass(to: 200)
    #expect(walk.log == ["20.0 enter inside approach", "80.0 dwell inside stay"])
  }

  @Test func `a region that changes between circle and beacons keeps its state`() throws {
    var walk = try Walk()
    walk.fix(0, east: 0)
    walk.pass(to: 20)
    walk.engine.add(.beacon(Venue.region("shop", exitDelay: 5)), at: .seconds(21))
    walk.pass(to: 30)
    walk.engine.add(try Walk.region("shop"), at: .seconds(31))
    walk.fix(32, east: 0)
    walk.pass(to: 60)
    #expect(walk.log == ["20.0 enter inside approach", "26.0 exit outside silence", "51.0 enter inside approach"])
    #expect(walk.engine.regionCount == 1)
  }

  @Test func `a visitor inside stays when beacons become a circle, and the dwell is reported`() throws {
    var walk = try Walk()
    walk.fix(0, east: 0)
    walk.pass(to: 20)
    walk.engine.add(.beacon(Venue.region("shop", exitDelay: 500)), at: .seconds(21))
    walk.engine.add(try Walk.region("shop", dwell: 60), at: .seconds(22))
    walk.fix(23, east: 0)
    walk.pass(to: 100)
    #expect(walk.log == ["20.0 enter inside approach", "22.0 state inside fix", "82.0 dwell inside stay"])
  }

  @Test func `a moved circle is unknown until the next fix, and reports only crossings`() throws {
    var walk = try Walk()
    walk.fix(0, east: 0)
    walk.pass(to: 20)
    walk.engine.add(try Walk.region("shop", radius: 90), at: .seconds(21))
    #expect(walk.engine.watch("shop")?.state == .unknown)
    walk.pass(to: 60)
    #expect(walk.log == ["20.0 enter inside approach", "21.0 state inside fix"])
  }

  @Test func `a visitor who goes in and out repeatedly causes advice about the radius`() throws {
    var walk = try Walk()
    for round in 0..<4 {
      walk.fix(Double(round * 60), east: 0)
      walk.fix(Double(round * 60 + 30), east: 200)
    }
    walk.pass(to: 250)
    let flapping = try #require(walk.engine.watch("shop")?.flapping(at: .seconds(250)))
    #expect(flapping == Flapping(count: 3, advice: .radius(150)))
  }

  @Test func `a location without accuracy decides nothing at a boundary`() throws {
    let reading = LocationReading(latitude: 1, longitude: 2)
    let location = try Location(reading, from: Location.Source("nmea"), at: Receipt(recorded: .seconds(0)))
    #expect(Fix(location, at: .seconds(0)) == nil)
  }
}
