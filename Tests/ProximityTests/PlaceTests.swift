import Events
import Geodesy
import Instants
import Proximity
import Regions
import Testing

/// Places in venues by hand: estimates once a second, each with the probability that the device is in a room.
@Suite struct PlaceTests {
  private static let room = VenueArea(.place("room-5"), venue: "gallery")
  private static let hall = VenueArea(.place("hall"), venue: "gallery")

  /// An engine that monitors one room, and its events as text.
  private struct Visit {
    var engine = ProximityEngine(at: .seconds(0))
    var log: [String] = []

    init(_ regions: [PlaceRegion] = [PlaceRegion(identifier: "room", area: PlaceTests.room)]) {
      for region in regions { engine.add(.place(region), at: .seconds(0)) }
    }

    mutating func estimate(_ seconds: ClosedRange<Int>, _ probability: Double, of area: VenueArea = PlaceTests.room) {
      for second in seconds {
        engine.ingest(PlaceEstimate(fix: nil, probabilities: [area: probability]), at: .seconds(Double(second)))
        drain()
      }
    }

    mutating func pass(to seconds: Double) {
      engine.advance(to: .seconds(seconds))
      drain()
    }

    mutating func drain() {
      for transition in engine.drainEvents().map(\.transition) {
        let probability = transition.probability.map { " \($0)" } ?? ""
        log.append("\((transition.time - .seconds(0)).seconds) \(transition.kind) \(transition.state) \(transition.cause)\(probability)")
      }
    }
  }

  @Test func `a place is entered with most of the probability inside, and left after 2 seconds with little`() {
    var visit = Visit()
    visit.estimate(0...9, 0.1)
    visit.estimate(10...20, 0.87)
    visit.estimate(21...30, 0.2)
    #expect(visit.log == ["0.0 state outside fix 0.1", "10.0 enter inside approach 0.87", "23.0 exit outside departure 0.2"])
  }

  @Test func `a device that begins to move leaves the place where it never moved`() {
    var visit = Visit()
    visit.engine.ingest(PlaceEstimate(fix: nil, probabilities: [Self.room: 1], isLasting: true), at: .seconds(0))
    for second in 10...20 { visit.engine.ingest(Self.estimate("gallery", [Self.room: 0]), at: .seconds(Double(second))) }
    visit.pass(to: 21)
    #expect(visit.log.last?.contains("exit outside") == true, "\(visit.log)")
  }

  private static func estimate(_ venue: String, _ probabilities: [VenueArea: Double], isLasting: Bool = false) -> PlaceEstimate {
    let place = Coordinate(latitude: 48, longitude: 11).map { Fix(place: $0, accuracy: venue == "gallery" ? 2 : 3, time: .seconds(0)) }
    return PlaceEstimate(venue: venue, fix: place, probabilities: probabilities, isLasting: isLasting)
  }

  @Test func `the places of two venues expire apart, and the lasting absence from one keeps its places outside`() {
    let shop = VenueArea(.place("till"), venue: "shop")
    var visit = Visit([PlaceRegion(identifier: "room", area: Self.room), PlaceRegion(identifier: "till", area: shop)])
    for second in 0...5 {
      visit.engine.ingest(Self.estimate("gallery", [Self.room: 1]), at: .seconds(Double(second)))
      if second == 4 { visit.engine.ingest(Self.estimate("shop", [shop: 0], isLasting: true), at: .seconds(4.5)) }
      visit.drain()
    }
    visit.pass(to: 100)
    #expect(
      visit.log == ["0.0 enter inside approach 1.0", "4.5 state outside fix 0.0", "15.0 state unknown locationLost"])
    #expect(visit.engine.watch("till")?.state == .outside && visit.engine.watch("room")?.state == .unknown)
    #expect(visit.engine.nextDeadline == .never)
  }

  @Test func `the event of a place has the probability and the location of its venue, whatever another venue reports`() throws {
    let shop = VenueArea(.place("till"), venue: "shop")
    var visit = Visit([PlaceRegion(identifier: "room", area: Self.room), PlaceRegion(identifier: "till", area: shop)])
    visit.engine.ingest(Self.estimate("gallery", [Self.room: 0.9]), at: .seconds(0))
    visit.engine.ingest(Self.estimate("shop", [shop: 0], isLasting: true), at: .seconds(1))
    visit.engine.advance(to: .seconds(3))
    let enter = try #require(visit.engine.drainEvents().map(\.transition).first { $0.kind == .enter })
    #expect(enter.probability == 0.9 && enter.fix?.accuracy == 2)
  }

  @Test func `a place of two venues is entered in either of them, and not left because of the other one`() {
    let lobby = VenueArea(.place("lobby"))
    var visit = Visit([PlaceRegion(identifier: "lobby", area: lobby)])
    visit.engine.ingest(Self.estimate("shop", [lobby: 0], isLasting: true), at: .seconds(0))
    for second in 1...30 {
      visit.engine.ingest(Self.estimate("gallery", [lobby: 0.8]), at: .seconds(Double(second)))
      if second % 5 == 0 { visit.engine.ingest(Self.estimate("shop", [lobby: 0], isLasting: true), at: .seconds(Double(second) + 0.5)) }
      visit.drain()
    }
    visit.pass(to: 100)
    #expect(visit.log == ["0.0 state outside fix 0.0", "1.0 enter inside approach 0.8", "40.0 state unknown locationLost"])
  }

  @Test func `a probability between the limits changes nothing, and one second with little is not enough to leave a place`() {
    var visit = Visit()
    visit.estimate(0...4, 0)
    visit.estimate(5...20, 0.59)
    #expect(visit.log == ["0.0 state outside fix 0.0"])
    visit.estimate(21...30, 0.6)
    visit.estimate(31...31, 0.1)
    visit.estimate(32...60, 0.41)
    #expect(visit.log.dropFirst() == ["21.0 enter inside approach 0.6"])
    visit.estimate(61...65, 0.4)
    #expect(visit.log.dropFirst(2) == ["63.0 exit outside departure 0.4"])
  }

  @Test func `a level is entered after 2 seconds with most of the probability on it, and left after 5 with little`() {
    let ground = VenueArea(.level("ground"), venue: "gallery")
    var visit = Visit([PlaceRegion(identifier: "ground", area: ground)])
    visit.estimate(0...4, 0, of: ground)
    visit.estimate(5...5, 0.9, of: ground)
    visit.estimate(6...20, 0.59, of: ground)
    #expect(visit.log == ["0.0 state outside fix 0.0"])
    visit.estimate(21...30, 0.6, of: ground)
    visit.estimate(31...34, 0.1, of: ground)
    visit.estimate(35...60, 0.26, of: ground)
    visit.estimate(61...70, 0.25, of: ground)
    #expect(visit.log.dropFirst() == ["23.0 enter inside approach 0.6", "66.0 exit outside departure 0.25"])
  }

  @Test func `a place is unknown 10 seconds after the last estimate, and an estimate inside continues the visit without an enter`() {
    var visit = Visit()
    visit.estimate(0...3, 0)
    visit.estimate(4...8, 1)
    visit.pass(to: 100)
    visit.estimate(101...103, 0.7)
    #expect(
      visit.log == [
        "0.0 state outside fix 0.0", "4.0 enter inside approach 1.0", "18.0 state unknown locationLost", "101.0 state inside fix 0.7",
      ])
  }

  @Test func `a visit of the dwell causes one dwell event, and unknown time does not count`() {
    var visit = Visit([PlaceRegion(identifier: "room", area: Self.room, dwell: .seconds(30))])
    visit.estimate(0...1, 0)
    visit.estimate(2...10, 1)
    visit.pass(to: 40)
    visit.estimate(41...80, 1)
    #expect(visit.log.contains("53.0 dwell inside stay 1.0"), "\(visit.log)")
    #expect(visit.log.count { $0.contains("dwell") } == 1)
  }

  @Test func `an estimate that does not judge a place leaves its state`() {
    var visit = Visit()
    visit.estimate(0...5, 0)
    visit.estimate(6...14, 1, of: Self.hall)
    #expect(visit.log == ["0.0 state outside fix 0.0"])
  }

  @Test func `two regions of one place and a region of another each have their own state`() {
    var visit = Visit([
      PlaceRegion(identifier: "room", area: Self.room), PlaceRegion(identifier: "same", owner: .session(1), area: Self.room),
      PlaceRegion(identifier: "hall", area: Self.hall),
    ])
    visit.estimate(0...5, 1)
    #expect(visit.engine.areas == [Self.room, Self.hall])
    #expect(visit.engine.watch("room")?.state == .inside && visit.engine.watch("same", of: .session(1))?.state == .inside)
    #expect(visit.engine.watch("hall")?.state == .unknown)
    visit.engine.remove(["room"], of: .config)
    #expect(visit.engine.watch("room") == nil && visit.engine.watch("hall")?.region.identifier == "hall")
    visit.estimate(6...12, 0)
    #expect(visit.engine.watch("same", of: .session(1))?.state == .outside)
  }

  @Test func `a region that becomes a place keeps its last state, so that enters and exits alternate`() throws {
    var visit = Visit([])
    let center = try #require(Coordinate(latitude: 48, longitude: 11))
    visit.engine.add(
      .circle(CircularRegion(identifier: "room", circle: try #require(Circle(center: center, radius: 100)))), at: .seconds(0))
    for second in [0.0, 30] { visit.engine.ingest(Fix(place: center, accuracy: 3, time: .seconds(second)), at: .seconds(second)) }
    visit.drain()
    visit.engine.add(.place(PlaceRegion(identifier: "room", area: Self.room)), at: .seconds(40))
    visit.estimate(41...50, 0)
    #expect(visit.log.map { $0.split(separator: " ")[1] } == ["enter", "exit"])
    #expect(visit.engine.watch("room")?.region.kind == .place)
  }

  @Test func `a saved visit continues in the next process, and ends after a long outage`() throws {
    var visit = Visit()
    visit.estimate(0...5, 0)
    visit.estimate(6...10, 1)
    let saved = try #require(visit.engine.saved("room") { $0 })
    #expect(saved.mark == .area(Self.room))
    var next = Visit()
    next.engine.restore([saved], after: .seconds(60), at: .seconds(70)) { $0 }
    next.estimate(71...72, 1)
    #expect(next.log == ["71.0 state inside fix 1.0"])
    var late = Visit()
    late.engine.restore([saved], after: .seconds(3600), at: .seconds(3610)) { $0 }
    late.drain()
    #expect(late.log == ["3610.0 exit outside outage"])
  }

  @Test func `an estimate that is cut into other steps gives the same events`() {
    var (whole, cut) = (Visit(), Visit())
    whole.estimate(0...3, 0)
    whole.estimate(4...30, 1)
    for second in 0...30 {
      cut.pass(to: Double(second) - 0.3)
      cut.estimate(second...second, second < 4 ? 0 : 1)
      cut.pass(to: Double(second) + 0.6)
    }
    #expect(whole.log == cut.log && whole.log.count == 2)
  }
}
