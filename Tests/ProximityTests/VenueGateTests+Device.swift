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

/// A device that hears a venue, or has fixes outside of it.
extension VenueGateTests {
  /// A hall of 20 × 10 m with six beacons, whose circle has a radius of 61 m.
  static let hall: Venues.Venue = {
    let beacons = (0..<6).map { number in
      PlannedBeacon(
        identity: BeaconIdentity(uuid: ProximityTests.Venue.uuid, major: 1, minor: UInt16(number)),
        position: PlanPoint(x: Double(number % 3) * 10, y: Double(number / 3) * 10))
    }
    return Venues.Venue(id: "hall", frame: Coordinate(latitude: 48, longitude: 11).map { VenueFrame(origin: $0) }, beacons: beacons)
  }()

  /// A driver of an engine, in seconds, with its outputs.
  struct Device {
    var driver: EngineDriver
    var log: [String] = []
    var positions: [IndoorPosition] = []
    var wakes = 0

    init(_ venue: Venues.Venue = hall, _ regions: PlaceRegion..., isPositioning: Bool = false) {
      var engine = ProximityEngine(at: Instant(microseconds: 0))
      for region in regions { engine.add(.place(region), at: Instant(microseconds: 0)) }
      driver = EngineDriver(engine: engine)
      driver.replaceVenues(with: [venue])
      driver.setPositioning(isPositioning)
    }

    mutating func take(_ outputs: [EngineDriver.Output]) {
      for output in outputs {
        switch output {
        case .positioned(let position): positions.append(position)
        case .event(let event):
          let transition = event.transition
          let seconds = (transition.time - Instant(microseconds: 0)).seconds
          log.append("\(seconds) \(transition.kind) \(transition.state) \(transition.cause)")
        case .snapshots, .scanned: break
        }
      }
    }

    mutating func pass(to seconds: Double) {
      while driver.nextWake <= at(seconds) {
        wakes += 1
        take(driver.step([], through: driver.nextWake))
      }
      take(driver.step([], through: at(seconds)))
    }

    /// Takes a fix that is `east` metres from the middle of the hall.
    mutating func fix(_ seconds: Double, east: Double, accuracy: Double = 5, isLasting: Bool = false) throws {
      let place = try #require(hall.frame?.coordinate(for: PlanPoint(x: 10 + east, y: 5)))
      take(driver.step(gating: Fix(place: place, accuracy: accuracy, time: at(seconds), isLasting: isLasting), at: at(seconds)))
    }

    /// Hears each beacon five times a second in the middle of the hall.
    mutating func hear(from start: Double, to end: Double) {
      for step in 0..<Int((end - start) * 5) {
        let time = start + Double(step) / 5
        let sightings = hall.beacons.map { beacon in
          let distance = beacon.position.distance(to: PlanPoint(x: 10, y: 5))
          return Sighting(
            beacon: beacon.identity, measuredPower: -59, rssi: ProximityTests.Venue.rssi(at: max(1, distance)), time: at(time))
        }
        take(driver.step(sightings, through: at(time)))
      }
    }

    func at(_ seconds: Double) -> Instant { Instant(microseconds: 0) + .seconds(seconds) }
  }
}
