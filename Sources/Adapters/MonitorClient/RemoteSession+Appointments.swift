import DBus
import Events
import Instants
import MonitorProtocol
import Records

extension RemoteSession {
  /// Adds an appointment, for which the daemon says when to leave.
  ///
  /// - Parameters:
  ///   - key: the name of the program for it. An appointment of the same key is replaced.
  ///   - options: the appointment as `Session.AddAppointment` takes it.
  public func addAppointment(_ key: String, _ options: Record) { perform(plan.addAppointment(key, options)) }

  func add(_ key: String, _ options: Record, _ number: UInt64) {
    call("AddAppointment", [options.dbusValue], timeout: Self.thinking) { [unowned self] reply in
      switch reply {
      case .success(let values):
        if let identifier = values.first?.string { appointments[identifier] = key }
        perform(plan.answered(number, nil, at: now))
      case .failure(let error): perform(plan.answered(number, error, at: now))
      }
    }
  }

  func removeAppointment(_ key: String) {
    guard let identifier = appointments.first(where: { $0.value == key })?.key else { return }
    appointments[identifier] = nil
    call("RemoveAppointment", [.string(identifier)]) { _ in /* It may have ended meanwhile. */ }
  }

  func receiveAppointment(_ signal: DBusMessage) {
    let arguments = signal.arguments
    guard let key = appointments[arguments[1].string ?? ""], let event = Event(arguments[2]) else { return }
    perform(plan.appointmentEvent(key, event))
  }
}

extension SessionPlan {
  mutating func addAppointment(_ key: String, _ options: Record) -> [Action] {
    let request = SessionRequest.appointment(key)
    if let index = index(request) {
      items[index].details = options
    } else {
      items.append(Item(request: request, details: options))
    }
    return phase == .open ? index(request).map { [ask($0)] } ?? [] : []
  }

  /// Handles advice. A daemon that has restarted repeats some, which is dropped.
  mutating func appointmentEvent(_ key: String, _ event: Event) -> [Action] {
    guard let index = index(.appointment(key)), let kind = event.kind, let stage = Self.stages[kind] else { return [] }
    guard stage > items[index].advice.flatMap({ Self.stages[$0] }) ?? 0 else { return [] }
    items[index].advice = kind
    return [.report(.appointment(key, event))]
  }

  private static let stages: [Event.Kind: Int] = [.depart: 1, .hurry: 2, .arrive: 3, .miss: 3]
}
