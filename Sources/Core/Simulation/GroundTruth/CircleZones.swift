import Geodesy
import Instants
import Regions

/// The zones of the scenario's circles for the carrier of the position receiver.
struct CircleZones {
  private(set) var zones: [(region: Int, zone: Zone)]
  /// The visitor who carries the receiver, if any.
  let visitors: [Int]
  private let circles: [CircularRegion]

  init(_ scenario: Scenario) {
    let all = scenario.regions.enumerated().compactMap { index, region in region.circularRegion.map { (index, $0) } }
    circles = all.map(\.1)
    zones = all.map { ($0.0, .outer) }
    visitors = [scenario.positioning?.whereabouts.visitor].compactMap(\.self)
  }

  /// Computes the zones; an absent carrier is outside every circle.
  mutating func look(_ venue: Venue, at time: Instant) {
    guard let receiver = venue.scenario.positioning, let site = venue.scenario.site else { return }
    let place = venue.place(of: receiver.whereabouts, at: time).map(site.coordinate(of:))
    for (index, region) in circles.enumerated() {
      zones[index].zone =
        place.map { Zone(region, distance: region.circle.center.distance(to: $0), accuracy: receiver.accuracy) } ?? .outer
    }
  }
}
