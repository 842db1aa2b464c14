import ClientSessions
import Departures
import Guidance
import Headings
import Instants
import Orientation
import RouteReports
import Venues
import Wayfinding

/// Headings that record the clients, and that a test sends itself.
final class FakeHeadings: SessionHeadings {
  var isAvailable = false
  var requestObstacle: String?
  private(set) var requests: [HeadingService.Client: HeadingRequest] = [:]
  private(set) var dismissed: [HeadingService.Client] = []

  func listen(_ client: HeadingService.Client, _ request: HeadingRequest) { requests[client] = request }
  func end(_ client: HeadingService.Client) { requests[client] = nil }
  func dismissCalibration(_ client: HeadingService.Client) { dismissed.append(client) }
}

/// Guidance to every destination but refused ones.
final class FakeGuidance: SessionGuidance {
  var refusal: GuidanceRefusal?
  private(set) var guided: Set<UInt32> = []
  private(set) var queries: [(client: UInt32, completion: (Result<RouteReport, GuidanceRefusal>) -> Void)] = []
  var onOutput: (GuidanceService.Output) -> Void = { _ in }

  func check(_ request: GuidanceRequest) throws(GuidanceRefusal) {
    if let refusal { throw refusal }
  }

  func start(_ client: UInt32, _ request: GuidanceRequest) throws(GuidanceRefusal) {
    try check(request)
    guided.insert(client)
    onOutput(.update(client, GuidanceReport()))
  }

  func end(_ client: UInt32) { guided.remove(client) }

  func end(_ client: UInt32, _ end: GuidanceEnd) {
    if guided.remove(client) != nil { onOutput(.ended(client, end)) }
  }

  func route(
    _ query: RouteQuery, for client: UInt32, timeout: Span, completion: @escaping (Result<RouteReport, GuidanceRefusal>) -> Void
  ) {
    if query.start != nil { completion(.success(RouteReport())) } else { queries.append((client, completion)) }
  }

  /// Forgets nothing, so that a test can complete a query too late.
  func cancelQueries(of client: UInt32) {}
}

/// Departures that record the appointments of each session.
final class FakeDepartures: SessionDepartures {
  private(set) var appointments: [UInt32: Set<PlannedAppointment.ID>] = [:]
  private(set) var suspended: Set<UInt32> = []
  /// The time before which appointments are past.
  var now = Instant(microseconds: 0)

  func refusal(ofStart start: UInt64) -> String? { start < UInt64(now.microseconds) ? "time \(start) is in the past" : nil }

  func place(_ name: String, venue: String?) throws(AppointmentPlace.Failure) -> AppointmentPlace {
    throw name == "gate" ? .ambiguous(["north/gate", "south/gate"]) : .unknown
  }

  func add(_ appointment: PlannedAppointment, of session: UInt32) -> Bool {
    appointments[session, default: []].insert(appointment.id)
    return true
  }

  func remove(_ id: PlannedAppointment.ID, of session: UInt32) -> Bool { appointments[session]?.remove(id) != nil }

  func removePast(of session: UInt32) -> Set<PlannedAppointment.ID> {
    appointments[session] = appointments[session]?.filter { $0.start >= now }
    return appointments[session] ?? []
  }

  func suspend(_ session: UInt32) { suspended.insert(session) }
  func resume(_ session: UInt32) { suspended.remove(session) }
  func removeAll(of session: UInt32) { appointments[session] = nil }
}
