import Beacons
import DBus
import Events
import Instants
import MonitorProtocol
import Records
import Venues

extension MonitorClient {
  /// Ranges constraints while the returned object is held: `handler` takes a snapshot of each at once and then one a second.
  ///
  /// - Parameters:
  ///   - constraints: at most 16, none of which contains another one.
  ///   - reportsReception: adds the keys of `BeaconReception` to the beacons, if the daemon is not too old for that.
  public func range(
    _ constraints: [BeaconConstraint], reportsReception: Bool = false, onFailure: @escaping (DBusError) -> Void,
    handler: @escaping (RangingSnapshot) -> Void
  ) -> RemoteStream {
    var rounds = SnapshotRounds(constraints)
    return RemoteStream(
      connection, purpose: "beaconmon shows an installer how far beacons are",
      preparation: reportsReception ? ("ReportReception", [.boolean(true)]) : nil,
      start: constraints.map { ("StartRanging", [$0.record.dbusValue]) }, signals: ["Ranged"], onFailure: onFailure
    ) { signal in
      guard signal.signature == "a{sv}taa{sv}", let time = signal.arguments[1].integer(Int64.self) else { return }
      let beacons = (signal.arguments[2].elements ?? []).compactMap { Record($0) }
      let snapshot = RangingSnapshot(time: Instant(microseconds: time), beacons: beacons)
      let constraint = BeaconConstraint(received: signal.arguments[0])
      for round in rounds.take(snapshot, of: constraint) { handler(round) }
    }
  }

  /// Requests the beacons of the configured regions and of the venues, as constraints for `range`.
  ///
  /// A user who may not read the regions receives those of the venues. The result is nil if the daemon does not answer.
  public func configuredConstraints(_ completion: @escaping ([BeaconConstraint]?) -> Void) {
    connection.managedObjects { [self] answer in
      let regions = answer.map { $0.properties(MonitorNames.region, by: "identifier").map { RegionStatus($0) } }
      guard let ofRegions = regions.answered(orRefused: [])?.compactMap(\.constraint) else { return completion(nil) }
      plannedBeacons { planned in completion(planned.map { BeaconConstraint.ranged(regions: ofRegions, planned: $0) }) }
    }
  }

  /// Requests the beacons on the plans of all venues; the result is nil if the daemon does not answer.
  private func plannedBeacons(_ completion: @escaping ([BeaconIdentity]?) -> Void) {
    let venues = venues()
    venues.plans { answer in
      guard let plans = answer.answered(orRefused: []) else { return completion(nil) }
      var levels = plans[...]
      var found: [BeaconIdentity] = []
      func next() {
        guard let level = levels.popFirst() else { return completion(found) }
        venues.plan(ofLevel: level.level ?? "", venue: level.venue) { plan in
          // A plan that a reload has just removed is refused.
          guard let beacons = plan.map({ $0.beacons ?? [] }).answered(orRefused: []) else { return completion(nil) }
          found += beacons.compactMap(\.identity)
          next()
        }
      }
      next()
    }
  }
}

extension Result where Failure == DBusError {
  /// Returns the value of the answer, or `refused` if the daemon refused the request; nil if no answer came.
  func answered(orRefused refused: Success) -> Success? {
    switch self {
    case .success(let value): value
    case .failure(let error):
      ["NoReply", "Timeout", "TimedOut", "Disconnected", "ServiceUnknown", "NameHasNoOwner"].contains(where: error.isStandard)
        ? nil : refused
    }
  }
}
