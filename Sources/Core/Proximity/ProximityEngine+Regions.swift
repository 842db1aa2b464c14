import BeaconAdvertising
import Beacons
import Instants
import Ranging
import Regions

// MARK: Saving and restoring

extension ProximityEngine {
  /// The longest outage after which a visit continues. AltBeacon keeps states for the same time.
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

  /// Keeps the beacons of `constraint` for snapshots, until `stopRanging` was called as many times.
  ///
  /// - Parameter isPassive: whether ranging needs no scan, and uses only the sightings of scans for others.
  public mutating func startRanging(_ constraint: BeaconConstraint, isPassive: Bool = false) {
    self[keyPath: Self.listeners(isPassive)][constraint, default: 0] += 1
    interestsChanged()
  }

  public mutating func stopRanging(_ constraint: BeaconConstraint, isPassive: Bool = false) {
    let listeners = Self.listeners(isPassive)
    guard let count = self[keyPath: listeners][constraint] else { return }
    self[keyPath: listeners][constraint] = count > 1 ? count - 1 : nil
    interestsChanged()
  }

  private static func listeners(_ isPassive: Bool) -> WritableKeyPath<ProximityEngine, [BeaconConstraint: Int]> {
    isPassive ? \.passiveRanging : \.ranging
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
    rangedConstraints = Set(ranging.keys).union(passiveRanging.keys)
    interestingUUIDs = regions.uuids.union(rangedConstraints.map(\.uuid))
    for index in heard.entries.indices { regions.match(&heard.entries[index]) }
    let ranged = rangedConstraints
    heard.removeAll { !$0.isWanted(ranging: ranged) }
  }
}

extension HeardBeacon {
  func isWanted(ranging constraints: some Sequence<BeaconConstraint>) -> Bool {
    isInRegion || constraints.contains { $0.contains(track.beacon) }
  }
}
