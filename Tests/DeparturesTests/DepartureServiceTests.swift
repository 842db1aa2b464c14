import Departures
import Events
import Geodesy
import Instants
import LocationArbitration
import Locations
import Logging
import Status
import TestSupport
import Testing
import Venues
import Wayfinding

/// An alarm whose clock a test advances and sets.
final class ManualAlarm: DepartureAlarm {
  var now = Instant(microseconds: 1_800_000_000_000_000)
  var onAlarm: () -> Void = {}
  private(set) var due = Instant.never
  private(set) var rings = 0

  func arm(at time: Instant) { due = time }

  func ring() {
    rings += 1
    onAlarm()
  }

  /// Sets the clock, which wakes the service as the kernel does.
  func set(_ time: Instant) {
    now = time
    if due != .never { ring() }
  }
}

final class FakeDepartureLocations: DepartureLocations {
  private(set) var searches: [DesiredAccuracy] = []
  var isSearching = false

  func searchForDeparture(_ accuracy: DesiredAccuracy, timeout: Span) {
    searches.append(accuracy)
    isSearching = true
  }

  func endDepartureSearch() { isSearching = false }
}

final class FakeDepartureFile: DepartureFile {
  var stored: [StoredDeparture] = []
  var isReadable = true
  private(set) var loads = 0

  func loadDepartures() -> [StoredDeparture]? {
    loads += 1
    return isReadable ? stored : nil
  }

  func save(_ departures: [StoredDeparture]) -> Bool {
    stored = departures
    return true
  }
}

/// A straight corridor of 200 m with a gate at its end, and a visitor.
final class DepartureScene {
  static let venue = Venue(
    id: "airport", frame: Coordinate(latitude: 48.1, longitude: 11.5).map { VenueFrame(origin: $0) },
    levels: [VenueLevel(walkable: [PlanPolygon(from: PlanPoint(x: -2, y: -2), to: PlanPoint(x: 2, y: 202))].compactMap(\.self))],
    places: [
      Place(id: "gate-12", kind: .gate, position: PlanPoint(x: 0, y: 200), title: LocalizedText("Gate 12")),
      Place(id: "door", kind: .entrance, position: PlanPoint(x: 0, y: 0)),
    ])

  let alarm = ManualAlarm()
  let locations = FakeDepartureLocations()
  let file: FakeDepartureFile
  let service: DepartureService
  var advice: [DepartureAdvice] = []
  /// The visitor's place on the plan; nil while the position is unknown.
  var visitor: PlanPoint? = PlanPoint(x: 0, y: 0)

  init(_ file: FakeDepartureFile = FakeDepartureFile(), at now: Instant? = nil) {
    self.file = file
    if let now { alarm.now = now }
    service = DepartureService(alarm, locations, file, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    service.onAdvice = { [unowned self] in advice.append($0) }
  }

  func appointment(in time: Span, margin: Span = .seconds(300)) -> PlannedAppointment {
    appointment(at: alarm.now + time, margin: margin)
  }

  func appointment(at start: Instant, margin: Span = .seconds(300)) -> PlannedAppointment {
    PlannedAppointment(
      id: .init(venue: "airport", place: "gate-12", start: start), title: LocalizedText("Flight"), margin: margin)
  }

  func use(_ appointments: [PlannedAppointment]) {
    service.replace(appointments, venues: [Self.venue], walking: WalkingSettings(), languages: ["en"])
    answer()
  }

  /// Answers a search, as the location sources do after a moment.
  func answer(speed: Double? = nil) {
    guard locations.isSearching else { return }
    locations.isSearching = false
    service.take(visitor.flatMap { location(at: $0, speed: speed) })
  }

  func location(at point: PlanPoint, speed: Double? = nil) -> Location? {
    guard let coordinate = Self.venue.frame?.coordinate(for: point) else { return nil }
    var reading = LocationReading(latitude: coordinate.latitude, longitude: coordinate.longitude, horizontalAccuracy: 2)
    (reading.floor, reading.speed) = (0, speed)
    return try? Location(reading, from: Location.Source("indoor"), at: Receipt(recorded: alarm.now))
  }

  /// Lets time pass until a time; `step` moves the visitor before each second.
  func run(until end: Instant, step: (Instant) -> Void = { _ in }) {
    while alarm.now < end {
      alarm.now = alarm.now + .seconds(1)
      step(alarm.now)
      if alarm.due <= alarm.now { alarm.ring() }
      answer()
    }
  }

  var texts: [String] {
    advice.map { given in
      let left = Int((given.appointment.id.start - given.time).seconds)
      return switch given.advice {
      case .leave: "leave \(left)"
      case .leaveAtOnce: "hurry \(left)"
      case .cancelled: "arrive \(left)"
      case .missed: "miss \(left)"
      }
    }
  }
}

/// The time to leave for appointments.
@Suite struct DepartureServiceTests {
  /// The seconds to the gate, 200 m at 1.33 m/s.
  private static let travel = 151.0

  @Test func `without an appointment the service has no timer, asks for no location and reads no file`() {
    let scene = DepartureScene()
    scene.use([])
    #expect(scene.alarm.due == .never && scene.locations.searches.isEmpty && scene.file.loads == 0)
    #expect(scene.service.status.isEmpty)
  }

  @Test func `a visitor who stays gets the advice to leave once, the advice to hurry once, and a report of the missed appointment`() {
    let scene = DepartureScene()
    let appointment = scene.appointment(in: .seconds(4 * 3600))
    scene.use([appointment])
    scene.run(until: appointment.id.start + .seconds(300))
    #expect(scene.texts.count == 3, "\(scene.texts)")
    let times = scene.advice.map { ($0.appointment.id.start - $0.time).seconds }
    #expect(abs(times[0] - Self.travel - 300) <= 2 && abs(times[1] - Self.travel) <= 2 && times[2] <= 0, "\(times)")
    #expect(scene.alarm.rings < 40, "\(scene.alarm.rings)")
    #expect(scene.advice[0].travel?.length ?? 0 > 195)
  }

  @Test func `the location is asked for rarely before the time to leave, and coarsely far before it`() {
    let scene = DepartureScene()
    let appointment = scene.appointment(in: .seconds(24 * 3600))
    scene.use([appointment])
    #expect(scene.locations.searches.isEmpty)
    scene.run(until: appointment.id.start - .seconds(600))
    #expect((4...16).contains(scene.locations.searches.count), "\(scene.locations.searches.count)")
    #expect(scene.texts.isEmpty)
    // The second search knows how far away the visitor is in time.
    let metres = scene.locations.searches.map(\.metres)
    #expect(metres[1] > 100 && metres[metres.count - 1] < 100, "\(metres)")
  }

  @Test func `a visitor who walks away gets the advice in time`() {
    let scene = DepartureScene()
    scene.visitor = PlanPoint(x: 0, y: 190)
    let appointment = scene.appointment(in: .seconds(3600))
    scene.use([appointment])
    // He stays at the gate until twelve minutes before, and goes back to the entrance and on.
    scene.run(until: appointment.id.start - .seconds(400)) { now in
      let left = (appointment.id.start - now).seconds
      if left < 720 { scene.visitor = PlanPoint(x: 0, y: max(0, 190 - 1.33 * (720 - left))) }
    }
    #expect(scene.texts.first?.hasPrefix("leave") ?? false, "\(scene.texts)")
    let left = (scene.advice[0].appointment.id.start - scene.advice[0].time).seconds
    #expect(left >= Self.travel + 300 - 20, "\(left)")
  }

  @Test func `arrival cancels the advice, and nothing follows`() {
    let scene = DepartureScene()
    let appointment = scene.appointment(in: .seconds(3600))
    scene.use([appointment])
    var progress = 0.0
    scene.run(until: appointment.id.start + .seconds(120)) { _ in
      if !scene.advice.isEmpty { progress = min(200, progress + 1.33) }
      scene.visitor = PlanPoint(x: 0, y: progress)
    }
    #expect(scene.advice.count == 2 && scene.texts[1].hasPrefix("arrive"), "\(scene.texts)")
    #expect(scene.service.status.first?.state == .over)
  }

  @Test func `the time to leave is within 10 % of the walk that follows`() {
    for (seed, pace) in [0.9, 1.1, 1.33, 1.6].enumerated() {
      let scene = DepartureScene()
      let appointment = scene.appointment(in: .seconds(3600), margin: .zero)
      scene.use([appointment])
      var (progress, told, arrived) = (0.0, Instant?.none, Instant?.none)
      scene.run(until: appointment.id.start + .seconds(50)) { now in
        // The receiver has measured the pace of the visitor on earlier walks.
        if scene.locations.isSearching { scene.answer(speed: pace) }
        if told == nil, let first = scene.advice.first { told = first.time }
        if told != nil { progress += pace }
        if progress >= 197, arrived == nil { arrived = now }
        scene.visitor = PlanPoint(x: 0, y: min(200, progress))
        if scene.alarm.due <= now {
          scene.alarm.ring()
          scene.answer(speed: pace)
        }
      }
      guard let told, let arrived, case .leaveAtOnce(let travel)? = scene.advice.first?.advice else {
        Issue.record("\(seed): \(scene.texts)")
        continue
      }
      let walked = (arrived - told).seconds
      #expect(abs(travel.seconds - walked) <= 0.1 * walked, "pace \(pace): \(travel.seconds) for \(walked)")
    }
  }

  @Test func `advice that was given before a restart is not repeated`() {
    let scene = DepartureScene()
    let appointment = scene.appointment(in: .seconds(3600))
    scene.use([appointment])
    scene.run(until: appointment.id.start - .seconds(400))
    #expect(scene.texts.count == 1)
    let next = DepartureScene(scene.file, at: scene.alarm.now)
    next.use([appointment])
    next.run(until: appointment.id.start - .seconds(200))
    #expect(next.texts.isEmpty, "\(next.texts)")
    next.run(until: appointment.id.start - .seconds(100))
    #expect(next.texts.count == 1 && next.texts[0].hasPrefix("hurry"), "\(next.texts)")
  }

  @Test func `a device that was off when an appointment began sends no advice for it`() {
    let scene = DepartureScene(FakeDepartureFile())
    scene.use([scene.appointment(in: .seconds(-300))])
    scene.run(until: scene.alarm.now + .seconds(600))
    #expect(scene.texts.isEmpty && scene.service.status.first?.state == .past)
  }

  @Test func `a device that returns shortly before an appointment sends the due advice`() {
    let scene = DepartureScene()
    scene.use([scene.appointment(in: .seconds(100))])
    #expect(scene.texts == ["hurry 100"])
  }

  @Test func `without a position there is no advice, and the status has the reason`() {
    let scene = DepartureScene()
    let appointment = scene.appointment(in: .seconds(3600))
    scene.visitor = nil
    scene.use([appointment])
    scene.run(until: appointment.id.start + .seconds(300)) { now in
      if now == appointment.id.start - .seconds(120) {
        #expect(scene.service.status.first?.note == "the position is unknown")
        #expect(scene.service.status.first?.leaveTime == nil)
      }
    }
    #expect(scene.texts.isEmpty, "\(scene.texts)")
    // The attempts do not become a storm.
    #expect(scene.locations.searches.count < 120, "\(scene.locations.searches.count)")
  }

  @Test func `a position that is lost for a moment does not delay the advice`() {
    let scene = DepartureScene()
    let appointment = scene.appointment(in: .seconds(3600))
    scene.use([appointment])
    scene.run(until: appointment.id.start - .seconds(300)) { now in
      scene.visitor = now > appointment.id.start - .seconds(600) ? nil : PlanPoint(x: 0, y: 0)
    }
    #expect(scene.texts.count == 1 && scene.texts[0].hasPrefix("leave"), "\(scene.texts)")
  }

  @Test func `a clock that is set forward brings the advice at once, and one that is set back repeats none`() {
    let scene = DepartureScene()
    let appointment = scene.appointment(in: .seconds(10 * 3600))
    scene.use([appointment])
    #expect(scene.texts.isEmpty)
    scene.alarm.set(appointment.id.start - .seconds(420))
    scene.answer()
    #expect(scene.texts == ["leave 420"])
    scene.alarm.set(appointment.id.start - .seconds(3600))
    scene.answer()
    scene.run(until: appointment.id.start - .seconds(200))
    #expect(scene.texts == ["leave 420"], "\(scene.texts)")
    scene.run(until: appointment.id.start - .seconds(100))
    #expect(scene.texts.count == 2 && scene.texts[1].hasPrefix("hurry"))
  }

  @Test func `a clock that was far ahead for a while loses no appointment`() {
    let scene = DepartureScene()
    let start = scene.alarm.now
    let appointment = scene.appointment(in: .seconds(3600))
    scene.use([appointment])
    scene.alarm.set(start + .seconds(400 * 86_400))
    scene.answer()
    #expect(scene.texts.isEmpty)
    scene.alarm.set(start + .seconds(600))
    scene.answer()
    scene.run(until: appointment.id.start - .seconds(400))
    #expect(scene.texts.count == 1, "\(scene.texts)")
  }

  @Test func `a reload keeps the stage of an appointment, and a removed one is silent`() {
    let scene = DepartureScene()
    let appointment = scene.appointment(in: .seconds(3600))
    scene.use([appointment])
    scene.run(until: appointment.id.start - .seconds(400))
    #expect(scene.texts.count == 1)
    var renamed = appointment
    renamed.title = LocalizedText("Flight BM 12")
    scene.use([renamed])
    scene.run(until: appointment.id.start - .seconds(300))
    #expect(scene.texts.count == 1)
    scene.use([])
    scene.run(until: appointment.id.start)
    #expect(scene.texts.count == 1 && scene.alarm.due == .never)
  }

  @Test func `a search without an answer does not end the advice`() {
    let scene = DepartureScene()
    let appointment = scene.appointment(in: .seconds(3600))
    scene.service.replace([appointment], venues: [DepartureScene.venue], walking: WalkingSettings(), languages: ["en"])
    // The first answer is lost.
    scene.locations.isSearching = false
    scene.run(until: appointment.id.start - .seconds(400))
    #expect(scene.texts.count == 1 && scene.texts[0].hasPrefix("leave"), "\(scene.texts)")
  }

  @Test func `a visitor who was at the place before the position was lost gets the advice`() {
    let scene = DepartureScene()
    let appointment = scene.appointment(in: .seconds(3600))
    scene.use([appointment])
    scene.run(until: appointment.id.start - .seconds(60)) { now in
      let left = (appointment.id.start - now).seconds
      scene.visitor = left > 330 ? PlanPoint(x: 0, y: 200) : left > 200 ? nil : PlanPoint(x: 0, y: 0)
    }
    #expect(scene.texts.count == 2 && scene.texts[0].hasPrefix("leave") && scene.texts[1].hasPrefix("hurry"), "\(scene.texts)")
  }

  @Test func `an appointment of a session that is corrected keeps its stage`() {
    let scene = DepartureScene()
    scene.use([])
    var appointment = scene.appointment(in: .seconds(440))
    #expect(scene.service.add(appointment, of: 7))
    scene.answer()
    #expect(scene.texts.count == 1)
    appointment.title = LocalizedText("Flight BM 12")
    #expect(scene.service.add(appointment, of: 7))
    scene.answer()
    #expect(scene.texts.count == 1)
  }

  @Test func `a session has a limited number of appointments, which end with it and are not stored`() {
    let scene = DepartureScene()
    scene.use([])
    var accepted = 0
    for number in 0..<20 where scene.service.add(scene.appointment(in: .seconds(Double(100 + number))), of: 7) { accepted += 1 }
    scene.answer()
    #expect(accepted == DepartureService.mostOfSession && scene.advice.count == accepted)
    #expect(scene.advice.allSatisfy { $0.owner == .session(7) } && scene.file.stored.isEmpty && scene.service.status.isEmpty)
    #expect(scene.service.remove(scene.appointment(in: .seconds(100)).id, of: 7))
    #expect(!scene.service.remove(scene.appointment(in: .seconds(100)).id, of: 8))
    scene.service.removeAll(of: 7)
    #expect(scene.alarm.due == .never)
  }

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

  @Test func `a name that several venues have is ambiguous without the venue, also in a calendar`() throws {
    let venues = [DepartureScene.venue, Venue(id: "station", places: DepartureScene.venue.places)]
    #expect(throws: AppointmentPlace.Failure.ambiguous(["airport/gate-12", "station/gate-12"])) {
      try AppointmentPlace("Gate 12", in: venues)
    }
    #expect(try AppointmentPlace("Gate 12", venue: "station", in: venues).venue == "station")
    let content = CalendarContent(entries: ["Gate 12", "Lunch"].map { CalendarEntry(start: Instant(microseconds: 0), location: $0) })
    let reference = CalendarReference(path: "/tour.ics")
    #expect(reference.appointments(content, in: venues).isEmpty)
    let problems = reference.problems(content, in: venues)
    #expect(problems.count == 1 && problems[0].contains("airport/gate-12, station/gate-12"), "\(problems)")
    #expect(CalendarReference(path: "/tour.ics", venue: "station").problems(content, in: venues).isEmpty)
  }

  @Test func `a session without consent gets no advice, and gets the due advice once when consent returns`() {
    let scene = DepartureScene()
    scene.use([])
    let appointment = scene.appointment(in: .seconds(500))
    #expect(scene.service.add(appointment, of: 1))
    scene.answer()
    scene.run(until: appointment.id.start - .seconds(400))
    #expect(scene.texts.count == 1 && scene.texts[0].hasPrefix("leave"))
    scene.service.suspend(1)
    #expect(scene.alarm.due == .never && !scene.locations.isSearching)
    scene.run(until: appointment.id.start - .seconds(100))
    #expect(scene.texts.count == 1)
    scene.service.resume(1)
    scene.answer()
    #expect(scene.texts.dropFirst() == ["hurry 100"], "\(scene.texts)")
    scene.service.suspend(1)
    #expect(scene.service.remove(appointment.id, of: 1))
    scene.service.resume(1)
    #expect(scene.alarm.due == .never)
  }

  @Test func `the search ends when consent is revoked`() {
    let scene = DepartureScene()
    scene.use([])
    #expect(scene.service.add(scene.appointment(in: .seconds(500)), of: 1))
    #expect(scene.locations.isSearching)
    scene.service.suspend(1)
    #expect(!scene.locations.isSearching)
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

  @Test func `a visitor who is too far to walk is located coarsely until the end`() {
    let scene = DepartureScene()
    let appointment = scene.appointment(in: .seconds(3600))
    scene.visitor = PlanPoint(x: 0, y: -30_000)
    scene.use([appointment])
    scene.run(until: appointment.id.start - .seconds(1))
    #expect(scene.locations.searches.count > 3 && scene.locations.searches.allSatisfy { $0.metres == 1000 }, "\(scene.locations.searches)")
  }

  @Test func `stages that cannot be read are not erased, and count when they can`() {
    let file = FakeDepartureFile()
    let scene = DepartureScene(file)
    let appointment = scene.appointment(in: .seconds(400))
    let stored = [StoredDeparture(id: appointment.id, stage: .told)]
    (file.stored, file.isReadable) = (stored, false)
    scene.visitor = nil
    scene.use([appointment])
    #expect(file.stored == stored)
    file.isReadable = true
    scene.visitor = PlanPoint(x: 0, y: 0)
    scene.run(until: scene.alarm.now + .seconds(60))
    #expect(scene.texts.isEmpty, "\(scene.texts)")
  }

  @Test func `a session at its limit may replace past appointments`() {
    let scene = DepartureScene()
    scene.use([])
    let appointments = (0..<DepartureService.mostOfSession).map { scene.appointment(in: .seconds(600 + Double($0))) }
    for appointment in appointments { #expect(scene.service.add(appointment, of: 1)) }
    #expect(!scene.service.add(scene.appointment(in: .seconds(7200)), of: 1))
    scene.alarm.set(scene.alarm.now + .seconds(3600))
    #expect(scene.service.removePast(of: 1).isEmpty)
    #expect(scene.service.add(scene.appointment(in: .seconds(7200)), of: 1))
  }

  @Test func `the event of a device's advice may be stored, and that of a session's is not`() throws {
    let scene = DepartureScene()
    let start = scene.alarm.now + .seconds(400)
    scene.use([scene.appointment(at: start)])
    #expect(scene.service.add(scene.appointment(at: start), of: 1))
    scene.run(until: start - .seconds(1))
    let events = scene.advice.map { (owner: $0.owner, event: scene.service.event(of: $0)) }
    #expect(Set(events.map(\.owner)) == [.device, .session(1)])
    for (owner, event) in events {
      #expect(event.isDurable == (owner == .device ? nil : false))
      #expect(event.placeName == "Gate 12" && event.placeID == "gate-12" && event.appointment == "Flight")
    }
  }
}
