import Beaconmon

func followStories() async throws {
  let directory = VenueDirectory(language: "de")
  let manager = LocationManager(purpose: "Plays the story of the exhibit you stand at")
  for place in try await directory.search("", kind: .exhibit, limit: 20) {
    manager.startMonitoring(for: PlaceRegion(place, identifier: place.placeID))
  }
  for await update in manager.regionUpdates {
    guard case .event(let event) = update, event.kind == .entered else { continue }
    let place = try await directory.place(event.region.identifier)
    print(place.title, place.text ?? "", place.audio ?? "")
  }
}

func showPlaces(near location: Location) async throws {
  guard let here = location.placemark, let venue = here.venue else { return }
  print(here)
  let places = try await VenueDirectory().places(near: location.coordinate, venue: venue, level: here.level, limit: 3)
  for place in places { print(place.title, place.distance ?? 0) }
}
