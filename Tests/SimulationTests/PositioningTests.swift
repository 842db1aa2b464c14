import Geodesy
import Instants
import Locations
import Proximity
import Regions
import Testing
import Venues

@testable import Simulation

/// The position of a venue, the simulated receiver in it, and the scores of circles.
@Suite struct PositioningTests {
  private static let origin = { () -> Coordinate in
    guard let origin = Coordinate(latitude: 52, longitude: 13) else { preconditionFailure("no place") }
    return origin
  }()

  private static func circle(_ radius: Double, gate: CircularRegion.Gate? = nil) -> Region {
    guard let circle = Circle(center: origin, radius: radius) else { preconditionFailure("\(radius) m is not a radius") }
    return .circle(CircularRegion(identifier: "circle", circle: circle, gate: gate))
  }

  /// Returns a venue with a circle. A visitor walks from 400 m away to its middle, stays and leaves, at 2 m/s.
  private static func walker(_ receiver: PositionReceiver, regions: [Region] = [circle(100)]) -> Scenario {
    Scenario(
      name: "walker", duration: .seconds(1000),
      visitors: [
        VisitorPath([
          .init(at: .zero, place: PlanPoint(x: -400, y: 0)), .init(at: .seconds(200), place: PlanPoint(x: 0, y: 0)),
          .init(at: .seconds(600), place: PlanPoint(x: 0, y: 0)), .init(at: .seconds(800), place: PlanPoint(x: 400, y: 0)),
          .init(at: .seconds(1000), place: PlanPoint(x: 400, y: 0)),
        ])
      ], regions: regions, site: VenueSite(origin: origin), positioning: receiver)
  }

  private static let carried = PositionReceiver(position: .carried(by: 0), noise: 5)

  private func reports(_ scenario: Scenario, seed: UInt64 = 1) -> [(report: SourceReport, time: Instant)] {
    var simulator = Simulator(scenario, seed: seed, hasCrowd: false)
    var reports: [(SourceReport, Instant)] = []
    while let step = simulator.next() {
      if case .located(let report, let time) = step { reports.append((report, time)) }
    }
    return reports
  }

  private func readings(_ scenario: Scenario, seed: UInt64 = 1) -> [LocationReading] {
    reports(scenario, seed: seed).compactMap { if case .reading(let reading) = $0.report { reading } else { nil } }
  }

  private func score(_ scenario: Scenario, seed: UInt64 = 1) -> RegionScore {
    var simulator = Simulator(scenario, seed: seed, hasCrowd: false)
    var trial = EngineTrial(scenario)
    while let step = simulator.next() { trial.take(step) }
    return trial.score(against: VenueTruth(scenario, seed: seed)).total
  }

  // MARK: The position

  @Test(arguments: [(0.0, 0.0, 100.0), (90, 90, 190), (-45, -45, 55), (270, 270, 10)])
  func `the y axis points along the bearing, and the x axis to its right`(bearing: Double, y: Double, x: Double) {
    let site = VenueSite(origin: Self.origin, bearing: bearing)
    for (place, azimuth) in [(PlanPoint(x: 0, y: 500), y), (PlanPoint(x: 500, y: 0), y + 90)] {
      let line = Geodesic(from: Self.origin, to: site.coordinate(of: place))
      #expect(abs(line.distance - 500) < 1e-6)
      #expect(abs((line.initialAzimuth - azimuth).remainder(dividingBy: 360)) < 1e-6)
    }
  }

  // MARK: The receiver

  @Test(arguments: [(4.0, 0.0), (0.01, 4), (3, 4)]) func `the reported accuracy is one sigma along each axis`(
    noise: Double, drift: Double
  ) {
    let receiver = PositionReceiver(
      position: .fixed(PlanPoint(x: 0, y: 0)), noise: noise, drift: drift, driftTime: .seconds(20))
    let scenario = Scenario(name: "still", duration: .seconds(10_000), site: VenueSite(origin: Self.origin), positioning: receiver)
    let readings = readings(scenario)
    #expect(readings.count == 9_999)
    let plane = LocalPlane(at: Self.origin)
    let offsets = readings.compactMap { Coordinate(latitude: $0.latitude, longitude: $0.longitude).map(plane.offset(to:)) }
    let told = readings[0].horizontalAccuracy ?? 0
    #expect(abs(told - (noise * noise + drift * drift).squareRoot()) < 1e-12)
    for axis in [offsets.map(\.east), offsets.map(\.north)] {
      let variance = axis.reduce(0) { $0 + $1 * $1 } / Double(axis.count)
      #expect(abs(variance.squareRoot() / told - 1) < 0.15)
      // After the time of the drift, 1/e of it is left, and nothing of the noise.
      let common = zip(axis, axis.dropFirst(20)).reduce(0) { $0 + $1.0 * $1.1 } / Double(axis.count - 20)
      #expect(abs(common - drift * drift / 2.718) < 0.25 * told * told)
    }
  }

  @Test func `speed and course are those of the carrier, and absent without a measurement`() {
    let walking = readings(Self.walker(Self.carried))[50...150]
    let mean = walking.compactMap(\.speed).reduce(0, +) / Double(walking.count)
    #expect(abs(mean - 2) < 0.05)
    #expect(walking.allSatisfy { $0.speedAccuracy == 0.1 && abs(($0.course ?? 0) - 90) < 15 })
    let standing = readings(Self.walker(Self.carried))[300]
    #expect(standing.course == nil && standing.speed ?? 9 < 0.6)
    var dumb = Self.carried
    dumb.speedNoise = nil
    #expect(readings(Self.walker(dumb)).allSatisfy { $0.speed == nil && $0.course == nil })
  }

  @Test func `a seed always gives the same readings, and another seed gives other noise`() {
    #expect(readings(Self.walker(Self.carried)) == readings(Self.walker(Self.carried)))
    #expect(readings(Self.walker(Self.carried)) != readings(Self.walker(Self.carried), seed: 2))
  }

  @Test func `an outage reports no fix or nothing, and changes no later fix`() throws {
    var scenario = Self.walker(Self.carried)
    let whole = readings(scenario)
    scenario.faults = [
      Fault(.positionOutage(isSilent: false), at: .seconds(100), lasts: .seconds(10)),
      Fault(.positionOutage(isSilent: true), at: .seconds(300), lasts: .seconds(20)),
    ]
    let reports = reports(scenario)
    #expect(reports.count == whole.count - 20)
    let refused = readings(scenario).filter { !$0.isFix }
    #expect(refused.count == 10 && refused.allSatisfy { $0.latitude == whole[98].latitude })
    let first = try #require(refused.first)
    #expect(throws: LocationRefusal.noFix) { try Location(first, from: .simulator, at: Receipt(recorded: .at(100))) }
    #expect(readings(scenario).last == whole.last)
    var simulator = Simulator(scenario, seed: 1, hasCrowd: false)
    while simulator.next() != nil {}
    #expect(simulator.fixes == whole.count - 30)
  }

  @Test func `a visitor who is away takes the receiver along`() {
    var scenario = Self.walker(Self.carried)
    scenario.visitors = [
      VisitorPath([.init(at: .seconds(100), place: PlanPoint(x: 0, y: 0)), .init(at: .seconds(150), place: PlanPoint(x: 9, y: 0))])
    ]
    let times = reports(scenario).map(\.time)
    #expect(times.first == .at(100) && times.last == .at(150) && times.count == 51)
  }

  // MARK: Circles

  /// The walker moves at 2 m/s from x = −400.
  ///
  /// It is 100 + 20 + 5 m off at 137.5 s and 95 m off at 152.5 s. On the way out it is 95 m off at 647.5 s and 125 m off at 662.5 s.
  @Test func `the true visits of a circle follow its rules without noise`() {
    let visits = VenueTruth(Self.walker(Self.carried), seed: 1).visits[0]
    func seconds(_ time: Instant?) -> Double { time.map { ($0 - Scenario.start).seconds } ?? -1 }
    #expect(visits.count == 1)
    for (told, expected) in [
      (visits[0].approached, 137.5), (visits[0].entered, 152.5), (visits[0].lastInside, 647.5), (visits[0].left, 662.5),
    ] { #expect(abs(seconds(told) - expected) <= 0.21) }
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>) func `a circle is entered and left once, after its hold`(seed: UInt64) throws {
    let score = score(Self.walker(Self.carried), seed: seed)
    #expect([score.hits, score.falseExits, score.strayEvents, score.missed] == [2, 0, 0, 0])
    for latency in [score.enterLatency, score.exitLatency] { #expect((14...30).contains(try #require(latency.largest).seconds)) }
  }

  @Test func `a receiver without fixes has no hits and no false events`() {
    var scenario = Self.walker(Self.carried)
    scenario.faults = [Fault(.positionOutage(isSilent: false), at: .zero, lasts: .seconds(1000))]
    let score = score(scenario)
    #expect([score.hits, score.falseExits, score.strayEvents, score.missed] == [0, 0, 0, 2])
  }

  @Test func `a restart causes no second enter`() {
    var scenario = Self.walker(Self.carried)
    scenario.faults = [Fault(.restart, at: .seconds(400), lasts: .seconds(10))]
    let score = score(scenario)
    #expect([score.hits, score.falseExits, score.strayEvents, score.missed] == [2, 0, 0, 0])
  }

  @Test func `a beacon beside the device is not heard far from a circle that gates scanning`() {
    func hits(_ gate: CircularRegion.Gate?) -> Int {
      var scenario = Self.walker(Self.carried, regions: [.beacon(Scenario.region()), Self.circle(50, gate: gate)])
      scenario.radio = .clear
      scenario.receivers = [Receiver(position: .carried(by: 0))]
      // The beacon is 250 m away, far from the circle of 50 m, and the visitor passes it after the first 20 s.
      scenario.beacons = [SimulatedBeacon(identity: Scenario.identity(), position: .fixed(PlanPoint(x: -250, y: 0)))]
      return score(scenario).hits
    }
    #expect(hits(nil) == 4)
    #expect(hits(CircularRegion.Gate()) == 2)
  }

  // MARK: Updates

  private func updates(_ scenario: Scenario, seed: UInt64) -> Int {
    var simulator = Simulator(scenario, seed: seed, hasCrowd: false)
    var trial = UpdateTrial(distanceFilter: 10)
    while let step = simulator.next() { trial.take(step) }
    return trial.updates
  }

  @Test(arguments: [1, 2] as [UInt64]) func `a slow walk of 0.3 m/s is reported every ten metres`(seed: UInt64) {
    var scenario = Self.walker(PositionReceiver(position: .carried(by: 0), noise: 0.1))
    scenario.duration = .seconds(3600)
    scenario.visitors = [
      VisitorPath([.init(at: .zero, place: PlanPoint(x: 0, y: 0)), .init(at: .seconds(3600), place: PlanPoint(x: 1080, y: 0))])
    ]
    #expect((104...108).contains(updates(scenario, seed: seed)))
  }

  @Test(arguments: [1, 2] as [UInt64]) func `standing still in white noise causes two updates at most`(seed: UInt64) {
    let receiver = PositionReceiver(position: .fixed(PlanPoint(x: 0, y: 0)), noise: 5)
    let scenario = Scenario(name: "still", duration: .seconds(10_000), site: VenueSite(origin: Self.origin), positioning: receiver)
    #expect((1...2).contains(updates(scenario, seed: seed)))
  }
}
