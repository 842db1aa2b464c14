import Geodesy
import Instants
import Proximity
import Regions

/// Measures many circles in the engine: the memory of each circle's watch, and the cost of a fix on a walk through a town.
struct CirclePass {
  private static let (circles, seconds) = (10_000, 100_000)

  private let definitions: [Region]
  /// One fix a second, each 1 m farther east.
  private let walk: [Fix]

  /// The definitions: circles of 50 to 500 m within 100 × 100 km.
  ///
  /// Every run has the same ones: multiples of the golden ratio and of the square root of two are spread evenly.
  init() {
    definitions = (0..<Self.circles).compactMap { number in
      let (north, east, size) = (Self.fraction(number, 0.618_034), Self.fraction(number, 0.414_214), Self.fraction(number, 0.732_051))
      guard let center = Coordinate(latitude: 52 + 0.9 * north, longitude: 13 + 1.47 * east),
        let circle = Circle(center: center, radius: 50 + 450 * size)
      else { return nil }
      return .circle(CircularRegion(identifier: "region \(number)", circle: circle))
    }
    walk = (0..<Self.seconds).compactMap { second in
      let place = Coordinate(latitude: 52.45, longitude: 13 + 1.47 * Double(second) / Double(Self.seconds))
      return place.map { Fix(place: $0, accuracy: 5, time: Instant(microseconds: Int64(second) * 1_000_000)) }
    }
  }

  /// Returns a line of JSON about the fastest pass.
  func run(_ passes: Int) -> String {
    let pass = EnginePass(
      best: passes, regions: definitions.count, engine, feeding: walk, until: Instant(microseconds: Int64(Self.seconds) * 1_000_000)
    ) {
      $0.ingest($1, at: $1.time)
    }
    return """
      {"peer":"beaconmon-circles","circles":\(definitions.count),"fixes":\(walk.count),"enters":\(pass.enters),"exits":\(pass.exits),\
      "ns_per_fix":\(rounded(pass.seconds * 1e9 / Double(walk.count), 1)),"octets_per_circle":\(rounded(pass.octetsPerRegion, 1))}
      """
  }

  /// Returns an engine in which each circle had its first event: all are outside, except those around the first fix.
  private func engine() -> ProximityEngine {
    var engine = ProximityEngine(at: Instant(microseconds: 0))
    engine.replaceRegions(with: definitions, at: engine.now)
    if let fix = walk.first { engine.ingest(fix, at: fix.time) }
    _ = engine.drainEvents()
    return engine
  }

  private static func fraction(_ number: Int, _ step: Double) -> Double {
    (Double(number) * step).truncatingRemainder(dividingBy: 1)
  }
}
