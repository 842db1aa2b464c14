import Events
import Regions
public import Venues

extension Catalogue {
  /// Adds the names that the venues have for the beacon and for the area of an event's region.
  public func addNames(of transition: RegionTransition, preferring languages: [String], to event: inout Event) {
    if let beacon = transition.evidence?.beacon, let place = place(of: beacon) {
      (event.placeID, event.placeName) = (place.id, place.name(preferring: languages))
    }
    if let area = transition.region.placeRegion?.area, let level = level(of: area) {
      (event.floor, event.levelName) = (Int64(level.ordinal), level.name.text(preferring: languages))
    }
  }

  /// Returns the level of a place, or the level itself; nil for a whole venue, and if several venues have an area of that id.
  public func level(of area: VenueArea) -> VenueLevel? {
    let levels = venues.indices.filter { area.venue == nil || venues[$0].id == area.venue }.compactMap { index -> VenueLevel? in
      switch area.part {
      case .place(let id): place(id, in: index).flatMap { venues[index].level($0.level) }
      case .level(let id): venues[index].level(id)
      case .whole: nil
      }
    }
    return levels.count == 1 ? levels[0] : nil
  }
}
