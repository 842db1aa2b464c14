import Instants
import Testing
import Venues

@testable import Simulation

@Suite struct VenueTests {
  @Test(arguments: [
    (PlanPoint(x: 0, y: 0), PlanPoint(x: 10, y: 0), true), (PlanPoint(x: 10, y: 0), PlanPoint(x: 0, y: 0), true),
    (PlanPoint(x: 0, y: 0), PlanPoint(x: 4, y: 0), false), (PlanPoint(x: 0, y: 3), PlanPoint(x: 10, y: 3), false),
    (PlanPoint(x: 0, y: 2), PlanPoint(x: 10, y: 2), true), (PlanPoint(x: 5, y: 1), PlanPoint(x: 5, y: 2), false),
    (PlanPoint(x: 0, y: -5), PlanPoint(x: 10, y: 5), true),
  ])
  func `a wall lies between the points that its line separates`(a: PlanPoint, b: PlanPoint, stands: Bool) {
    let wall = VenueWall(from: PlanPoint(x: 5, y: -2), to: PlanPoint(x: 5, y: 2), attenuation: 8)
    #expect(wall.stands(between: a, and: b) == stands)
  }

  private static let path = VisitorPath(
    [
      .init(at: .seconds(10), place: PlanPoint(x: 0, y: 0)), .init(at: .seconds(20), place: PlanPoint(x: 10, y: 20)),
      .init(at: .seconds(25), place: PlanPoint(x: 10, y: 20)),
    ], every: .seconds(60))

  @Test(arguments: [
    (9.0, nil), (10, PlanPoint(x: 0, y: 0)), (15, PlanPoint(x: 5, y: 10)), (20, PlanPoint(x: 10, y: 20)), (25, PlanPoint(x: 10, y: 20)),
    (25.1, nil),
    (69.9, nil), (75, PlanPoint(x: 5, y: 10)), (615, PlanPoint(x: 5, y: 10)),
  ])
  func `a path goes straight, waits, ends and starts again`(seconds: Double, place: PlanPoint?) {
    #expect(Self.path.location(at: .seconds(seconds))?.point == place)
  }

  @Test func `a path reports when it next starts or ends a leg`() {
    var changes: [Double] = []
    var time = Span.seconds(-1)
    while changes.count < 7, let next = Self.path.nextChange(after: time) {
      changes.append(next.seconds)
      time = next
    }
    #expect(changes == [10, 20, 25, 25.000001, 70, 80, 85])
    #expect(VisitorPath([.init(at: .seconds(1), place: PlanPoint(x: 0, y: 0))]).nextChange(after: .seconds(2)) == nil)
    #expect([9.9, 10, 19.9, 20, 24, 26].map { Self.path.isMoving(at: .seconds($0)) } == [false, true, true, false, false, false])
  }

  @Test func `the moments of faults come in order of time`() {
    var schedule = FaultSchedule(
      [
        Fault(.outage(adapter: 1, noticedAfter: .seconds(5)), at: .seconds(10), lasts: .seconds(20), every: .seconds(100)),
        Fault(.outage(adapter: 0, noticedAfter: .seconds(5)), at: .seconds(12), lasts: .seconds(3)),
        Fault(.clockStep(by: .seconds(-3600)), at: .seconds(15)), Fault(.restart, at: .seconds(29), lasts: .seconds(2)),
      ], from: .at(0))
    var moments: [(Double, FaultChange)] = []
    while moments.count < 10 {
      let time = schedule.next - .at(0)
      guard let change = schedule.take() else { break }
      moments.append((time.seconds, change))
    }
    #expect(moments.map(\.0) == [10, 12, 15, 15, 15, 29, 30, 31, 110, 115])
    #expect(
      moments.map(\.1) == [
        .adapterOut(1), .adapterOut(0), .outageNoticed(1), .adapterBack(0), .clockStep(by: .seconds(-3600)), .daemonEnds, .adapterBack(1),
        .daemonStarts, .adapterOut(1), .outageNoticed(1),
      ])
  }

  @Test func `each wall reduces the level, and an absent beacon has no position`() {
    var scenario = Scenario.still(metres: 10, duration: .seconds(1))
    scenario.walls = [3, 6, 20].map { VenueWall(from: PlanPoint(x: $0, y: -1), to: PlanPoint(x: $0, y: 1), attenuation: 5) }
    scenario.visitors = [VisitorPath([.init(at: .seconds(0), place: PlanPoint(x: 0, y: 0))])]
    scenario.receivers.append(Receiver(position: .carried(by: 0), offset: -3))
    let venue = SimulatedVenue(scenario, seed: 1)
    let places = (
      beacon: BuildingPoint(point: PlanPoint(x: 10, y: 0), storey: 0), receiver: BuildingPoint(point: PlanPoint(x: 0, y: 0), storey: 0)
    )
    #expect(abs(venue.level(beacon: 0, receiver: 0, places) - (-59 - 27 - 10)) < 1e-9)
    #expect(abs(venue.level(beacon: 0, receiver: 1, places) - (-59 - 27 - 13)) < 1e-9)
    #expect(venue.places(beacon: 0, receiver: 1, at: .at(0)) != nil && venue.places(beacon: 0, receiver: 1, at: .at(1)) == nil)
  }
}
