// Prints the location of the device, and enters and exits of a circle: here LATITUDE LONGITUDE

import Beaconmon
import Foundation

final class Here: LocationManagerDelegate {
  private let manager = LocationManager(purpose: "Shows where you are")

  init(_ place: CircularRegion) {
    manager.delegate = self
    manager.distanceFilter = 10
    manager.startUpdatingLocation()
    manager.startMonitoring(for: place)
  }

  func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
    guard let location = locations.last else { return }
    let place = String(format: "%.5f %.5f", location.coordinate.latitude, location.coordinate.longitude)
    say(place + (location.horizontalAccuracy.map { String(format: " ± %.0f m", $0) } ?? ""))
  }

  func locationManager(_ manager: LocationManager, didEnterRegion region: any Region) { say("enter \(region.identifier)") }

  func locationManager(_ manager: LocationManager, didExitRegion region: any Region) { say("exit \(region.identifier)") }

  func locationManager(_ manager: LocationManager, didFailWithError error: any Error) { say("\(error)") }

  func locationManager(_ manager: LocationManager, monitoringDidFailFor region: (any Region)?, withError error: any Error) {
    say("\(error)")
  }

  func locationManager(_ manager: LocationManager, didChange service: ServiceStatus) {
    if case .away(let reason) = service { say("\(reason)") }
  }

  private func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}

let numbers = CommandLine.arguments.dropFirst().compactMap { Double($0) }
guard numbers.count == 2 else { fatalError("usage: here LATITUDE LONGITUDE") }
let center = LocationCoordinate2D(latitude: numbers[0], longitude: numbers[1])
let here = Here(CircularRegion(center: center, radius: 200, identifier: "the place"))
dispatchMain()
