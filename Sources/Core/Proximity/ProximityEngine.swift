import BeaconAdvertising
import Beacons
import Instants
import Ranging
import Regions

/// The value that decides about ranging and regions: sightings, fixes and instants in, events out in order.
///
/// The engine reads no clock. The daemon, replays, the simulator and the tests use this same value. The same input thus gives the same
/// events on every machine, however it is batched.
public struct ProximityEngine: Sendable {
  public private(set) var settings: EngineSettings
  /// The latest instant that the engine received; time never runs backward here.
  public private(set) var now: Instant
  public private(set) var receivers = Receivers.all(.hearing)
  /// When a beacon that a region or a client selects was last heard; the start before there was one.
  public private(set) var lastSighting: Instant

  private var regions = RegionTable()
  private var heard: HeardBeacons
  /// The number of listeners that range each constraint.
  private var ranging: [BeaconConstraint: Int] = [:]
  /// Whether a scan listens for every beacon, in addition to monitoring and ranging.
  private var isScanning = false
  /// The UUIDs of regions and ranged constraints. Beacons of other UUIDs are skipped after one look-up.
  private var interestingUUIDs: Set<BeaconUUID> = []
  private var transitions: [RegionTransition] = []
  /// The sequence of the last event of each owner that had one.
  private var sequences: [RegionOwner: UInt64]

  /// Creates an engine.
  ///
  /// - Parameter lastSequence: the sequence of the last event at a region of the config; the next event has the next number.
  public init(settings: EngineSettings = EngineSettings(), at time: Instant, lastSequence: UInt64 = 0) {
    self.settings = settings
    sequences = [.config: lastSequence]
    now = time
    lastSighting = time
    heard = HeardBeacons(capacity: settings.capacity)
  }
}

// MARK: Input

extension ProximityEngine {
  /// Sets the clock of an engine that was created before its source's clock was known.
  /// The engine must not have received any input yet.
  public mutating func start(at time: Instant) {
    (now, lastSighting) = (time, time)
    regions.start(at: time)
  }

  public mutating func ingest(_ sightings: [Sighting]) {
    // One beacon is looked up ahead, so that memory latency passes while the sighting before it is processed.
    var ahead = sightings.first.flatMap { heard.position(of: $0.beacon) }
    for index in sightings.indices {
      let (position, next) = (ahead, index + 1)
      ahead = next < sightings.endIndex ? heard.position(of: sightings[next].beacon) : nil
      ingest(sightings[index], at: position)
      // A new beacon may have moved the entries of others.
      if position == nil, next < sightings.endIndex { ahead = heard.position(of: sightings[next].beacon) }
    }
  }

  /// Applies a sighting; one from before `now` counts as heard now.
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

  /// Advances to `time` and ends the exit clocks whose deadline is reached.
  /// If `time` is `now`, compares the last fix with circles that were added after it.
  public mutating func advance(to time: Instant) {
    guard time > now else {
      if time == now { regions.reviewFix(at: now, into: &transitions) }
      return
    }
    now = time
    regions.expire(through: time, into: &transitions)
  }

  /// Applies a fix; one from before `now` counts from now on.
  /// A fix that has expired or is older than the last one is ignored.
  public mutating func ingest(_ fix: Fix, at time: Instant) {
    advance(to: time)
    regions.locate(fix, at: now, into: &transitions)
  }

  /// Applies an estimate of the indoor position at `time`.
  public mutating func ingest(_ estimate: PlaceEstimate, at time: Instant) {
    advance(to: time)
    regions.locate(estimate, at: now, into: &transitions)
  }

  /// Makes the circles unknown from `time` on, because no source reports a location any more.
  public mutating func loseFixes(at time: Instant) {
    advance(to: time)
    regions.loseFixes(at: now, into: &transitions)
  }

  /// Sets which adapters can hear from `time` on.
  /// Time in which no adapter could hear a region does not count for its exit clock. Neither does time without a scan because the device is
  /// far from every circle that gates scanning.
  public mutating func setReception(_ receivers: Receivers, at time: Instant) {
    advance(to: time)
    self.receivers = receivers
    regions.receive(receivers.adapters, at: now, into: &transitions)
    if receivers.adapters.isLost { regions.loseEstimates(at: now, into: &transitions) }
  }

  /// Starts a track for a new beacon and returns its position; `nil` if no region or client selects it.
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

// MARK: Output

extension ProximityEngine {
  /// Returns the events since the last call in chronological order.
  /// They are numbered for each owner; the apps of a user share one sequence.
  public mutating func drainEvents() -> [RegionEvent] {
    // The first fix causes an event for every circle; memory for so many events is not needed again.
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

  /// Sets the sequence of the last event of `owner`; the next event has the next number. See `RegionOwner.user`.
  public mutating func setLastSequence(_ sequence: UInt64, of owner: RegionOwner) {
    sequences[owner] = sequence
  }

  /// A time not later than the next change by `advance(to:)`; `.never` while time changes nothing.
  public var nextDeadline: Instant { regions.nextDeadline }

  /// The watches of all owners.
  public var watches: [RegionWatch] { regions.watches }

  public func watches(of owner: RegionOwner) -> [RegionWatch] { regions.watches(of: owner) }

  public func watch(_ identifier: String, of owner: RegionOwner = .config) -> RegionWatch? { regions[identifier, of: owner] }

  /// The last fix; `nil` if there was none or it has expired.
  public var lastFix: Fix? { regions.lastFix }

  /// The accuracy, one sigma in metres, that the monitored circles need; `nil` if there are none.
  public var wantedAccuracy: Double? { regions.smallestRadius.map { $0 / 2 } }

  /// Whether beacons are worth scanning for.
  /// False while the device is far from every circle that gates scanning and no visitor is inside a beacon region.
  public var isScanWorthwhile: Bool { regions.isScanWorthwhile }

  public var regionCount: Int { regions.count }

  /// The number of beacon regions.
  public var beaconRegionCount: Int { regions.beaconRegionCount }

  /// The areas of venues that regions monitor.
  public var areas: Set<VenueArea> { regions.areas }

  public func watches(where condition: (BeaconRegion) -> Bool) -> Bool { regions.contains(where: condition) }

  public var rangedConstraints: some Collection<BeaconConstraint> { ranging.keys }

  /// The number of beacons that the engine keeps.
  public var beaconCount: Int { heard.entries.count }

  /// Returns the beacons of `constraint` at `time`, nearest first, those of unknown distance last.
  public func snapshot(of constraint: BeaconConstraint, at time: Instant) -> [RangedBeacon] {
    heard.entries
      .filter { constraint.contains($0.track.beacon) }
      .compactMap { RangedBeacon($0.track, at: time) }
      .sorted(by: RangedBeacon.precedes)
  }
}

// MARK: Saving and restoring

extension ProximityEngine {
  /// The longest outage after which a visit goes on. AltBeacon keeps states for as long.
  public static let longestOutage = Span.seconds(900)

  /// Returns the state to save of a region; `nil` if there is no such region.
  ///
  /// - Parameter wallClock: converts the engine's instants into time since the Unix epoch.
  public func saved(_ identifier: String, of owner: RegionOwner = .config, wallClock: (Instant) -> Instant) -> SavedRegion? {
    watch(identifier, of: owner)?.saved(at: now, wallClock: wallClock)
  }

  /// Restores the states that an earlier process saved, after `start` and for regions that are still unknown.
  ///
  /// A restored state is unknown and remembered. A sighting confirms it without an enter event, and one exit delay of silence is its exit.
  /// After an outage of more than `longestOutage` a visit is over, and its exit is reported at once. Regions that are not monitored any
  /// more are skipped.
  ///
  /// - Parameters:
  ///   - outage: for how long no process monitored the regions; `nil` if unknown, which counts as short.
  ///   - engineTime: converts time since the Unix epoch into the engine's time.
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

// MARK: Regions and ranging

extension ProximityEngine {
  /// Monitors a region; see `RegionTable.add`.
  public mutating func add(_ region: Region, at time: Instant) {
    advance(to: time)
    regions.add(region, at: now)
    interestsChanged()
  }

  /// Monitors exactly these regions of the config. Unchanged regions and those of other owners are unaffected.
  public mutating func replaceRegions(with new: [Region], at time: Instant) {
    advance(to: time)
    let kept = Set(new.map(\.identifier))
    for watch in watches(of: .config) where !kept.contains(watch.region.identifier) { regions.remove(watch.region.identifier, at: now) }
    regions.reserve(for: new)
    for region in new { regions.add(region, at: now) }
    regions.settle()
    interestsChanged()
  }

  /// Removes regions and discards their events that were not drained yet.
  public mutating func remove(_ identifiers: [String], of owner: RegionOwner) {
    for identifier in identifiers { regions.remove(identifier, of: owner, at: now) }
    transitions.removeAll { $0.region.owner == owner && identifiers.contains($0.region.identifier) }
    interestsChanged()
  }

  /// Forgets the sequence of an owner that has no regions and will not return.
  public mutating func forget(_ owner: RegionOwner) {
    sequences[owner] = nil
  }

  /// Changes the calibration, which applies to every beacon from its next sighting on.
  public mutating func calibrate(_ ranging: RangingSettings) {
    settings.ranging = ranging
    for index in heard.entries.indices { heard.entries[index].track.calibrate(ranging) }
  }

  /// Keeps the beacons of `constraint` for snapshots, until `stopRanging` was called as often.
  public mutating func startRanging(_ constraint: BeaconConstraint) {
    ranging[constraint, default: 0] += 1
    interestsChanged()
  }

  public mutating func stopRanging(_ constraint: BeaconConstraint) {
    guard let count = ranging[constraint] else { return }
    ranging[constraint] = count > 1 ? count - 1 : nil
    interestsChanged()
  }

  /// Sets whether a scan listens for every beacon from `now` on.
  /// A scan keeps exit clocks running wherever the device is.
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
