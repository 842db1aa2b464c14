internal import Beacons
internal import Consent
internal import DBus
internal import MonitorClient
import Synchronization

extension ServiceSession {
  func startRanging(_ constraint: BeaconIdentityConstraint) {
    state.withLock { state in
      if state.constraints.insert(constraint).inserted { state.rangings[constraint, default: 0] += 1 }
      perform { $0.startRanging(constraint.constraint) }
    }
  }

  func stopRanging(_ constraint: BeaconIdentityConstraint) {
    if state.withLock({ $0.constraints.remove(constraint) }) != nil { endRanging(constraint) }
  }

  /// Starts ranging for one more sequence.
  func beginRanging(_ constraint: BeaconIdentityConstraint) {
    state.withLock { state in
      state.rangings[constraint, default: 0] += 1
      // The session repeats a ranging request only if it was refused.
      perform { $0.startRanging(constraint.constraint) }
    }
  }

  func endRanging(_ constraint: BeaconIdentityConstraint) {
    state.withLock { state in
      let left = (state.rangings[constraint] ?? 1) - 1
      state.rangings[constraint] = left > 0 ? left : nil
      if left <= 0 { perform { $0.stop(.ranging(constraint.constraint)) } }
    }
  }

  func startMonitoring(_ region: any WatchableRegion, assuming state: RegionState = .unknown) {
    self.state.withLock { known in
      if let index = known.regions.firstIndex(where: { $0.identifier == region.identifier }) {
        known.regions[index] = region
      } else {
        known.regions.append(region)
      }
      perform { $0.startMonitoring(region.request(assuming: state)) }
    }
  }

  func stopMonitoring(_ identifier: String) {
    state.withLock { state in
      state.regions.removeAll { $0.identifier == identifier }
      perform { $0.stop(.monitoring(identifier)) }
    }
  }

  func register(_ region: any WatchableRegion) {
    state.withLock { state in
      state.registrations[region.identifier] = region
      perform { $0.register(region.request(assuming: .unknown)) }
    }
  }

  func unregister(_ identifier: String) {
    // The region stays known, because an answer about it may still arrive.
    perform { $0.unregister(identifier) }
  }

  func registeredRegions() async throws(LocationError) -> [String] {
    let answer = await withCheckedContinuation { (continuation: CheckedContinuation<Result<[String], LocationError>, Never>) in
      let key = ObjectIdentifier(self)
      let answer: @Sendable (Result<[String], LocationError>) -> Void = { answer in
        // Keeps the session until the answer.
        withExtendedLifetime(self) {}
        continuation.resume(returning: answer)
      }
      guard let thread else { return answer(.failure(unreachable)) }
      thread.perform { room in
        guard let session = room.sessions[key] else { return answer(.failure(self.unreachable)) }
        session.registeredRegions { answer($0.mapError { LocationError(.network, $0.message) }) }
      }
    }
    return try answer.get()
  }

  /// The reason why the service is unavailable.
  var unreachable: LocationError {
    if case .away(let reason) = read(\.service) { reason } else { LocationError(.network, "the service cannot be reached") }
  }

  func requestState(_ identifier: String) { perform { $0.requestState(identifier) } }

  /// Requests the present state of every monitored region.
  func requestStates() {
    for region in read(\.regions) { requestState(region.identifier) }
  }

  func requestAuthorization(always: Bool) { perform { $0.requestAuthorization(always ? .always : .whenInUse) } }

  func region(_ identifier: String) -> (any Region)? {
    state.withLock { $0.regions.first { $0.identifier == identifier } }
  }
}
