import BeaconAdvertising
import EventLoop
import Instants
import Logging
import MonitorProtocol
import MonitorService
import MonitorConfiguration
import Positioning
import ProgramSupport
import Proximity
import Radios
import Ranging
import Records
import Regions
import TOML

extension Monitor: MonitorModel {
  var version: String { Program.version }
  var refusedReloadRecord: Record? { refusedReload.map { Record(["time": .time($0.time), "reason": .text($0.reason)]) } }
  var source: String { sightings.name }
  var sourceChoice: String? { sightings.choice }
  var sourceReason: String? { sightings.reason }
  var adapters: [AdapterHealth] { sightings.adapters }
  func rssiOffset(of adapter: UInt16) -> Double { driver.engine.settings.ranging.adapterOffsets[adapter] ?? 0 }
  var journal: any MonitorJournal { keeper }
  var locations: PositioningService { positioning }
  var advertisements: [Record] { ownBeacons.records }
  var statistics: Record { sightings.counts.record }
  var watches: [RegionWatch] { driver.engine.watches(of: .config) }
  func watch(_ identifier: String, of owner: RegionOwner) -> RegionWatch? { driver.engine.watch(identifier, of: owner) }

  func region(_ definition: [String: TOMLNode], of owner: RegionOwner) throws(RegionRefusal) -> Region {
    do throws(RegionDefinitionError) {
      return try Region(definition: definition, owner: owner)
    } catch {
      throw RegionRefusal(error.description)
    }
  }

  func startMonitoring(_ region: Region) {
    begin { $0.add(region, at: $0.now) }
  }

  func stopMonitoring(_ identifiers: [String], of owner: RegionOwner) {
    adjust { $0.remove(identifiers, of: owner) }
  }

  func forget(_ owner: RegionOwner) {
    adjust { $0.forget(owner) }
  }

  func startRanging(_ constraint: BeaconConstraint) {
    // If ranging restarts the scan, exit delays continue from now, and not from the time that was last passed on.
    begin { $0.startRanging(constraint) }
  }

  func stopRanging(_ constraint: BeaconConstraint) {
    adjust { $0.stopRanging(constraint) }
  }

  func snapshot(of constraint: BeaconConstraint) -> (time: Instant, beacons: [RangedBeacon])? {
    guard isClockKnown else { return nil }
    let engine = driver.engine
    return (engine.now, engine.snapshot(of: constraint, at: engine.now))
  }

  func startRecording(
    to socket: consuming FileDescriptor, _ options: RecordingOptions, onEnd: @escaping () -> Void
  ) throws(RecordingRefusal) -> (String) -> Void {
    guard isClockKnown else { throw .notBegun }
    do throws(SystemCallError) {
      return try recorder.start(to: socket, options, onEnd: onEnd)
    } catch {
      throw .noStream(error)
    }
  }

  func startScanning() {
    scanners += 1
    if scanners == 1 { beginScan() }
  }

  func stopScanning() {
    scanners -= 1
    if scanners == 0 { endScan() }
  }

  func note(_ message: String) {
    log.notice("\(message)")
  }

  var now: Instant { driver.engine.now }
  var lastFix: Fix? { driver.engine.lastFix }
  /// The state of the source: paused, not idle, if regions request a scan that a gate suspends.
  var sourceState: SourceState { awaySince != nil && sightings.state == .idle ? .paused : sightings.state }
  var hearsBeacons: Bool { sightings.hearsBeacons }
  var sourceNote: String? { sightings.note ?? awayNote }
  func wallClock(_ instant: Instant) -> Instant { sightings.wallClock(instant) }
  var awayNote: String? {
    awaySince.map { since in
      let time = String(wallClock(since).rfc3339.prefix(19)) + "Z"
      return "beacons are not scanned for since \(time): the device is far from every circle with scan-only-near, or too fast for it"
    }
  }

  func adapterName(_ adapter: UInt16) -> String? { sightings.roster.name(of: adapter) }
}
