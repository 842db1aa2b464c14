import Beaconmon

@MainActor final class Map: LocationManagerDelegate {
  private let manager = LocationManager(purpose: "Shows you on the map")
  private let harbour = CircularRegion(
    center: LocationCoordinate2D(latitude: 54.3233, longitude: 10.1394), radius: 300, identifier: "harbour")
  private(set) var place: LocationCoordinate2D?
  private(set) var text = ""

  init() {
    manager.delegate = self
    manager.desiredAccuracy = .nearestTenMeters
    manager.distanceFilter = 10
    manager.startUpdatingLocation()
    manager.startMonitoring(for: harbour)
  }

  func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
    guard let location = locations.last, location.age < .seconds(15) else { return }
    place = location.coordinate
    if let accuracy = location.horizontalAccuracy { text = "± \(Int(accuracy)) m" }
  }

  func locationManager(_ manager: LocationManager, didEnterRegion region: any Region) { text = "Ahoy" }

  func locationManager(_ manager: LocationManager, didFailWithError error: any Error) { text = "\(error)" }
}

func showPlace() async throws {
  let manager = LocationManager(purpose: "Shows you on the map")
  for try await update in manager.locationUpdates {
    switch update {
    case .location(let location): print(location.coordinate, location.age)
    case .stationary(let isStationary): print(isStationary ? "stays" : "moves")
    case .unknown(let reason): print(reason)
    case .gap(let gap): print("no updates since \(gap.from)")
    }
  }
}

func checkIn() async throws -> LocationCoordinate2D {
  let manager = LocationManager(purpose: "Says in which branch you are")
  manager.desiredAccuracy = .hundredMeters
  return try await manager.currentLocation(timeout: .seconds(20)).coordinate
}
