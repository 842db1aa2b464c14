import Beaconmon
import Foundation

// Stand-ins for GLib's functions, which allocate with malloc.
private func g_variant_print(_ value: OpaquePointer?, _ annotates: Int32) -> UnsafeMutablePointer<CChar>? { strdup("{}") }
private func g_free(_ memory: UnsafeMutableRawPointer?) { free(memory) }

private func open(_ identifier: String, since date: Date) {}

@MainActor final class Visits: LocationManagerDelegate {
  private let manager = LocationManager(purpose: "Opens the guide at the museum", appID: "org.example.Guide")
  private(set) var text = ""

  func switchOn(uuid: UUID) {
    manager.delegate = self
    manager.register(BeaconRegion(uuid: uuid, identifier: "museum"))
  }

  func switchOff() { manager.unregister("museum") }

  func locationManager(_ manager: LocationManager, didRegister region: any Region) { text = "The guide opens when you come" }

  func locationManager(_ manager: LocationManager, monitoringDidFailFor region: (any Region)?, withError error: any Error) {
    text = "\(error)"
  }
}

func onRegionEvent(_ details: OpaquePointer?) {
  guard let text = g_variant_print(details, 0) else { return }
  defer { g_free(text) }
  guard let event = RegisteredEvent(details: String(cString: text)) else { return }
  if event.kind == .entered { open(event.identifier, since: event.date) }
}
