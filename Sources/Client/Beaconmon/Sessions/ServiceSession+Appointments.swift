internal import Events
import FoundationEssentials
internal import Instants
internal import MonitorClient
import Synchronization

// MARK: Appointments

extension ServiceSession {
  func startMonitoring(_ appointment: Appointment) {
    state.withLock { state in
      if let index = state.appointments.firstIndex(where: { $0.key == appointment.key }) {
        state.appointments[index] = appointment
      } else {
        state.appointments.append(appointment)
      }
      perform { $0.addAppointment(appointment.key, appointment.options) }
    }
  }

  func stopMonitoring(_ appointment: Appointment) {
    state.withLock { state in
      state.appointments.removeAll { $0.key == appointment.key }
      perform { $0.stop(.appointment(appointment.key)) }
    }
  }

  func appointment(_ key: String) -> Appointment? {
    state.withLock { $0.appointments.first { $0.key == key } }
  }
}

extension Appointment {
  /// The identity: an appointment at the same place and date is the same.
  var key: String { "\(venue ?? "")/\(place)/\(microseconds)" }

  /// The time since the Unix epoch; times that the service cannot take are cut.
  private var microseconds: Int64 {
    Int64(max(0, min(253_402_300_799, date.timeIntervalSince1970)) * 1e6)
  }

  fileprivate var options: AppointmentOptions {
    AppointmentOptions(place: place, venue: venue, at: Instant(microseconds: microseconds), title: title, margin: Span(margin))
  }
}

extension AppointmentEvent {
  /// Returns nil for an event that is not advice.
  init?(_ appointment: Appointment, _ event: Event) {
    guard let kind = event.kind.flatMap({ Kind(rawValue: $0.rawValue) }) else { return nil }
    (self.kind, self.appointment, placeName) = (kind, appointment, event.placeName)
    date = event.time.map { Date($0) } ?? Date()
    travelTime = event.travelTime.map { .microseconds($0.microseconds) }
    travelDistance = event.travelDistance
  }
}
