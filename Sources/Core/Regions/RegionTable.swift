import BeaconAdvertising
import Beacons
import Events
import Instants
import Ranging

/// All monitored regions. The cost of a sighting or a fix does not grow with their number.
/// The table finds beacon regions by beacon and circles by coordinate.
public struct RegionTable: Sendable {
  private var beacons = BeaconTable()
  private var circles = CircleTable()
  private var places = PlaceTable()
  /// The adapters that can hear, as the source reports them. Beacon regions see fewer of them while no scan is needed.
  private var reception = AdapterReception.allHear
  /// Whether ranging or a scan needs sightings although the device is far from every circle that gates scanning.
  private var hasListener = false

  public init() {}

  /// The watches of all owners.
  public var watches: [RegionWatch] {
    beacons.watches.map(RegionWatch.beacon) + circles.watches.map(RegionWatch.circle) + places.watches.map(RegionWatch.place)
  }

  public func watches(of owner: RegionOwner) -> [RegionWatch] {
    beacons.watches(of: owner).map(RegionWatch.beacon) + circles.watches(of: owner).map(RegionWatch.circle)
      + places.watches(of: owner).map(RegionWatch.place)
  }

  public subscript(identifier: String, of owner: RegionOwner) -> RegionWatch? {
    let key = RegionKey(identifier: identifier, owner: owner)
    return beacons[key].map(RegionWatch.beacon) ?? circles[key].map(RegionWatch.circle) ?? places[key].map(RegionWatch.place)
  }

  public var count: Int { beacons.count + circles.count + places.count }
  public var beaconRegionCount: Int { beacons.count }
  /// The areas of venues that regions monitor.
  public var areas: Set<VenueArea> { places.areas }

  public func contains(where condition: (BeaconRegion) -> Bool) -> Bool { beacons.contains(where: condition) }

  /// Every UUID that a region has, once.
  public var uuids: Set<BeaconUUID> { beacons.uuids }

  /// A time not later than the next deadline; `.never` if time alone changes nothing.
  @inline(__always)  // a part of every sighting
  public var nextDeadline: Instant { min(beacons.nextDeadline, circles.nextDeadline, places.nextDeadline) }
}

// MARK: Sightings, fixes and time. Transitions are appended in chronological order.

extension RegionTable {
  /// Restarts every region at `time`.
  public mutating func start(at time: Instant) {
    beacons.start(at: time)
    circles.start(at: time)
    places.start(at: time)
  }

  /// Adds a sighting to its beacon's track and updates every region that the beacon belongs to.
  /// Deadlines up to the sighting's time must have expired before.
  public mutating func hear(_ sighting: Sighting, _ heard: inout HeardBeacon, into transitions: inout [RegionTransition]) {
    beacons.hear(sighting, &heard, into: &transitions)
    // An entered region needs the scan.
    if circles.gate.isClosed { updateReception(at: sighting.time, into: &transitions) }
  }

  /// Finds the regions that `heard` belongs to. Progress in regions that are unchanged is kept.
  public func match(_ heard: inout HeardBeacon) { beacons.match(&heard) }

  public mutating func forget(_ heard: HeardBeacon) { beacons.forget(heard) }

  /// Sets the adapters that can hear from `time` on. Deadlines up to then must have expired before.
  public mutating func receive(_ next: AdapterReception, at time: Instant, into transitions: inout [RegionTransition]) {
    reception = next
    updateReception(at: time, into: &transitions)
  }

  /// Sets whether something ranges or scans from `time` on, which needs the scan wherever the device is.
  /// Deadlines up to then must have expired before.
  public mutating func setListener(_ hasListener: Bool, at time: Instant, into transitions: inout [RegionTransition]) {
    self.hasListener = hasListener
    updateReception(at: time, into: &transitions)
  }

  /// Pauses every adapter for the beacon regions while the gate suspends the scan.
  /// Silence during that time does not count, whatever a capture or the scan of another program delivers meanwhile.
  private mutating func updateReception(at time: Instant, into transitions: inout [RegionTransition]) {
    let isHeldOff = !hasListener && !isScanWorthwhile
    beacons.receive(isHeldOff ? AdapterReception(paused: reception.present) : reception, at: time, into: &transitions)
  }

  /// Applies a fix to the circles. Deadlines up to `time` must have expired before.
  public mutating func locate(_ fix: Fix, at time: Instant, into transitions: inout [RegionTransition]) {
    circles.locate(fix, at: time, into: &transitions)
    updateReception(at: time, into: &transitions)
  }

  /// Applies an estimate of the indoor position. Deadlines up to `time` must have expired before.
  public mutating func locate(_ estimate: PlaceEstimate, at time: Instant, into transitions: inout [RegionTransition]) {
    places.locate(estimate, at: time, into: &transitions)
  }

  /// Applies the distances to beacons that the indoor position gives. Deadlines up to `time` must have expired before.
  ///
  /// - Parameters:
  ///   - heard: the beacons that were heard, with progress.
  ///   - beacons: the beacons' places in `heard`, and the medians and deviations of the distances.
  ///   - probability: returns the probability that a beacon, by its place in `beacons`, is closer than a distance in metres.
  public mutating func locate(
    _ heard: inout ContiguousArray<HeardBeacon>, _ beacons: [(position: Int, metres: Double, deviation: Double)], at time: Instant,
    into transitions: inout [RegionTransition], probability: (Int, Double) -> Double
  ) {
    var regions = LocatedRegions()
    for (number, beacon) in beacons.enumerated() {
      self.beacons.weigh(&heard[beacon.position], metres: beacon.metres, deviation: beacon.deviation, at: time, into: &regions) {
        probability(number, $0)
      }
    }
    self.beacons.decide(regions, at: time, into: &transitions)
    if circles.gate.isClosed { updateReception(at: time, into: &transitions) }
  }

  /// Applies the positions of the device in relation to whole venues. Deadlines up to `time` must have expired before.
  public mutating func locate(_ positions: [VenueArea: AreaPosition], at time: Instant, into transitions: inout [RegionTransition]) {
    places.locate(positions, at: time, into: &transitions)
  }

  /// Makes the places unknown because no adapter can hear their venues.
  public mutating func loseEstimates(at time: Instant, into transitions: inout [RegionTransition]) {
    places.lose(at: time, into: &transitions)
  }

  /// Makes the regions of areas unknown because nothing decides about them any more.
  public mutating func lose(_ areas: Set<VenueArea>, at time: Instant, into transitions: inout [RegionTransition]) {
    places.lose(areas, at: time, into: &transitions)
  }

  /// Makes the circles unknown because no source reports a location any more.
  public mutating func loseFixes(at time: Instant, into transitions: inout [RegionTransition]) {
    circles.loseFixes(at: time, into: &transitions)
    updateReception(at: time, into: &transitions)
  }

  /// Advances to `time` and handles the deadlines in order.
  public mutating func expire(through time: Instant, into transitions: inout [RegionTransition]) {
    if nextDeadline <= time { expireReached(through: time, into: &transitions) }
  }

  @inline(never)  // most sightings reach no deadline
  private mutating func expireReached(through time: Instant, into transitions: inout [RegionTransition]) {
    guard circles.nextDeadline <= time || places.nextDeadline <= time || circles.gate.isClosed else {
      return beacons.expire(through: time, into: &transitions)
    }
    while case let next = nextDeadline, next <= time {
      beacons.expire(through: next, into: &transitions)
      circles.expire(through: next, into: &transitions)
      places.expire(through: next, into: &transitions)
      updateReception(at: next, into: &transitions)
    }
  }

  /// Compares the last fix with circles that were added after it.
  public mutating func reviewFix(at time: Instant, into transitions: inout [RegionTransition]) {
    guard circles.reviewTime <= time else { return }
    circles.review(into: &transitions)
    updateReception(at: time, into: &transitions)
  }

  /// The last fix; `nil` if there was none or it has expired.
  public var lastFix: Fix? { circles.fixes.last }

  /// The smallest radius of the monitored circles in metres; `nil` if there are none.
  public var smallestRadius: Double? { circles.count == 0 ? nil : circles.smallest }

  /// Whether beacons are worth scanning for.
  /// This is false while the device is known to be far from every circle that gates scanning, unless a visitor is still inside a beacon
  /// region.
  public var isScanWorthwhile: Bool { !circles.gate.isClosed || beacons.hasVisit }
}

// MARK: Changing the set. Afterwards, the caller must match every heard beacon again.

extension RegionTable {
  /// Monitors `region` and replaces the region with the same owner and identifier, if there is one.
  /// The last certain state is remembered even if beacons replace a circle, so that enters and exits still alternate. An equal definition
  /// changes nothing.
  public mutating func add(_ region: Region, at time: Instant) {
    let key = RegionKey(identifier: region.identifier, owner: region.owner)
    let remembered = kind(of: key).flatMap { $0 == region.kind ? nil : remove(key, at: time) }
    switch region {
    case .beacon(let region): beacons.add(region, at: time, remembering: remembered ?? .unknown)
    case .circle(let region): circles.add(region, at: time, remembering: remembered ?? .unknown)
    case .place(let region): places.add(region, at: time, remembering: remembered ?? .unknown)
    }
  }

  public mutating func remove(_ identifier: String, of owner: RegionOwner = .config, at time: Instant) {
    remove(RegionKey(identifier: identifier, owner: owner), at: time)
  }

  /// Returns the kind of the region with this name; `nil` if there is none.
  private func kind(of key: RegionKey) -> RegionKind? {
    if beacons[key] != nil { return .beacon }
    if circles[key] != nil { return .circle }
    return places[key] == nil ? nil : .place
  }

  /// Removes a region and returns its last certain state, or `nil` if there was none.
  @discardableResult
  private mutating func remove(_ key: RegionKey, at time: Instant) -> RegionState? {
    beacons.remove(key)?.remembered ?? circles.remove(key, at: time)?.remembered ?? places.remove(key)?.remembered
  }

  /// Reserves exactly the memory that these regions need.
  public mutating func reserve(for regions: [Region]) {
    beacons.reserve(regions.count { $0.kind == .beacon })
    circles.reserve(regions.count { $0.kind == .circle })
  }

  /// Tidies up after many regions were added or removed.
  public mutating func settle() {
    circles.settle()
  }

  /// Restores the saved state of a region. Does nothing if there is no such region any more.
  ///
  /// - Parameters:
  ///   - isForgotten: whether the outage was so long that an earlier visit is over.
  ///   - clock: converts time since the Unix epoch into the engine's time.
  public mutating func restore(
    _ saved: SavedRegion, of owner: RegionOwner = .config, isForgotten: Bool, at time: Instant, clock: (Instant) -> Instant,
    into transitions: inout [RegionTransition]
  ) {
    let key = RegionKey(identifier: saved.identifier, owner: owner)
    beacons.restore(saved, key, isForgotten: isForgotten, at: time, clock: clock, into: &transitions)
    circles.restore(saved, key, isForgotten: isForgotten, at: time, clock: clock, into: &transitions)
    places.restore(saved, key, isForgotten: isForgotten, at: time, clock: clock, into: &transitions)
    updateReception(at: time, into: &transitions)
  }
}
