import Beaconmon
import Foundation

func showNearest(of uuid: UUID) async throws {
  let manager = LocationManager(purpose: "Shows the exhibit you stand at")
  for try await update in manager.rangingUpdates(satisfying: BeaconIdentityConstraint(uuid: uuid)) {
    print(update.beacons.first?.minor ?? 0)
  }
}

func followGallery(of uuid: UUID) async {
  let monitor = await Monitor("gallery", purpose: "Counts visits to the gallery")
  await monitor.add(Monitor.BeaconIdentityCondition(uuid: uuid), identifier: "gallery", assuming: .unsatisfied)
  for await event in await monitor.events where event.state == .satisfied {
    print(event.identifier, event.date, event.refinement as? BeaconIdentityCondition ?? "")
  }
}

func followEntrance() async {
  let manager = LocationManager(purpose: "Counts visits")
  manager.startMonitoring(for: ConfiguredRegion(identifier: "entrance"))
  for await update in manager.regionUpdates {
    if case .event(let event) = update, event.kind == .entered { print(event.date) }
  }
}
