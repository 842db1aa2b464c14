import Beaconmon
import Foundation

@MainActor final class Gallery: LocationManagerDelegate {
  private let manager = LocationManager(purpose: "Shows the exhibit you stand at")
  private let constraint: BeaconIdentityConstraint
  private(set) var text = "Welcome"

  init(uuid: UUID) {
    constraint = BeaconIdentityConstraint(uuid: uuid)
    manager.delegate = self
    manager.requestWhenInUseAuthorization()
    manager.startMonitoring(for: BeaconRegion(beaconIdentityConstraint: constraint, identifier: "gallery"))
  }

  func locationManagerDidChangeAuthorization(_ manager: LocationManager) {
    if manager.authorizationStatus == .denied { text = manager.authorizationReason }
  }

  func locationManager(_ manager: LocationManager, didDetermineState state: RegionState, for region: any Region) {
    if state == .inside {
      manager.startRangingBeacons(satisfying: constraint)
    } else {
      manager.stopRangingBeacons(satisfying: constraint)
      text = "Welcome"
    }
  }

  func locationManager(
    _ manager: LocationManager, didRange beacons: [Beacon], satisfying beaconConstraint: BeaconIdentityConstraint
  ) {
    guard let nearest = beacons.first, let distance = nearest.distance else { return }
    text = "Exhibit \(nearest.minor), \(distance) m"
  }

  func locationManager(_ manager: LocationManager, didChange service: ServiceStatus) {
    if case .away(let reason) = service { text = reason.message }
  }
}
