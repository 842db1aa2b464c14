import BeaconAdvertising
import EventLoop
import Instants
import MonitorBus
import ProgramSupport
import Proximity
import Ranging
import Records
import Regions

extension Monitor: MonitorModel {
  var version: String { Program.version }
  var source: String { sightings.name }
  var adapters: [Record] { sightings.adapters }
  var journal: any MonitorJournal { keeper }
  var advertisements: [Record] { ownBeacons.records }
  var statistics: Record { sightings.counts.record }
  var watches: [RegionWatch] { driver.engine.watches }
  func watch(_ identifier: String) -> RegionWatch? { driver.engine.watch(identifier) }

  func startRanging(_ constraint: BeaconConstraint) {
    adjust { $0.startRanging(constraint) }
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

  var now: Instant { driver.engine.now }
  var sourceState: SourceState { sightings.state }
  var sourceNote: String? { sightings.note }
  func wallClock(_ instant: Instant) -> Instant { sightings.wallClock(instant) }
  func adapterName(_ adapter: UInt16) -> String? { sightings.adapterName(adapter) }
}
