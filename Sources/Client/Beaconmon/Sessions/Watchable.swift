internal import Beacons
internal import Instants
internal import Records

/// A region that the service can watch.
protocol WatchableRegion: Region {
  /// Returns the region as the argument of `Session.StartMonitoring`.
  func record(assuming state: RegionState) -> Record
}

/// A condition that the service can watch, by the region in which it is satisfied.
protocol WatchableCondition: Condition {
  func region(_ identifier: String) -> any WatchableRegion
}

extension BeaconRegion: WatchableRegion {
  func record(assuming state: RegionState) -> Record {
    let constraint = beaconIdentityConstraint.constraint
    return Record([
      "identifier": .text(identifier), "uuid": .text(constraint.uuid.description), "major": constraint.major.map { .short($0) },
      "minor": constraint.minor.map { .short($0) }, "exitDelay": exitDelay.map { .text(Span($0).text) },
      "within": within.map { .metres($0) }, "leaveBeyond": leaveBeyond.map { .metres($0) },
      "nearestOnly": nearestOnly ? .flag(true) : nil,
    ]).with(state, self)
  }
}

extension CircularRegion: WatchableRegion {
  func record(assuming state: RegionState) -> Record {
    Record([
      "identifier": .text(identifier), "latitude": .degreesOnEarth(center.latitude), "longitude": .degreesOnEarth(center.longitude),
      "radius": .metres(radius),
    ]).with(state, self)
  }
}

extension PlaceRegion: WatchableRegion {
  func record(assuming state: RegionState) -> Record {
    var (place, level): (String?, String?)
    switch area {
    case .place(let id): place = id
    case .level(let id): level = id
    case .venue: break
    }
    return Record([
      "identifier": .text(identifier), "place": place.map { .text($0) }, "level": level.map { .text($0) },
      "venue": venue.map { .text($0) },
    ]).with(state, self)
  }
}

extension PlaceCondition: WatchableCondition {
  func region(_ identifier: String) -> any WatchableRegion { PlaceRegion(area: area, venue: venue, identifier: identifier) }
}

extension ConfiguredRegion: WatchableRegion {
  /// Returns a record with only the identifier, because any other key would define another region.
  ///
  /// `RegionEvent` decides whether entries and exits are reported.
  func record(assuming state: RegionState) -> Record { Record(["identifier": .text(identifier)]) }
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

extension Record {
  /// Returns a copy with the fields that every region has.
  fileprivate func with(_ state: RegionState, _ region: some Region) -> Record {
    var record = self
    record.append("assume", state == .unknown ? nil : .text(state.rawValue))
    record.append("notifyOnEntry", region.notifyOnEntry ? nil : .flag(false))
    record.append("notifyOnExit", region.notifyOnExit ? nil : .flag(false))
    return record
  }
}

extension Span {
  /// Creates a span from a duration; a duration that is too long saturates.
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self = Span.seconds(Double(seconds)) + Span(microseconds: attoseconds / 1_000_000_000_000)
  }
}
