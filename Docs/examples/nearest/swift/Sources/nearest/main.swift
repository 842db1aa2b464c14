// Prints the nearest beacon once a second.

import Beaconmon
import Foundation

final class Nearest: LocationManagerDelegate {
  private let manager = LocationManager(purpose: "Shows the exhibit you stand at")

  init(_ uuid: UUID) {
    manager.delegate = self
    manager.startRangingBeacons(satisfying: BeaconIdentityConstraint(uuid: uuid))
  }

  func locationManager(_ manager: LocationManager, didRange beacons: [Beacon], satisfying beaconConstraint: BeaconIdentityConstraint) {
    say(beacons.first.map { "\($0.major)/\($0.minor) \($0.proximity)" } ?? "nothing near")
  }

  func locationManager(_ manager: LocationManager, didFailRangingFor beaconConstraint: BeaconIdentityConstraint, error: any Error) {
    say("\(error)")
  }

  func locationManager(_ manager: LocationManager, didChange service: ServiceStatus) {
    if case .away(let reason) = service { say("\(reason)") }
  }

  private func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}

let text = CommandLine.arguments.dropFirst().first ?? "8ec76ea3-6668-48da-9866-75be8bc86f4d"
guard let uuid = UUID(uuidString: text) else { fatalError("\(text) is not a UUID") }
let nearest = Nearest(uuid)
dispatchMain()
