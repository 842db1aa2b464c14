import Departures
import Events
import Geodesy
import Instants
import LocationArbitration
import Locations
import Status
import Testing
import Venues
import Wayfinding

/// The places of appointments, and the ways to them.
@Suite struct AppointmentPlaceTests {
  @Test func `the advice for a visitor outside the venue counts the way to the entrance, and a visitor in another town gets none`() {
    let scene = DepartureScene()
    let appointment = scene.appointment(in: .seconds(3600))
    scene.visitor = PlanPoint(x: 0, y: -1000)
    scene.use([appointment])
    let travel = scene.service.status.first?.travelTime?.seconds ?? 0
    #expect((1150...1250).contains(travel), "\(travel)")
    scene.visitor = PlanPoint(x: 0, y: -30_000)
    scene.run(until: appointment.id.start)
    #expect(scene.texts.isEmpty && scene.service.status.first?.note?.contains("too far") ?? false)
  }

  @Test func `a place is found by its id or its title`() throws {
    let scene = DepartureScene()
    scene.use([])
    for name in ["gate-12", "Gate 12", "gate  12", "Gate 12, Terminal 1"] {
      #expect(try scene.service.place(name, venue: nil).place == "gate-12")
    }
    #expect(throws: AppointmentPlace.Failure.unknown) { try scene.service.place("Gate 13", venue: nil) }
    #expect(throws: AppointmentPlace.Failure.unknown) { try scene.service.place("gate-12", venue: "other") }
  }

  @Test func `a name that several venues have is ambiguous without the venue, even in a calendar`() throws {
    let venues = [DepartureScene.venue, Venue(id: "station", places: DepartureScene.venue.places)]
    #expect(throws: AppointmentPlace.Failure.ambiguous(["airport/gate-12", "station/gate-12"])) {
      try AppointmentPlace("Gate 12", in: venues)
    }
    #expect(try AppointmentPlace("Gate 12", venue: "station", in: venues).venue == "station")
    let content = CalendarContent(entries: ["Gate 12", "Lunch"].map { CalendarEntry(start: Instant(microseconds: 0), location: $0) })
    let reference = CalendarReference(path: "/tour.ics")
    #expect(reference.appointments(content, in: venues).isEmpty)
    let problems = reference.problems(content, in: venues)
    #expect(problems.count == 2 && problems.contains { $0.contains("airport/gate-12, station/gate-12") }, "\(problems)")
    // With the venue only the event that is at no place remains.
    let remaining = CalendarReference(path: "/tour.ics", venue: "station").problems(content, in: venues)
    #expect(remaining.count == 1 && remaining[0].contains("\"Lunch\" is not a place of a venue"), "\(remaining)")
  }

  @Test func `many appointments at one place share one way, and those at many places are spread over several checks`() {
    let places = (0..<60).map { Place(id: "p\($0)", kind: .gate, position: PlanPoint(x: 0, y: Double($0) * 3 + 10)) }
    var venue = DepartureScene.venue
    venue.places += places
    let scene = DepartureScene()
    let start = scene.alarm.now + .seconds(3600)
    func use(_ appointments: [PlannedAppointment]) {
      scene.service.replace(appointments, venues: [venue], walking: WalkingSettings(), languages: ["en"])
      scene.answer()
    }
    use(
      (0..<60).map {
        PlannedAppointment(id: .init(venue: "airport", place: "gate-12", start: start + .seconds(Double($0))), title: LocalizedText("Tour"))
      })
    #expect(scene.locations.searches.count == 1)
    #expect(scene.service.status.count { $0.travelTime != nil } == 60)
    use(places.map { PlannedAppointment(id: .init(venue: "airport", place: $0.id, start: start), title: LocalizedText("Tour")) })
    #expect(scene.service.status.count { $0.travelTime != nil } == DepartureService.mostPlaces)
    for _ in 0..<3 {
      scene.alarm.ring()
      scene.answer()
    }
    #expect(scene.service.status.count { $0.travelTime != nil } == 60 && scene.alarm.due > scene.alarm.now)
  }
}
