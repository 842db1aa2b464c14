// MARK: Time to leave

extension LocationManager {
  /// Starts advice for an appointment: when to leave, when it becomes urgent, and whether the visitor has arrived.
  ///
  /// A manager has at most 16 appointments. One at the same place and date replaces the earlier one, and continues its advice. While
  /// consent is denied the appointment is suspended. The advice comes through `appointmentUpdates`.
  public func startMonitoring(for appointment: Appointment) { session.startMonitoring(appointment) }

  public func stopMonitoring(for appointment: Appointment) { session.stopMonitoring(appointment) }

  /// The appointments that were started, in that order, including those that the service refuses.
  public var monitoredAppointments: [Appointment] { session.read(\.appointments) }

  /// The advice for the monitored appointments.
  ///
  /// Advice that was given is not repeated when the service restarts.
  public var appointmentUpdates: UpdateSequence<AppointmentUpdate, Never> {
    UpdateSequence(session) { event in
      switch event {
      case .appointment(let event): .success(.event(event))
      case .appointmentFailed(let appointment, let error): .success(.failed(appointment, error))
      case .service(.available(let gap?)): .success(.gap(gap))
      default: nil
      }
    }
  }
}
