import Beaconmon
import Foundation

func watchInstallation() async throws {
  let manager = LocationManager(purpose: "Looks after the beacons of the gallery")
  for try await update in manager.expectedBeaconUpdates {
    guard case .event(let event) = update else { continue }
    let name = event.placeName ?? event.beacon.description
    switch (event.problem, event.change) {
    case (_, .ended): print("\(name): no longer \(event.problem)")
    case (.missing, .began): print("\(name): silent since \(event.reason.lastSeen?.description ?? "?")")
    case (.weak, .began): print("\(name): weak, \(event.batteryVoltage.map { "\($0) V" } ?? "no voltage")")
    case (.moved, .began): print("\(name): seems to hang elsewhere")
    case (.duplicate, .began): print("\(name): a suspected copy, because of \(event.reason.cause?.rawValue ?? "?")")
    }
  }
}
