internal import Beacons
internal import Events
internal import Instants
internal import MonitorClient

/// A region that the service can watch.
protocol WatchableRegion: Region {
  /// Returns the region as a session monitors it.
  func request(assuming state: RegionState) -> RequestedRegion
}

/// A condition that the service can watch, by the region in which it is satisfied.
protocol WatchableCondition: Condition {
  func region(_ identifier: String) -> any WatchableRegion
}

extension BeaconRegion: WatchableRegion {
  func request(assuming state: RegionState) -> RequestedRegion {
    let rules = RequestedRegion.BeaconRules(
      exitDelay: exitDelay.map { Span($0) }, within: within, leaveBeyond: leaveBeyond, nearestOnly: nearestOnly)
    return RequestedRegion(self, .beacons(beaconIdentityConstraint.constraint), rules: rules, assuming: state)
  }
}

extension CircularRegion: WatchableRegion {
  func request(assuming state: RegionState) -> RequestedRegion {
    RequestedRegion(self, .circle(latitude: center.latitude, longitude: center.longitude, radius: radius), assuming: state)
  }
}

extension PlaceRegion: WatchableRegion {
  func request(assuming state: RegionState) -> RequestedRegion {
    var (place, level): (String?, String?)
    switch area {
    case .place(let id): place = id
    case .level(let id): level = id
    case .venue: break
    }
    return RequestedRegion(self, .place(place, level: level, venue: venue), assuming: state)
  }
}

extension PlaceCondition: WatchableCondition {
  func region(_ identifier: String) -> any WatchableRegion { PlaceRegion(area: area, venue: venue, identifier: identifier) }
}

extension ConfiguredRegion: WatchableRegion {
  /// Returns a request with only the identifier. `RegionEvent` decides whether entries and exits are reported.
  func request(assuming state: RegionState) -> RequestedRegion { RequestedRegion(identifier, .configured) }
}

extension ConfiguredCondition: WatchableCondition {
  func region(_ identifier: String) -> any WatchableRegion { ConfiguredRegion(identifier: identifier) }
}

extension BeaconIdentityCondition: WatchableCondition {
  func region(_ identifier: String) -> any WatchableRegion { BeaconRegion(beaconIdentityConstraint: self, identifier: identifier) }
}

extension CircularGeographicCondition: WatchableCondition {
  func region(_ identifier: String) -> any WatchableRegion { CircularRegion(center: center, radius: radius, identifier: identifier) }
}

extension RequestedRegion {
  fileprivate init(_ region: some Region, _ shape: Shape, rules: BeaconRules = BeaconRules(), assuming state: RegionState) {
    self.init(region.identifier, shape, rules: rules)
    assumed = Events.RegionState(rawValue: state.rawValue) ?? .unknown
    (notifyOnEntry, notifyOnExit) = (region.notifyOnEntry, region.notifyOnExit)
  }
}

extension Span {
  /// Creates a span from a duration; a duration that is too long saturates.
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self = Span.seconds(Double(seconds)) + Span(microseconds: attoseconds / 1_000_000_000_000)
  }
}
