import DBus
import Events

/// The events of expected beacons, on the connection of a session.
extension RemoteSession {
  /// Reports the events of expected beacons from now on, even across restarts of the daemon and of the bus.
  ///
  /// A user who is not an insider gets a refusal. A call after it asks again.
  public func startBeaconEvents() {
    guard beaconEvents == nil || beaconEventsAreRefused else { return }
    beaconEventsAreRefused = false
    let follower = MonitorClient(connection).followEvents { [unowned self] events in
      for event in events where event.kind?.isOfBeacon ?? false {
        // The program may stop the events while it takes one.
        guard beaconEvents != nil else { return }
        handler(.expectedBeacon(event))
      }
    }
    // Other errors are those of a daemon that is away, for which the follower waits.
    follower.onTrouble = { [unowned self] error in
      guard error.isStandard("AccessDenied") else { return }
      beaconEventsAreRefused = true
      handler(.expectedBeaconsRefused(error))
    }
    follower.onCaughtUp = { [unowned self] in beaconEventsAreRefused = false }
    beaconEvents = follower
  }

  public func stopBeaconEvents() { (beaconEvents, beaconEventsAreRefused) = (nil, false) }
}
