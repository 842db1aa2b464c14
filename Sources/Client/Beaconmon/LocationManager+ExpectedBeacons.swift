// MARK: Expected beacons

extension LocationManager {
  /// Starts delivery of the events of expected beacons to the delegate: missing, weak, moved, duplicate, and recovered.
  ///
  /// The service expects the beacons of its venue, and those that regions of its config name one by one. Only root and the group
  /// `beaconmon` receive these events, as they describe the installation and not the location of the device. The first event is the
  /// first after the start. Events that happen while the service or the bus is unavailable follow when it returns.
  public func startMonitoringExpectedBeacons() { session.wantBeaconEvents { $0.isMonitoring = true } }

  public func stopMonitoringExpectedBeacons() { session.wantBeaconEvents { $0.isMonitoring = false } }

  /// The events of expected beacons during iteration, by the rules of `startMonitoringExpectedBeacons`.
  ///
  /// The sequence throws when the service refuses, and waits while the service is unavailable.
  public var expectedBeaconUpdates: UpdateSequence<BeaconEventUpdate, LocationError> {
    let session = session
    return UpdateSequence(
      begin: {
        let subscription = Subscription(session, onEnd: { $0.wantBeaconEvents { $0.sequences -= 1 } }) { event in
          switch event {
          case .expectedBeacon, .expectedBeaconsRefused: true
          default: false
          }
        }
        session.wantBeaconEvents { $0.sequences += 1 }
        return subscription
      },
      decode: { event in
        switch event {
        case .expectedBeacon(let event): .success(.event(event))
        case .expectedBeaconsRefused(let error): .failure(error)
        // Events of a time in which the service was unavailable follow, so that only those of a slow program are lost.
        case .service(.available(let gap?)) where gap.cause == .notTaken: .success(.gap(gap))
        default: nil
        }
      })
  }
}
