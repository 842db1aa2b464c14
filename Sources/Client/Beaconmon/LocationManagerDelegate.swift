/// The receiver of a `LocationManager`'s events.
///
/// Calls come on the main actor, in order. A method that the delegate does not implement does nothing.
///
/// Core Location's CLLocationManagerDelegate, extended for Linux by the availability of the service, which may end and return.
@MainActor public protocol LocationManagerDelegate: AnyObject {
  /// Reports the authorization, soon after the manager is created and after each change.
  func locationManagerDidChangeAuthorization(_ manager: LocationManager)

  /// Receives the beacons once a second, and at once after a start: the nearest first, those of unknown distance last.
  func locationManager(_ manager: LocationManager, didRange beacons: [Beacon], satisfying beaconConstraint: BeaconIdentityConstraint)

  /// Receives a `LocationError` when ranging fails. Denied ranging begins automatically when consent is given.
  func locationManager(
    _ manager: LocationManager, didFailRangingFor beaconConstraint: BeaconIdentityConstraint, error: any Error)

  func locationManager(_ manager: LocationManager, didStartMonitoringFor region: any Region)

  func locationManager(_ manager: LocationManager, didEnterRegion region: any Region)

  func locationManager(_ manager: LocationManager, didExitRegion region: any Region)

  /// Reports that the device passed through a circle too quickly to enter it. The region's state is unchanged.
  func locationManager(_ manager: LocationManager, didCrossRegion region: any Region)

  /// Receives the state after each change, including entries and exits, and after each request.
  func locationManager(_ manager: LocationManager, didDetermineState state: RegionState, for region: any Region)

  /// Receives a `LocationError` when monitoring or registering fails; the region is nil if it is not monitored.
  ///
  /// Denied monitoring begins automatically when consent is given.
  func locationManager(_ manager: LocationManager, monitoringDidFailFor region: (any Region)?, withError error: any Error)

  /// Reports that the service has registered the region, which it keeps beyond the end of this program.
  func locationManager(_ manager: LocationManager, didRegister region: any Region)

  /// Receives an event of an expected beacon: it is missing, weak, moved or duplicate, or no more.
  func locationManager(_ manager: LocationManager, didReceive event: BeaconEvent)

  /// Receives a `LocationError` if this user may not receive the events of expected beacons.
  func locationManager(_ manager: LocationManager, expectedBeaconsDidFailWithError error: any Error)

  /// Receives the device's locations, the latest last. Only the latest waits for a busy program, so there is mostly one.
  func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location])

  /// Receives a `LocationError`, the reason why there is no location.
  ///
  /// After `locationUnknown` the service keeps trying. Updates that were denied, or that had no source, begin automatically.
  func locationManager(_ manager: LocationManager, didFailWithError error: any Error)

  /// Receives each heading that passes the filter; without a direction if it is not known.
  func locationManager(_ manager: LocationManager, didUpdateHeading newHeading: Heading)

  /// Returns whether the delegate shows that the magnetometer has to be calibrated; false by default.
  func locationManagerShouldDisplayHeadingCalibration(_ manager: LocationManager) -> Bool

  /// Receives the progress of a calibration that the delegate shows, and its end.
  func locationManager(_ manager: LocationManager, didUpdateHeadingCalibration calibration: HeadingCalibration)

  /// Reports that the device begins or ends a rest.
  ///
  /// - Parameters:
  ///   - manager: the manager that reports.
  ///   - isStationary: true if, as far as its fixes can show, the device has not moved for two minutes or more. False if it moves
  ///     again or there are no fixes to decide by.
  func locationManager(_ manager: LocationManager, didChangeStationary isStationary: Bool)

  /// Reports that the service is available or unavailable, or that this program was too slow and missed events.
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

  public func locationManager(_ manager: LocationManager, didReceive event: BeaconEvent) {}

  public func locationManager(_ manager: LocationManager, expectedBeaconsDidFailWithError error: any Error) {}

  public func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {}

  public func locationManager(_ manager: LocationManager, didFailWithError error: any Error) {}

  public func locationManager(_ manager: LocationManager, didUpdateHeading newHeading: Heading) {}

  public func locationManagerShouldDisplayHeadingCalibration(_ manager: LocationManager) -> Bool { false }

  public func locationManager(_ manager: LocationManager, didUpdateHeadingCalibration calibration: HeadingCalibration) {}

  public func locationManager(_ manager: LocationManager, didChangeStationary isStationary: Bool) {}

  public func locationManager(_ manager: LocationManager, didDetermineState state: RegionState, for region: any Region) {}

  public func locationManager(_ manager: LocationManager, monitoringDidFailFor region: (any Region)?, withError error: any Error) {}

  public func locationManager(_ manager: LocationManager, didRegister region: any Region) {}

  public func locationManager(_ manager: LocationManager, didChange service: ServiceStatus) {}
}
