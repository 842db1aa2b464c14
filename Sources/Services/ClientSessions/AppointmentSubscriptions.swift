import Departures
import Events
import Instants
import Venues

/// The appointments that sessions have added, and the advice for them.
public final class AppointmentSubscriptions {
  private unowned let consent: any SessionConsent
  private unowned let departures: any SessionDepartures
  /// The sessions with appointments, by number.
  private var sessions: [UInt32: (session: ClientSession, appointments: [String: PlannedAppointment.ID])] = [:]

  init(_ consent: any SessionConsent, _ departures: any SessionDepartures) {
    (self.consent, self.departures) = (consent, departures)
  }

  /// Returns the time of an appointment; throws if no appointment can begin then.
  ///
  /// - Parameter microseconds: since the Unix epoch.
  public func start(_ microseconds: UInt64) throws(SessionRefusal) -> Instant {
    if let reason = departures.refusal(ofStart: microseconds) { throw .invalidAppointment(reason) }
    return Instant(microseconds: Int64(clamping: microseconds))
  }

  /// Returns the place of an appointment.
  ///
  /// - Parameters:
  ///   - name: the id or the title of a place.
  ///   - venue: the id of the venue; nil searches all.
  public func place(_ name: String, venue: String?) throws(SessionRefusal) -> AppointmentPlace {
    do throws(AppointmentPlace.Failure) {
      return try departures.place(name, venue: venue)
    } catch .ambiguous(let places) {
      throw .ambiguousPlace(name, places)
    } catch {
      throw .noSuchPlace(name)
    }
  }

  /// Adds an appointment to a session that is permitted, or replaces one at the same place and time. Returns its identifier.
  ///
  /// At the limit, past appointments make room. Advice follows with `advise`.
  public func add(_ appointment: PlannedAppointment, to session: ClientSession) throws(SessionRefusal) -> String {
    let identifier = appointment.id.text
    var known = sessions[session.number]?.appointments ?? [:]
    let most = DepartureService.mostOfSession
    if known[identifier] == nil, known.count >= most {
      let remaining = departures.removePast(of: session.number)
      known = known.filter { remaining.contains($0.value) }
    }
    guard known[identifier] != nil || known.count < most else {
      throw .limitsExceeded("this session already has \(most) appointments; remove one")
    }
    known[identifier] = appointment.id
    sessions[session.number] = (session, known)
    consent.beginUse(of: session)
    return identifier
  }

  /// Starts the advice for an appointment that the session has added. The first advice may come during the call.
  public func advise(_ appointment: PlannedAppointment, in session: ClientSession) {
    _ = departures.add(appointment, of: session.number)
  }

  public func remove(_ identifier: String, of session: ClientSession) throws(SessionRefusal) {
    guard let id = sessions[session.number]?.appointments.removeValue(forKey: identifier) else { throw .noSuchAppointment(identifier) }
    if sessions[session.number]?.appointments.isEmpty ?? false { sessions[session.number] = nil }
    departures.remove(id, of: session.number)
  }

  /// Suspends the appointments of a session that has lost consent.
  func withdraw(_ session: ClientSession) { departures.suspend(session.number) }

  /// Resumes the appointments of a session whose consent has returned.
  func allow(_ session: ClientSession) { departures.resume(session.number) }

  /// Forgets a session that has ended.
  func forget(_ session: ClientSession) {
    sessions[session.number] = nil
    departures.removeAll(of: session.number)
  }

  /// Sends advice to the session of a number.
  public func send(_ advice: Event, _ identifier: String, to number: UInt32) {
    sessions[number]?.session.send(.appointmentEvent(advice, identifier))
  }
}
