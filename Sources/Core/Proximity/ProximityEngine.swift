import BeaconAdvertising
import Instants
import Ranging
import Regions

/// The one value that decides: sightings, fixes and instants go in, events come out in order.
///
/// It reads no clock. The daemon, a replay, the simulator and the tests drive this same value, so the same input gives the same events on every
/// machine, however it was cut into batches.
public struct ProximityEngine: Sendable {
  public private(set) var settings: EngineSettings
  /// The latest instant that went in; time never runs backward here.
  public private(set) var now: Instant
  public private(set) var receivers = Receivers.all(.hearing)
  /// When a beacon that somebody is interested in was last heard; the start before there was one.
  public private(set) var lastSighting: Instant

  private var regions = RegionTable()
  private var heard: HeardBeacons
  /// How many listeners range each constraint.
  private var ranging: [BeaconConstraint: Int] = [:]
  /// Whether every beacon is listened for, beside what is watched and ranged.
  private var isScanning = false
  /// Beacons of other UUIDs are passed over after one look-up.
  private var interestingUUIDs: Set<BeaconUUID> = []
  private var transitions: [RegionTransition] = []
  /// Of the last event of each owner that had one.
  private var sequences: [RegionOwner: UInt64]

  /// - Parameter lastSequence: the number of the last event at a region of the config that there was before; the next one has the next.
  public init(settings: EngineSettings = EngineSettings(), at time: Instant, lastSequence: UInt64 = 0) {
    self.settings = settings
    sequences = [.config: lastSequence]
    now = time
    lastSighting = time
    heard = HeardBeacons(capacity: settings.capacity)
  }
}

// MARK: What goes in

extension ProximityEngine {
  /// Sets the clock of an engine that was made before its source's clock was known. Nothing may have gone in yet.
  public mutating func start(at time: Instant) {
    (now, lastSighting) = (time, time)
    regions.start(at: time)
  }

  public mutating func ingest(_ sightings: [Sighting]) {
    // One beacon is looked up ahead: what memory takes to answer passes while the one before is heard.
    var ahead = sightings.first.flatMap { heard.position(of: $0.beacon) }
    for index in sightings.indices {
      let (position, next) = (ahead, index + 1)
      ahead = next < sightings.endIndex ? heard.position(of: sightings[next].beacon) : nil
      ingest(sightings[index], at: position)
      // Who is met may have taken the place of others.
      if position == nil, next < sightings.endIndex { ahead = heard.position(of: sightings[next].beacon) }
    }
  }

  /// A sighting from before `now` counts as heard now.
  public mutating func ingest(_ sighting: Sighting) {
    ingest(sighting, at: heard.position(of: sighting.beacon))
  }

  @inline(__always)  // a part of every sighting
  private mutating func ingest(_ sighting: Sighting, at position: Int?) {
    if sighting.time >= now {
      advance(to: sighting.time)
      hear(sighting, at: position)
    } else {
      var held = sighting
      held.time = now
      hear(held, at: position)
    }
  }

  @inline(__always)  // a part of every sighting
  private mutating func hear(_ sighting: Sighting, at position: Int?) {
    guard let position = position ?? meet(sighting) else { return }
    lastSighting = now
    regions.hear(sighting, &heard.entries[position], into: &transitions)
  }

  /// Lets time pass: exit clocks whose deadline is reached run out. Without any passing, circles that are new are held against the fix that is known.
  public mutating func advance(to time: Instant) {
    guard time > now else {
      if time == now { regions.reviewFix(at: now, into: &transitions) }
      return
    }
    now = time
    regions.expire(through: time, into: &transitions)
  }

  /// Takes where the device is; a fix from before `now` counts from now on. One that is older than the last, or too old, tells nothing.
  public mutating func ingest(_ fix: Fix, at time: Instant) {
    advance(to: time)
    regions.locate(fix, at: now, into: &transitions)
  }

  /// Nobody says from `time` on where the device is: circles become unknown.
  public mutating func loseFixes(at time: Instant) {
    advance(to: time)
    regions.loseFixes(at: now, into: &transitions)
  }

  /// Says who can hear from `time` on. Time in which nobody could hear a region does not count for its exit clock, and neither does time in which nothing asks
  /// for a scan because every circle that gates it is far away.
  public mutating func setReception(_ receivers: Receivers, at time: Instant) {
    advance(to: time)
    self.receivers = receivers
    regions.receive(receivers.adapters, at: now, into: &transitions)
  }

  /// Starts a track for a beacon that was not heard before; nil when nobody is interested in it.
  private mutating func meet(_ sighting: Sighting) -> Int? {
    let beacon = sighting.beacon
    if !interestingUUIDs.contains(beacon.uuid) {
      guard settings.watchesEveryUUID, regions.count < settings.capacity else { return nil }
      let region = BeaconRegion(identifier: beacon.uuid.description, constraint: BeaconConstraint(uuid: beacon.uuid))
      regions.add(.beacon(region), at: now)
      interestingUUIDs.insert(beacon.uuid)
    }
    var entry = HeardBeacon(BeaconTrack(beacon, settings: settings.ranging, at: sighting.time))
    regions.match(&entry)
    guard entry.isWanted(ranging: ranging.keys) else { return nil }
    for evicted in heard.makeRoom() { regions.forget(evicted) }
    heard.append(entry)
    return heard.entries.count - 1
  }
}

// MARK: What comes out

extension ProximityEngine {
  /// The events since the last call, numbered for each owner, the apps of a user together, in the order in which they happened.
  public mutating func drainEvents() -> [RegionEvent] {
    // The first fix makes every circle an event; the room for so many is not needed again.
    defer { transitions.removeAll(keepingCapacity: transitions.count <= Self.usualTransitions) }
    return transitions.map { transition in
      RegionEvent(sequence: Self.successor(&sequences[transition.region.owner.row, default: 0]), transition: transition)
    }
  }

  private static let usualTransitions = 64

  private static func successor(_ number: inout UInt64) -> UInt64 {
    number += 1
    return number
  }

  /// The next event of `owner` has the number after this one; see `RegionOwner.user`.
  public mutating func setLastSequence(_ sequence: UInt64, of owner: RegionOwner) {
    sequences[owner] = sequence
  }

  /// When `advance(to:)` next has something to do, or a little earlier; `.never` while time changes nothing.
  public var nextDeadline: Instant { regions.nextDeadline }

  /// Of every owner.
  public var watches: [RegionWatch] { regions.watches }

  public func watches(of owner: RegionOwner) -> [RegionWatch] { regions.watches(of: owner) }

  public func watch(_ identifier: String, of owner: RegionOwner = .config) -> RegionWatch? { regions[identifier, of: owner] }

  /// The last fix, while it tells something.
  public var lastFix: Fix? { regions.lastFix }

  /// Metres, one sigma: how exactly the circles that are watched have to know where the device is; nil when there are none.
  public var wantedAccuracy: Double? { regions.smallestRadius.map { $0 / 2 } }

  /// False while the device is known to be far from every circle that gates scanning for beacons.
  public var isScanWorthwhile: Bool { regions.isScanWorthwhile }

  public var regionCount: Int { regions.count }

  /// Of those that beacons mark.
  public var beaconRegionCount: Int { regions.beaconRegionCount }

  public func watches(where condition: (BeaconRegion) -> Bool) -> Bool { regions.contains(where: condition) }

  public var rangedConstraints: some Collection<BeaconConstraint> { ranging.keys }

  /// How many beacons are being kept.
  public var beaconCount: Int { heard.entries.count }

  /// The beacons of `constraint` as they stand at `time`, nearest first, those of unknown distance last.
  public func snapshot(of constraint: BeaconConstraint, at time: Instant) -> [RangedBeacon] {
    heard.entries
      .filter { constraint.contains($0.track.beacon) }
      .compactMap { RangedBeacon($0.track, at: time) }
      .sorted(by: RangedBeacon.precedes)
  }
}

// MARK: What outlives the process

extension ProximityEngine {
  /// A visit that nobody watched for longer is over: AltBeacon keeps states for as long.
  public static let longestOutage = Span.seconds(900)

  /// What there is to keep of a region; nil when there is no such region.
  ///
  /// - Parameter wallClock: turns the engine's instants into time since the Unix epoch.
  public func saved(_ identifier: String, of owner: RegionOwner = .config, wallClock: (Instant) -> Instant) -> SavedRegion? {
    watch(identifier, of: owner)?.saved(at: now, wallClock: wallClock)
  }

  /// Goes on from what an earlier process kept, after `start` and for regions of which nothing is known yet.
  ///
  /// A state comes back as unknown and remembered: a sighting confirms it without an enter, and one exit delay of silence is its exit. After an
  /// outage of more than `longestOutage` who was inside has left, and that is told at once. Regions that are not watched any more are passed over.
  ///
  /// - Parameters:
  ///   - outage: for how long nobody watched; nil when nobody can tell, which counts as short.
  ///   - engineTime: turns time since the Unix epoch into the engine's.
  public mutating func restore(
    _ saved: [SavedRegion], of owner: RegionOwner = .config, after outage: Span?, at time: Instant, engineTime: (Instant) -> Instant
  ) {
    advance(to: time)
    let isForgotten = outage.map { $0 > Self.longestOutage } ?? false
    for region in saved {
      regions.restore(region, of: owner, isForgotten: isForgotten, at: now, clock: engineTime, into: &transitions)
    }
  }
}

// MARK: What is watched

extension ProximityEngine {
  /// Watches a region; see `RegionTable.add`.
  public mutating func add(_ region: Region, at time: Instant) {
    advance(to: time)
    regions.add(region, at: now)
    interestsChanged()
  }

  /// Watches exactly these regions of the config; those that are the same as before notice nothing, and those of other owners neither.
  public mutating func replaceRegions(with new: [Region], at time: Instant) {
    advance(to: time)
    let kept = Set(new.map(\.identifier))
    for watch in watches(of: .config) where !kept.contains(watch.region.identifier) { regions.remove(watch.region.identifier, at: now) }
    regions.reserve(for: new)
    for region in new { regions.add(region, at: now) }
    regions.settle()
    interestsChanged()
  }

  /// What was not told of them yet is not told any more.
  public mutating func remove(_ identifiers: [String], of owner: RegionOwner) {
    for identifier in identifiers { regions.remove(identifier, of: owner, at: now) }
    transitions.removeAll { $0.region.owner == owner && identifiers.contains($0.region.identifier) }
    interestsChanged()
  }

  /// An owner without regions has gone for good.
  public mutating func forget(_ owner: RegionOwner) {
    sequences[owner] = nil
  }

  /// Takes another calibration; every beacon goes on with it from its next sighting.
  public mutating func calibrate(_ ranging: RangingSettings) {
    settings.ranging = ranging
    for index in heard.entries.indices { heard.entries[index].track.calibrate(ranging) }
  }

  /// Keeps the beacons of `constraint` for snapshots until `stopRanging` was called as often.
  public mutating func startRanging(_ constraint: BeaconConstraint) {
    ranging[constraint, default: 0] += 1
    interestsChanged()
  }

  public mutating func stopRanging(_ constraint: BeaconConstraint) {
    guard let count = ranging[constraint] else { return }
    ranging[constraint] = count > 1 ? count - 1 : nil
    interestsChanged()
  }

  /// Says whether every beacon is listened for from `now` on, which keeps exit clocks running wherever the device is.
  public mutating func setScanning(_ isScanning: Bool) {
    self.isScanning = isScanning
    listenersChanged()
  }

  private mutating func listenersChanged() {
    regions.setListener(isScanning || !ranging.isEmpty, at: now, into: &transitions)
  }

  private mutating func interestsChanged() {
    listenersChanged()
    interestingUUIDs = regions.uuids.union(ranging.keys.map(\.uuid))
    for index in heard.entries.indices { regions.match(&heard.entries[index]) }
    let ranged = ranging.keys
    heard.removeAll { !$0.isWanted(ranging: ranged) }
  }
}

extension HeardBeacon {
  fileprivate func isWanted(ranging constraints: some Sequence<BeaconConstraint>) -> Bool {
    isInRegion || constraints.contains { $0.contains(track.beacon) }
  }
}
