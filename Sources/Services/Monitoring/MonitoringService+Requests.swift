import BeaconAdvertising
import Logging
import Positioning
import Proximity
import Ranging
import Scheduling

extension MonitoringService {
  /// Passes the present time to the engine, whose clock otherwise pauses between sightings, before a request begins.
  func letTimePass() {
    guard isClockKnown else { return }
    publish(driver.step([], through: source.now))
  }

  /// Makes a change that begins regions.
  func begin(_ change: (inout ProximityEngine) -> Void) {
    letTimePass()
    adjust(change)
  }

  func adjust(_ change: (inout ProximityEngine) -> Void) {
    driver.adjust(change)
    demandChanged()
    // A client gets the answer about a new region before the events that a known fix causes.
    if hasStarted { scheduler.enqueue { [weak self] in self?.locateForCircles() } }
  }

  /// Starts a scan that sessions share, until `stopScanning` was called as many times.
  public func startScanning() {
    scanners += 1
    guard scanners == 1 else { return }
    kindsBeforeScan = source.counts.kinds
    letTimePass()
    driver.startScan()
    demandChanged()
  }

  public func stopScanning() {
    scanners -= 1
    guard scanners == 0 else { return }
    driver.stopScan()
    demandChanged()
  }

  /// Updates the demand; a recording needs all advertisements.
  func demandChanged() {
    positioning.setMotion(driver.usesMotion, for: .venue)
    wasScanWorthwhile = driver.engine.isScanWorthwhile
    lastVenueDemand = driver.venueDemand
    let demand = demand
    let isAway = !wasScanWorthwhile && demand == .nothing
    let hasMoved = isAway != (awaySince != nil)
    if hasMoved { awaySince = isAway ? driver.engine.now : nil }
    source.demand = demand
    source.wake = nextWake
    guard hasMoved else { return }
    log.notice("\(awayNote ?? "scanning again")")
    sourceChanged()
  }
}
