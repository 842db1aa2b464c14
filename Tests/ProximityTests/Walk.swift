import Events
import Geodesy
import Instants
import Locations
import Proximity
import Ranging
import Regions
import Testing

/// Drives an engine with one circle by hand.
struct Walk {
  var engine = ProximityEngine(at: .seconds(0))
  var log: [String] = []
  /// The fix of each second, or nil.
  var fixes: [Fix?] = []

  init(dwell: Double? = nil, notifyOnEntry: Bool = true, notifyOnExit: Bool = true, gate: CircularRegion.Gate? = nil) throws {
    engine.add(
      try Self.region("shop", dwell: dwell, notifyOnEntry: notifyOnEntry, notifyOnExit: notifyOnExit, gate: gate), at: .seconds(0))
  }

  static func region(
    _ name: String, east: Double = 0, radius: Double = 100, dwell: Double? = nil, notifyOnEntry: Bool = true, notifyOnExit: Bool = true,
    gate: CircularRegion.Gate? = nil
  ) throws -> Region {
    .circle(
      CircularRegion(
        identifier: name, circle: try #require(Circle(center: try place(east: east), radius: radius)), dwell: dwell.map { .seconds($0) },
        notifyOnEntry: notifyOnEntry, notifyOnExit: notifyOnExit, gate: gate))
  }

  static func fix(_ seconds: Double, east: Double, accuracy: Double = 3, speed: Double? = nil, isLasting: Bool = false) throws -> Fix {
    Fix(place: try place(east: east), accuracy: accuracy, speed: speed, time: .seconds(seconds), isLasting: isLasting)
  }

  static func place(east: Double) throws -> Coordinate {
    try #require(Coordinate(latitude: 0, longitude: 0)).destination(azimuth: 90, distance: east).coordinate
  }

  mutating func fix(_ seconds: Double, east: Double, accuracy: Double = 3, speed: Double? = nil) {
    do {
      engine.ingest(try Self.fix(seconds, east: east, accuracy: accuracy, speed: speed), at: .seconds(seconds))
    } catch {
      Issue.record(error)
    }
    note()
  }

  mutating func pass(to seconds: Double) {
    engine.advance(to: .seconds(seconds))
    note()
  }

  mutating func note() {
    for transition in engine.drainEvents().map(\.transition) {
      let time = (transition.time - Instant(microseconds: 0)).seconds
      fixes.append(transition.fix)
      log.append("\(time) \(transition.kind) \(transition.state) \(transition.cause)")
    }
  }
}
