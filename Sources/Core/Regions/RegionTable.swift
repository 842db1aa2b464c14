import BeaconAdvertising
import Events
import Instants
import Ranging

/// All watched regions: those that beacons mark, found by beacon, and circles, found by place, each at a cost that does not grow with their number.
public struct RegionTable: Sendable {
  private var beacons = BeaconTable()
  private var circles = CircleTable()
  /// Which adapters can hear, as the source says; regions of beacons are told of fewer while nothing asks for a scan.
  private var reception = AdapterReception.allHear
  /// Whether beacons are scanned for although every circle that gates them is far away: something ranges or scans.
  private var hasListener = false

  public init() {}

  /// Of every owner.
  public var watches: [RegionWatch] { beacons.watches.map(RegionWatch.beacon) + circles.watches.map(RegionWatch.circle) }

  public func watches(of owner: RegionOwner) -> [RegionWatch] {
    beacons.watches(of: owner).map(RegionWatch.beacon) + circles.watches(of: owner).map(RegionWatch.circle)
  }

  public subscript(identifier: String, of owner: RegionOwner) -> RegionWatch? {
    let key = RegionKey(identifier: identifier, owner: owner)
    return beacons[key].map(RegionWatch.beacon) ?? circles[key].map(RegionWatch.circle)
  }

  public var count: Int { beacons.count + circles.count }
  public var beaconRegionCount: Int { beacons.count }
  public var circleCount: Int { circles.count }

  public func contains(where condition: (BeaconRegion) -> Bool) -> Bool { beacons.contains(where: condition) }

  /// Every UUID that a region has, once.
  public var uuids: Set<BeaconUUID> { beacons.uuids }

  /// Not later than the next instant at which time alone changes something; `.never` when it does not.
  @inline(__always)  // a part of every sighting
  public var nextDeadline: Instant { min(beacons.nextDeadline, circles.nextDeadline) }
}

// MARK: Sightings, fixes and time. Transitions are appended in the order in which they happened.

extension RegionTable {
  /// Every region starts over at `time`.
  public mutating func start(at time: Instant) {
    beacons.start(at: time)
    circles.start(at: time)
  }

  /// Adds a sighting to its beacon's track and tells every region that the beacon belongs to. Deadlines up to its time must have expired before.
  public mutating func hear(_ sighting: Sighting, _ heard: inout HeardBeacon, into transitions: inout [RegionTransition]) {
    beacons.hear(sighting, &heard, into: &transitions)
    // A region that is entered needs the scan.
    if circles.gate.isClosed { updateReception(at: sighting.time, into: &transitions) }
  }

  /// Finds the regions that `heard` belongs to; what it knew about those that are still the same stays.
  public func match(_ heard: inout HeardBeacon) { beacons.match(&heard) }

  public mutating func forget(_ heard: HeardBeacon) { beacons.forget(heard) }

  /// Says which adapters can hear from `time` on. Deadlines up to then must have expired before.
  public mutating func receive(_ next: AdapterReception, at time: Instant, into transitions: inout [RegionTransition]) {
    reception = next
    updateReception(at: time, into: &transitions)
  }

  /// Says whether something ranges or scans from `time` on, which needs the scan wherever the device is. Deadlines up to then must have expired before.
  public mutating func setListener(_ hasListener: Bool, at time: Instant, into transitions: inout [RegionTransition]) {
    self.hasListener = hasListener
    updateReception(at: time, into: &transitions)
  }

  /// Pauses every adapter for the regions of beacons while the gate holds the scan off: silence that nothing listens to is no silence, whatever a source that
  /// plays or another program hears meanwhile.
  private mutating func updateReception(at time: Instant, into transitions: inout [RegionTransition]) {
    let isHeldOff = !hasListener && !isScanWorthwhile
    beacons.receive(isHeldOff ? AdapterReception(paused: reception.present) : reception, at: time, into: &transitions)
  }

  /// Takes where the device is. Deadlines up to `time` must have expired before.
  public mutating func locate(_ fix: Fix, at time: Instant, into transitions: inout [RegionTransition]) {
    circles.locate(fix, at: time, into: &transitions)
    updateReception(at: time, into: &transitions)
  }

  /// Nobody says any more where the device is.
  public mutating func loseFixes(at time: Instant, into transitions: inout [RegionTransition]) {
    circles.loseFixes(at: time, into: &transitions)
    updateReception(at: time, into: &transitions)
  }

  /// Lets time pass up to `time`, in the order of the deadlines.
  public mutating func expire(through time: Instant, into transitions: inout [RegionTransition]) {
    guard nextDeadline <= time else { return }
    guard circles.nextDeadline <= time || circles.gate.isClosed else { return beacons.expire(through: time, into: &transitions) }
    while case let next = nextDeadline, next <= time {
      beacons.expire(through: next, into: &transitions)
      circles.expire(through: next, into: &transitions)
      updateReception(at: next, into: &transitions)
    }
  }

  /// Holds the last fix against circles that were not there when it came.
  public mutating func reviewFix(at time: Instant, into transitions: inout [RegionTransition]) {
    guard circles.reviewTime <= time else { return }
    circles.review(into: &transitions)
    updateReception(at: time, into: &transitions)
  }

  /// The last fix, while it tells something.
  public var lastFix: Fix? { circles.fixes.last }

  /// Metres, of the circles that are watched; nil when there are none.
  public var smallestRadius: Double? { circles.count == 0 ? nil : circles.smallest }

  /// Whether beacons are worth scanning for: nobody is known to be far from every circle that gates them, or somebody is still inside one of their regions.
  public var isScanWorthwhile: Bool { !circles.gate.isClosed || beacons.hasVisit }
}

// MARK: Changing the set. Every heard beacon must be matched again afterwards.

extension RegionTable {
  /// Watches `region`. One of the same owner and identifier is replaced, whatever marks it: what it was is remembered, so that enters and exits still
  /// alternate. An equal definition changes nothing.
  public mutating func add(_ region: Region, at time: Instant) {
    switch region {
    case .beacon(let region): beacons.add(region, at: time, remembering: circles.remove(region.key, at: time)?.remembered ?? .unknown)
    case .circle(let region): circles.add(region, at: time, remembering: beacons.remove(region.key)?.remembered ?? .unknown)
    }
  }

  public mutating func remove(_ identifier: String, of owner: RegionOwner = .config, at time: Instant) {
    let key = RegionKey(identifier: identifier, owner: owner)
    if beacons.remove(key) == nil { circles.remove(key, at: time) }
  }

  /// Takes the room for these regions at once, and no more.
  public mutating func reserve(for regions: [Region]) {
    let circleCount = regions.count { $0.kind == .circle }
    beacons.reserve(regions.count - circleCount)
    circles.reserve(circleCount)
  }

  /// Many were added or removed, and that is over.
  public mutating func settle() {
    circles.settle()
  }

  /// Goes on from what was saved of a region; nothing when there is no such region any more.
  ///
  /// - Parameters:
  ///   - isForgotten: nobody watched for so long that a visit of then is over.
  ///   - clock: turns time since the Unix epoch into the engine's.
  public mutating func restore(
    _ saved: SavedRegion, of owner: RegionOwner = .config, isForgotten: Bool, at time: Instant, clock: (Instant) -> Instant,
    into transitions: inout [RegionTransition]
  ) {
    let key = RegionKey(identifier: saved.identifier, owner: owner)
    beacons.restore(saved, key, isForgotten: isForgotten, at: time, clock: clock, into: &transitions)
    circles.restore(saved, key, isForgotten: isForgotten, at: time, clock: clock, into: &transitions)
    updateReception(at: time, into: &transitions)
  }
}
