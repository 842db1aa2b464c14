import Events
import Instants
import Proximity
import Regions
import Testing
import Venues

/// The levels that venues give to the events of places.
@Suite struct CatalogueEventTests {
  private static func venue(_ id: String) -> Venues.Venue {
    let cellar = VenueLevel(id: "cellar", ordinal: -1, name: ["en": "Cellar", "de": "Keller"])
    return Venues.Venue(
      id: id, levels: [cellar, VenueLevel(id: "roof", ordinal: 3)],
      places: [Place(id: "wine", level: "cellar", position: PlanPoint(x: 0, y: 0))])
  }

  private func event(of area: VenueArea, _ venues: [Venues.Venue]) throws -> Event {
    var engine = ProximityEngine(at: Instant(microseconds: 0))
    engine.add(.place(PlaceRegion(identifier: "region", area: area)), at: engine.now)
    engine.ingest(PlaceEstimate(fix: nil, probabilities: [area: 0]), at: Instant(microseconds: 1))
    let transition = try #require(engine.drainEvents().first)
    var event = transition.event()
    Catalogue(venues).addNames(of: transition.transition, preferring: ["de"], to: &event)
    return event
  }

  @Test func `an event of a place or a level has its floor, and the name of the level in the best language`() throws {
    let place = try event(of: VenueArea(.place("wine")), [Self.venue("house")])
    #expect(place.floor == -1 && place.levelName == "Keller" && place.placeName == nil)
    let level = try event(of: VenueArea(.level("roof"), venue: "house"), [Self.venue("hut"), Self.venue("house")])
    #expect(level.floor == 3 && level.levelName == nil)
  }

  @Test func `an event of a whole venue, of an unknown place, or of a place that several venues have, has no floor`() throws {
    let both = [Self.venue("house"), Self.venue("hut")]
    for area in [
      VenueArea(.whole, venue: "house"), VenueArea(.place("attic")), VenueArea(.place("wine")), VenueArea(.level("roof"), venue: "x"),
    ] {
      let event = try event(of: area, both)
      #expect(event.floor == nil && event.levelName == nil, "\(area)")
    }
  }
}
