/// What a `LocationManager` tells. Each call comes on the main actor, in order; those that are left out do nothing.
///
/// Core Location's CLLocationManagerDelegate, and what is new on Linux: the service, which may go and come back.
@MainActor public protocol LocationManagerDelegate: AnyObject {
  /// Soon after the manager was made, and when somebody decides something else.
  func locationManagerDidChangeAuthorization(_ manager: LocationManager)

  /// Once a second, and at once after a start: nearest first, unknown distances last.
  func locationManager(_ manager: LocationManager, didRange beacons: [Beacon], satisfying beaconConstraint: BeaconIdentityConstraint)

  /// A `LocationError`. What was denied begins by itself once it is allowed.
  func locationManager(
    _ manager: LocationManager, didFailRangingFor beaconConstraint: BeaconIdentityConstraint, error: any Error)

  func locationManager(_ manager: LocationManager, didStartMonitoringFor region: any Region)

  func locationManager(_ manager: LocationManager, didEnterRegion region: any Region)

  func locationManager(_ manager: LocationManager, didExitRegion region: any Region)

  /// The device has passed through a circle without having been long enough in it to enter. Its state stays.
  func locationManager(_ manager: LocationManager, didCrossRegion region: any Region)

  /// After each change, entries and exits among them, and after each request.
  func locationManager(_ manager: LocationManager, didDetermineState state: RegionState, for region: any Region)

  /// A `LocationError`. What was denied begins by itself once it is allowed. The region is nil for one that is not monitored.
  func locationManager(_ manager: LocationManager, monitoringDidFailFor region: (any Region)?, withError error: any Error)

  /// The service keeps the region from now on, beyond this program's end.
  func locationManager(_ manager: LocationManager, didRegister region: any Region)

  /// Where the device is, the latest last. While this program is busy only the latest waits, so it is mostly one.
  func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location])

  /// A `LocationError`: why there is no location. After `locationUnknown` the service goes on trying; what was denied, or had no source, begins by itself.
  func locationManager(_ manager: LocationManager, didFailWithError error: any Error)

  /// True: the device stays where it is, for two minutes or more as far as its fixes can tell. False: it moves again, or nobody can tell any more.
  func locationManager(_ manager: LocationManager, didChangeStationary isStationary: Bool)

  /// The service is there, or away; or this program was too slow and missed something.
  func locationManager(_ manager: LocationManager, didChange service: ServiceStatus)
}

extension LocationManagerDelegate {
  public func locationManagerDidChangeAuthorization(_ manager: LocationManager) {}

  public func locationManager(
    _ manager: LocationManager, didRange beacons: [Beacon], satisfying beaconConstraint: BeaconIdentityConstraint
  ) {}

  public func locationManager(
    _ manager: LocationManager, didFailRangingFor beaconConstraint: BeaconIdentityConstraint, error: any Error
  ) {}

  public func locationManager(_ manager: LocationManager, didStartMonitoringFor region: any Region) {}

  public func locationManager(_ manager: LocationManager, didEnterRegion region: any Region) {}

  public func locationManager(_ manager: LocationManager, didExitRegion region: any Region) {}

  public func locationManager(_ manager: LocationManager, didCrossRegion region: any Region) {}

  public func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {}

  public func locationManager(_ manager: LocationManager, didFailWithError error: any Error) {}

  public func locationManager(_ manager: LocationManager, didChangeStationary isStationary: Bool) {}

  public func locationManager(_ manager: LocationManager, didDetermineState state: RegionState, for region: any Region) {}

  public func locationManager(_ manager: LocationManager, monitoringDidFailFor region: (any Region)?, withError error: any Error) {}

  public func locationManager(_ manager: LocationManager, didRegister region: any Region) {}

  public func locationManager(_ manager: LocationManager, didChange service: ServiceStatus) {}
}
