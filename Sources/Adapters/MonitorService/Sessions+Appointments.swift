import ClientSessions
import DBus
import Departures
import Events
import Instants
import MonitorProtocol
import Venues

// MARK: Appointments

extension Sessions {
  var appointmentMethods: [DBusMethod] {
    let identifier = DBusArgument("identifier", "s")
    return [
      consented("AddAppointment", [DBusArgument("appointment", "a{sv}")], out: [identifier]) { sessions, _, arguments throws(DBusError) in
        _ = try sessions.appointments.appointment(arguments[0])
      } _: { sessions, session, arguments throws(DBusError) in
        let answer = try sessions.appointments.add(try sessions.appointments.appointment(arguments[0]), of: session)
        sessions.service.beginUse(of: session.session)
        return answer
      },
      method("RemoveAppointment", [identifier]) { sessions, session, arguments throws(DBusError) in
        try sessions.appointments.remove(arguments[0].string ?? "", of: session)
        return Answer()
      },
    ]
  }

  var appointmentSignals: [DBusSignal] {
    [
      DBusSignal(
        "AppointmentEvent", [DBusArgument("event", "s"), DBusArgument("identifier", "s"), DBusArgument("details", "a{sv}")])
    ]
  }
}

/// The appointments that sessions have added, and the advice for them.
final class AppointmentSubscriptions {
  private unowned let service: DepartureService
  private var sessions: [UInt32: (session: SessionObject, appointments: [String: PlannedAppointment.ID])] = [:]
  private var lastNumber: UInt32 = 0

  private static let types: [String: OptionType] = [
    "title": .string, "time": .integer, "place": .string, "venue": .string, "margin": .string,
  ]
  private static let keys = ["title", "time", "place", "venue", "margin"]
  private static let margins = Span.zero...Span.seconds(86_400)
  private static let longestTitle = 256

  init(_ service: DepartureService) { self.service = service }

  /// Returns the appointment that a client describes.
  func appointment(_ options: DBusValue) throws(DBusError) -> PlannedAppointment {
    try OptionType.check(options, Self.types, keys: Self.keys, of: "AddAppointment")
    guard let microseconds = options["time"]?.integer(UInt64.self) else {
      throw Self.invalid("time is required: the beginning in microseconds since the Unix epoch")
    }
    guard let name = options["place"]?.string else { throw Self.invalid("place is required: the id or the title of a place of a venue") }
    if let message = service.refusal(ofStart: microseconds) { throw Self.invalid(message) }
    let place = try Self.place(name, venue: options["venue"]?.string, of: service)
    var margin = Appointment.defaultMargin
    if let value = options["margin"] {
      guard let span = value.string.flatMap(Span.init(text:)) ?? (value.string == "0s" ? .zero : nil), Self.margins.contains(span) else {
        throw Self.invalid("margin must be a duration from 0s to 1d, such as \"5m\"")
      }
      margin = span
    }
    let title = options["title"]?.string.map { LocalizedText(String($0.prefix(Self.longestTitle))) } ?? LocalizedText()
    return PlannedAppointment(
      id: .init(venue: place.venue, place: place.place, start: Instant(microseconds: Int64(clamping: microseconds))), title: title,
      margin: margin)
  }

  /// Adds an appointment, or replaces one at the same place and time, and answers its identifier. Advice follows the answer.
  func add(_ appointment: PlannedAppointment, of session: SessionObject) throws(DBusError) -> Sessions.Answer {
    let number = number(of: session) ?? nextNumber()
    let identifier = appointment.id.text
    var known = sessions[number]?.appointments ?? [:]
    if known[identifier] == nil, known.count >= DepartureService.mostOfSession {
      let remaining = service.removePast(of: number)
      known = known.filter { remaining.contains($0.value) }
    }
    guard known[identifier] != nil || known.count < DepartureService.mostOfSession else {
      throw .monitor(
        "LimitsExceeded", "this session already has \(DepartureService.mostOfSession) appointments; remove one")
    }
    known[identifier] = appointment.id
    sessions[number] = (session, known)
    return Sessions.Answer(values: [.string(identifier)]) { [service] in _ = service.add(appointment, of: number) }
  }

  func remove(_ identifier: String, of session: SessionObject) throws(DBusError) {
    guard let number = number(of: session), let id = sessions[number]?.appointments.removeValue(forKey: identifier) else {
      throw .monitor(
        "NoSuchAppointment", "this session has no appointment \"\(identifier.prefix(200))\"; AddAppointment returns identifiers")
    }
    if sessions[number]?.appointments.isEmpty ?? false { sessions[number] = nil }
    service.remove(id, of: number)
  }

  /// Suspends the appointments of a session that has lost consent.
  func withdraw(_ session: SessionObject) {
    if let number = number(of: session) { service.suspend(number) }
  }

  /// Resumes the appointments of a session whose consent has returned.
  func allow(_ session: SessionObject) {
    if let number = number(of: session) { service.resume(number) }
  }

  /// Forgets a session that has ended.
  func forget(_ session: SessionObject) {
    guard let number = number(of: session) else { return }
    sessions[number] = nil
    service.removeAll(of: number)
  }

  func send(_ event: Event, _ identifier: String, to number: UInt32) {
    sessions[number]?.session.emit(
      "AppointmentEvent", [.string(event.kind?.rawValue ?? ""), .string(identifier), event.dbusValue])
  }

  private func number(of session: SessionObject) -> UInt32? { sessions.first { $0.value.session === session }?.key }

  private func nextNumber() -> UInt32 {
    repeat { lastNumber &+= 1 } while sessions[lastNumber] != nil
    return lastNumber
  }

  private static func place(_ name: String, venue: String?, of service: DepartureService) throws(DBusError) -> AppointmentPlace {
    do throws(AppointmentPlace.Failure) {
      return try service.place(name, venue: venue)
    } catch .ambiguous(let places) {
      throw .monitor(
        "AmbiguousPlace",
        "several places have the name \"\(name.prefix(100))\" (\(places.joined(separator: ", "))); use the id of one, and venue")
    } catch {
      throw .monitor("NoSuchPlace", "no venue has the place \"\(name.prefix(100))\"; Places of the interface Venue lists them")
    }
  }

  private static func invalid(_ message: String) -> DBusError { .monitor("InvalidOptions", message) }
}
