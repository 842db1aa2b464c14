import Departures
import Geodesy
import Instants
import LocationArbitration
import Locations
import Logging
import Status
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
  private(set) var timeout = Span.zero
  var isSearching = false
  /// The time at which the sources noticed the search.
  var since: Instant?

  func searchForDeparture(_ accuracy: DesiredAccuracy, timeout: Span) {
    searches.append(accuracy)
    (self.timeout, isSearching, since) = (timeout, true, nil)
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

  /// Whether the position is never as fine as asked for, so that each search takes all of its time.
  var isCoarse = false
  /// Whether a search without a position ends at once, as without a source.
  var isQuickToGiveUp = true
  /// The time that the sources need for a first position.
  var warmUp = Span.zero

  /// Answers a search, as the location sources do after a moment.
  func answer(speed: Double? = nil) {
    guard locations.isSearching else { return }
    let since = locations.since ?? alarm.now
    locations.since = since
    let place = alarm.now - since >= warmUp ? visitor : nil
    let found = place.flatMap { location(at: $0, speed: speed) }
    let isOver = alarm.now - since >= locations.timeout
    if isCoarse, let found, !isOver {
      service.take(.progress(.departures, found))
    } else if found != nil || isOver || isQuickToGiveUp {
      locations.isSearching = false
      service.take(found)
    }
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
