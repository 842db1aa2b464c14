import FoundationEssentials
import Instants
import struct Locations.LocationReport
import MonitorClient
import Records
import Testing

@testable import Beaconmon

@Suite struct LocationValueTests {
  private let berlin = LocationCoordinate2D(latitude: 52.52, longitude: 13.405)

  private func location(_ record: Record) -> Beaconmon.Location? { Location(LocationReport(record)) }

  @Test func `a location has the values of its fix, and nil for missing ones`() throws {
    let time = Instant(microseconds: 1_800_000_000_500_000)
    let full = try #require(
      location(
        Record([
          "latitude": .quantity(52.5, decimals: 7), "longitude": .quantity(-13.5, decimals: 7), "altitude": .metres(40),
          "ellipsoidalAltitude": .metres(85), "horizontalAccuracy": .metres(3), "verticalAccuracy": .metres(6), "speed": .metres(1.5),
          "speedAccuracy": .metres(0.25), "course": .metres(270), "courseAccuracy": .metres(5), "floor": .integer(-1), "time": .time(time),
          "age": .quantity(2.5, decimals: 3), "source": "gpsd",
        ])))
    #expect(full.coordinate == LocationCoordinate2D(latitude: 52.5, longitude: -13.5))
    #expect(full.altitude == 40 && full.ellipsoidalAltitude == 85 && full.horizontalAccuracy == 3 && full.verticalAccuracy == 6)
    #expect(full.speed == 1.5 && full.speedAccuracy == 0.25 && full.course == 270 && full.courseAccuracy == 5 && full.floor == -1)
    #expect(full.timestamp == Date(timeIntervalSince1970: 1_800_000_000.5) && full.source == .gpsd)
    #expect(full.age >= .milliseconds(2500) && full.age < .seconds(60))
    let bare = try #require(
      location(Record(["latitude": .quantity(0, decimals: 7), "longitude": .quantity(0, decimals: 7), "age": .quantity(10, decimals: 3)])))
    #expect(bare.altitude == nil && bare.horizontalAccuracy == nil && bare.speed == nil && bare.course == nil && bare.floor == nil)
    #expect(bare.source == nil && abs(bare.timestamp.timeIntervalSinceNow + 10) < 5)
    #expect(location(Record(["latitude": .quantity(0, decimals: 7)])) == nil)
  }

  /// Any program on the session bus can send an app such values with `ActivateAction`.
  @Test(arguments: [.count(.max), .metres(1e300), .metres(0.5), .text("two")] as [RecordValue])
  func `a floor that is not a whole number is nil`(floor: RecordValue) throws {
    let record = Record(["latitude": .quantity(0, decimals: 7), "longitude": .quantity(0, decimals: 7), "floor": floor])
    #expect(try #require(location(record)).floor == nil)
  }

  @Test(arguments: [1e300, -1e300, -1]) func `an impossible age is nil`(age: Double) throws {
    let record = Record(["latitude": .quantity(0, decimals: 7), "longitude": .quantity(0, decimals: 7), "age": .metres(age)])
    #expect(try #require(location(record)).age < .seconds(60))
  }

  @Test func `the distance between locations is the geodesic on the ellipsoid`() {
    // The quarter meridian of WGS84.
    let quarter = Location(latitude: 0, longitude: 13).distance(from: Location(latitude: 90, longitude: 13))
    #expect(abs(quarter - 10_001_965.729_3) < 1e-3, "\(quarter)")
    let degree = Location(latitude: 0, longitude: 0).distance(from: Location(latitude: 0, longitude: 1))
    // A degree of the equator: 6378137 m × π / 180.
    #expect(abs(degree - 111_319.490_793_273) < 1e-6)
    #expect(Location(latitude: 91, longitude: 0).distance(from: Location(coordinate: berlin)).isNaN)
  }

  @Test(
    arguments: [
      (52.52, 13.405, true), (-90, 180, true), (90.001, 0, false), (0, -180.001, false), (.nan, 0, false), (0, .infinity, false),
    ] as [(Double, Double, Bool)])
  func `a coordinate is valid within the ranges of latitude and longitude`(latitude: Double, longitude: Double, isValid: Bool) {
    #expect(LocationCoordinate2D(latitude: latitude, longitude: longitude).isValid == isValid)
  }

  @Test func `a circle contains points up to its radius, even across the antimeridian`() {
    let circle = CircularRegion(center: LocationCoordinate2D(latitude: 0, longitude: 179.9999), radius: 30, identifier: "ship")
    #expect(circle.contains(LocationCoordinate2D(latitude: 0, longitude: -179.9999)))
    #expect(!circle.contains(LocationCoordinate2D(latitude: 0.0003, longitude: 179.9999)))
    #expect(!circle.contains(LocationCoordinate2D(latitude: .nan, longitude: 0)))
    #expect(LocationManager.maximumRegionMonitoringDistance == 20_000_000)
  }

  @Test func `a circle becomes the dictionary of the service, without unset values`() {
    var circle = CircularRegion(center: berlin, radius: 150, identifier: "square")
    let plain = Record([
      "identifier": "square", "latitude": .quantity(52.52, decimals: 7), "longitude": .quantity(13.405, decimals: 7),
      "radius": .metres(150),
    ])
    #expect(circle.request(assuming: .unknown).record == plain)
    circle.notifyOnEntry = false
    var more = plain
    more.append("assume", "outside")
    more.append("notifyOnEntry", .flag(false))
    #expect(circle.request(assuming: .outside).record == more)
    #expect(CircularGeographicCondition(center: berlin, radius: 150).region("square").request(assuming: .unknown).record == plain)
  }

  // MARK: Combined requests

  @Test func `several subscriptions are combined into one request`() {
    var options = LocationOptions()
    #expect(options.updates == nil)
    options.isMonitoringChanges = true
    #expect(options.updates == LocationUpdateOptions(.significantChanges))
    options.sequences = 1
    options.accuracy = .threeKilometers
    options.distanceFilter = 2000
    // The combination is finer than each of the two.
    #expect(options.updates == LocationUpdateOptions(.fixes(desiredAccuracy: 1000, distanceFilter: 500)))
    options.isMonitoringChanges = false
    #expect(options.updates == LocationUpdateOptions(.fixes(desiredAccuracy: 3000, distanceFilter: 2000)))
  }

  @Test(arguments: [nil, -1, 0, .nan, .infinity] as [Double?]) func `an invalid distance filter filters nothing`(filter: Double?) {
    var options = LocationOptions()
    options.isUpdating = true
    options.distanceFilter = filter
    #expect(options.updates == LocationUpdateOptions(.fixes(desiredAccuracy: 0, distanceFilter: nil)))
  }

  @Test(arguments: [-2, -1, 0, .nan, .infinity] as [Double]) func `an invalid accuracy means the best accuracy`(metres: Double) {
    #expect(LocationAccuracy.metres(metres) == .best)
  }

  // MARK: Pending events

  @Test func `only the latest pending location is kept, and other events keep their order`() {
    var queue = SessionEventQueue()
    for number in 0..<1000 {
      queue.append(.located(Location(latitude: Double(number) / 100, longitude: 0)), at: Date())
      if number == 500 { queue.append(.locationUnknown(LocationError(.locationUnknown, "tunnel")), at: Date()) }
    }
    guard case .locationUnknown = queue.popFirst(at: Date()), case .located(let last) = queue.popFirst(at: Date()) else {
      Issue.record("another order")
      return
    }
    #expect(last.coordinate.latitude == 9.99 && queue.isEmpty)
  }
}
