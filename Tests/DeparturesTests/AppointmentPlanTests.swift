import Instants
import Status
import TestSupport
import Testing
import Venues

@testable import Departures

/// Calendars that change, fail and go, on a manual clock.
@Suite struct AppointmentPlanTests {
  private final class FakeCalendar: CalendarReading {
    var onContent: (CalendarContent) -> Void = { _ in }
    private(set) var reads = 0

    func read() { reads += 1 }
  }

  private final class Scene {
    static let airport = CalendarReference(path: "/flights.ics")
    let departures = DepartureScene()
    let refresh = ManualAlarm()
    let lines = LogLines()
    /// The calendars that were opened and are still in use.
    var calendars: [String: FakeCalendar] = [:]
    var opened: [String] = []
    private(set) lazy var plan = AppointmentPlan(departures.service, refresh, log: lines.logger) { [unowned self] path in
      let calendar = FakeCalendar()
      opened.append(path)
      calendars[path] = calendar
      return calendar
    }

    func follow(_ calendars: [CalendarReference], appointments: [PlannedAppointment] = []) {
      plan.follow(
        .init(appointments: appointments, calendars: calendars, venues: [DepartureScene.venue], languages: ["en"]))
    }

    func entry(_ title: String, in span: Span, at place: String = "gate-12") -> CalendarEntry {
      CalendarEntry(start: departures.alarm.now + span, title: title, location: place)
    }

    func send(_ content: CalendarContent, of path: String = airport.path) { calendars[path]?.onContent(content) }

    var titles: [String?] { departures.service.status.filter { $0.time != nil }.map(\.title) }
    var notes: [String] { departures.service.calendarNotes.map { "\($0.calendar): \($0.note)" } }
  }

  @Test func `without calendars and appointments nothing is opened, and the clock costs nothing`() {
    let scene = Scene()
    scene.follow([])
    #expect(scene.opened.isEmpty && scene.refresh.due == .never && scene.titles.isEmpty)
  }

  @Test func `the appointments of the config and of its calendars are followed together`() {
    let scene = Scene()
    scene.follow([Scene.airport], appointments: [scene.departures.appointment(in: .seconds(7200))])
    #expect(scene.titles == ["Flight"])
    scene.send(CalendarContent(entries: [scene.entry("Tour", in: .seconds(3600)), scene.entry("Elsewhere", in: .seconds(60), at: "home")]))
    #expect(scene.titles == ["Tour", "Flight"])
    let note =
      "LOCATION: \"home\" is not a place of a venue, so these events are not appointments; "
      + "write the id or the title of a [[place]] if the event is there"
    #expect(scene.notes == ["/flights.ics: \(note)"])
  }

  @Test func `a calendar that several references name is opened and read once`() {
    let scene = Scene()
    scene.follow([Scene.airport, CalendarReference(path: Scene.airport.path, venue: "airport")])
    #expect(scene.opened == [Scene.airport.path] && scene.calendars[Scene.airport.path]?.reads == 1)
  }

  @Test func `the appointments of a calendar that is gone are dropped after 10 minutes, and those of one that cannot be read are kept`() {
    let scene = Scene()
    scene.follow([Scene.airport])
    scene.send(CalendarContent(entries: [scene.entry("Tour", in: .seconds(7200))]))
    var missing = CalendarContent(failure: "cannot be opened")
    func fail(after minutes: Double) -> [String?] {
      scene.refresh.now = scene.refresh.now + .seconds(60 * minutes)
      scene.send(missing)
      return scene.titles
    }
    #expect(fail(after: 0) == ["Tour"] && fail(after: 30) == ["Tour"])
    missing.isMissing = true
    #expect(fail(after: 0) == ["Tour"] && fail(after: 9) == ["Tour"] && fail(after: 2) == [])
    scene.send(CalendarContent(entries: [scene.entry("Tour", in: .seconds(7200))]))
    #expect(scene.titles == ["Tour"] && fail(after: 0) == ["Tour"])
  }

  @Test func `a calendar that fails or is cut off for a while keeps its appointments, and gets those of the next reading`() {
    let scene = Scene()
    scene.follow([Scene.airport])
    scene.send(CalendarContent(entries: [scene.entry("Tour", in: .seconds(3600))]))
    scene.send(CalendarContent(failure: "open: no such file"))
    #expect(scene.titles == ["Tour"] && scene.notes == ["/flights.ics: open: no such file"])
    var partial = CalendarContent()
    partial.isComplete = false
    scene.send(partial)
    #expect(scene.titles == ["Tour"] && scene.notes.isEmpty)
    scene.send(CalendarContent())
    #expect(scene.titles.isEmpty)
  }

  @Test func `a reading that is cut off counts until a complete one follows it`() {
    let scene = Scene()
    scene.follow([Scene.airport])
    var partial = CalendarContent(entries: [scene.entry("Tour", in: .seconds(3600))])
    partial.isComplete = false
    scene.send(partial)
    #expect(scene.titles == ["Tour"])
  }

  @Test func `a problem is logged once until it is solved`() {
    let scene = Scene()
    scene.follow([Scene.airport])
    let damaged = CalendarContent(warnings: ["line 3: is cut off"])
    for _ in 0..<3 { scene.send(damaged) }
    #expect(scene.lines.all == ["/flights.ics: line 3: is cut off"])
    scene.send(CalendarContent())
    scene.send(damaged)
    #expect(scene.lines.all.count == 2)
  }

  @Test func `calendars are read again every twelve hours, and when the clock is set`() {
    let scene = Scene()
    scene.follow([Scene.airport])
    #expect(scene.refresh.due == scene.refresh.now + .seconds(12 * 3600))
    scene.refresh.set(scene.refresh.due)
    scene.refresh.set(scene.refresh.now - .seconds(86_400))
    #expect(scene.calendars[Scene.airport.path]?.reads == 3)
    #expect(scene.refresh.due == scene.refresh.now + .seconds(12 * 3600))
  }

  @Test func `appointments that seemed past while the clock was wrong are followed when it is set`() {
    let scene = Scene()
    let appointment = scene.departures.appointment(in: .seconds(7200))
    let now = scene.departures.alarm.now
    scene.departures.alarm.now = now + .seconds(10 * 86_400)
    scene.follow([], appointments: [appointment])
    #expect(scene.titles.isEmpty)
    scene.departures.alarm.now = now
    scene.refresh.set(now)
    #expect(scene.titles == ["Flight"])
  }

  @Test func `a reload keeps the calendars that stay, and forgets the contents and problems of the others`() {
    let scene = Scene()
    let other = CalendarReference(path: "/trains.ics")
    scene.follow([Scene.airport, other])
    scene.send(CalendarContent(entries: [scene.entry("Tour", in: .seconds(3600))]))
    scene.send(CalendarContent(entries: [scene.entry("Train", in: .seconds(7200))], warnings: ["line 9"]), of: other.path)
    #expect(scene.titles == ["Tour", "Train"] && scene.notes == ["/trains.ics: line 9"])
    scene.follow([Scene.airport])
    #expect(scene.titles == ["Tour"] && scene.notes.isEmpty && scene.opened == [Scene.airport.path, other.path])
    scene.follow([Scene.airport, other])
    #expect(scene.titles == ["Tour"] && scene.opened.last == other.path && scene.opened.count == 3)
  }
}
