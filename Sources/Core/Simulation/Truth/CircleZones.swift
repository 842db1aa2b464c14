import Geodesy
import Instants
import Regions

/// How the circles of a scenario stand to whoever carries the receiver of positions.
struct CircleZones {
  private(set) var zones: [(region: Int, zone: Zone)]
  /// Who carries it, if somebody does.
  let visitors: [Int]
  private let circles: [CircularRegion]

  init(_ scenario: Scenario) {
    let all = scenario.regions.enumerated().compactMap { index, region in region.circularRegion.map { (index, $0) } }
    circles = all.map(\.1)
    zones = all.map { ($0.0, .outer) }
    visitors = [scenario.positioning?.whereabouts.visitor].compactMap(\.self)
  }

  /// Whoever is away is in none.
  mutating func look(_ venue: Venue, at time: Instant) {
    guard let receiver = venue.scenario.positioning, let site = venue.scenario.site else { return }
    let place = venue.place(of: receiver.whereabouts, at: time).map(site.coordinate(of:))
    for (index, region) in circles.enumerated() {
      zones[index].zone =
        place.map { Zone(region, distance: region.circle.center.distance(to: $0), accuracy: receiver.accuracy) } ?? .outer
    }
  }
}
