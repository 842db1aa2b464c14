import BeaconAdvertising
import Beacons
import ConfigurationTree
import Instants
import Proximity
import RadioHealth
import Ranging
import Regions

// MARK: State

extension MonitoringService {
  /// The regions of the config.
  public var watches: [RegionWatch] { driver.engine.watches(of: .config) }

  public func watch(_ identifier: String, of owner: RegionOwner) -> RegionWatch? { driver.engine.watch(identifier, of: owner) }

  /// The number of beacons that the engine knows at present.
  public var beaconCount: Int { driver.engine.beaconCount }

  /// The latest fix of the device's location; nil if there is none.
  public var lastFix: Fix? { driver.engine.lastFix }

  /// The method of distances in the config.
  public var distanceMethod: DistanceMethod { driver.engine.settings.ranging.method }

  /// The time on the source's clock.
  public var now: Instant { driver.engine.now }

  /// Converts a time on the source's clock to time since the Unix epoch.
  public func wallClock(_ instant: Instant) -> Instant { source.wallClock(instant) }

  public func adapterName(_ adapter: UInt16) -> String? { source.roster.name(of: adapter) }

  /// Returns the offset in dB that is added to the RSSI of the adapter's advertisements.
  public func rssiOffset(of adapter: UInt16) -> Double { driver.engine.settings.ranging.adapterOffsets[adapter] ?? 0 }

  /// The state of the source: paused, not idle, if regions request a scan that a gate suspends.
  public var sourceState: SourceState { awaySince != nil && source.state == .idle ? .paused : source.state }

  /// A problem with the source and its remedy, or the gate that suspends the scan; nil if there is neither.
  public var sourceNote: String? { source.note ?? awayNote }

  var awayNote: String? {
    guard awaySince != nil else { return nil }
    return "scanning paused: the device is far from every circle with scan-only-near, or too fast for it"
  }

  /// The time since the Unix epoch at which a gate suspended the scan; nil if none suspends it.
  public var sourcePausedSince: Instant? { awaySince.map(wallClock) }
}

// MARK: Requests of sessions

extension MonitoringService {
  /// Returns the region that a client defines, checked by the rules of the config.
  public func region(_ definition: [String: ConfigurationNode], of owner: RegionOwner) throws(RegionRefusal) -> Region {
    try decoder.region(definition, of: owner)
  }

  /// Starts a region, whose events go to the bus.
  ///
  /// A region of the same owner and identifier is replaced without an event.
  public func startMonitoring(_ region: Region) {
    begin { $0.add(region, at: $0.now) }
  }

  /// Stops regions. No event of them follows, not even one of an earlier change.
  public func stopMonitoring(_ identifiers: [String], of owner: RegionOwner) {
    adjust { $0.remove(identifiers, of: owner) }
  }

  /// Forgets an owner that has no regions left and will not return.
  public func forget(_ owner: RegionOwner) {
    adjust { $0.forget(owner) }
  }

  /// Keeps the beacons of `constraint` for snapshots until `stopRanging` was called as many times.
  ///
  /// - Parameter isPassive: whether ranging uses only the sightings of scans for others.
  public func startRanging(_ constraint: BeaconConstraint, isPassive: Bool = false) {
    // If ranging restarts the scan, exit delays continue from now, not from the last time that the engine received.
    begin { $0.startRanging(constraint, isPassive: isPassive) }
  }

  public func stopRanging(_ constraint: BeaconConstraint, isPassive: Bool = false) {
    adjust { $0.stopRanging(constraint, isPassive: isPassive) }
  }

  /// Adds a client that wants the reception of ranged beacons, or removes one.
  public func countReception(isWanted: Bool) {
    receptionClients += isWanted ? 1 : -1
    driver.reportsReception = receptionClients > 0
  }

  /// Returns the beacons of a constraint at the present time; nil while the source's clock is unknown.
  public func snapshot(of constraint: BeaconConstraint) -> (time: Instant, beacons: [RangedBeacon])? {
    guard isClockKnown else { return nil }
    let engine = driver.engine
    return (engine.now, engine.snapshot(of: constraint, at: engine.now))
  }
}
