import Beacons
import ClientSessions
import DBus
import Instants
import MonitorProtocol
import Monitoring
import Ranging
import Records

extension Sessions {
  /// Starts ranging a constraint; the first snapshot follows right after the answer.
  func startRanging(_ options: DBusValue, in object: SessionObject) throws(DBusError) -> Answer {
    let constraint = try BeaconConstraint(options: options)
    guard try refusing(try service.startRanging(constraint, in: object.session)) else { return Answer() }
    return Answer { [self] in
      guard let (time, beacons) = monitoring.snapshot(of: constraint) else { return }
      snapshots.add(snapshot(of: constraint, beacons, at: time, withReception: object.session.reportsReception), for: object)
      snapshots.send()
    }
  }

  /// Sends snapshots to the sessions that range their constraints.
  func send(_ ranged: [BeaconConstraint: [RangedBeacon]], at time: Instant) {
    let shared = Dictionary(uniqueKeysWithValues: ranged.map { ($0, snapshot(of: $0, $1, at: time)) })
    // Few sessions want more, and their snapshots are encoded only for them.
    var detailed: [BeaconConstraint: SharedSnapshot] = [:]
    for object in objects.values {
      for constraint in object.session.constraints {
        guard object.session.reportsReception, let beacons = ranged[constraint] else {
          if let snapshot = shared[constraint] { snapshots.add(snapshot, for: object) }
          continue
        }
        let snapshot = detailed[constraint] ?? snapshot(of: constraint, beacons, at: time, withReception: true)
        detailed[constraint] = snapshot
        snapshots.add(snapshot, for: object)
      }
    }
    snapshots.send()
  }

  /// Sends a scan to the scanning sessions.
  func send(_ scan: ScanReport) {
    let shared = SharedSnapshot(of: .scanning) { [scan.record.dbusValue] }
    for object in objects.values where object.session.isScanning { snapshots.add(shared, for: object) }
    snapshots.send()
  }

  /// Resumes sending when the bus is no longer congested.
  func drained() {
    snapshots.send()
  }

  private func snapshot(
    of constraint: BeaconConstraint, _ beacons: [RangedBeacon], at time: Instant, withReception: Bool = false
  ) -> SharedSnapshot {
    SharedSnapshot(of: .ranging(constraint)) { [unowned monitoring] in
      let records = beacons.map { beacon in
        var record = monitoring.report(beacon).record
        if withReception, let reception = beacon.reception { record.append(reception.record) }
        return record.dbusValue
      }
      let time = UInt64(max(0, monitoring.wallClock(time).microseconds))
      return [constraint.record.dbusValue, .uint64(time), .array(of: "a{sv}", records)]
    }
  }
}
