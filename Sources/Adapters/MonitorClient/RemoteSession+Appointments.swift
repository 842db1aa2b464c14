import DBus
import Events
import Instants
import MonitorProtocol
import Records

/// The options of `Session.AddAppointment`.
public struct AppointmentOptions: Hashable, Sendable {
  /// The id or the title of the place.
  public var place: String
  /// The id of the venue; nil if the place is unique among the venues.
  public var venue: String?
  public var time: Instant
  public var title: String?
  /// The time before the beginning at which the visitor wants to arrive.
  public var margin: Span

  public init(place: String, venue: String? = nil, at time: Instant, title: String? = nil, margin: Span) {
    (self.place, self.venue, self.time, self.title, self.margin) = (place, venue, time, title, margin)
  }

  var record: Record {
    Record([
      "place": .text(place), "time": .count(UInt64(max(0, time.microseconds))), "venue": venue.map { .text($0) },
      "title": title.map { .text($0) }, "margin": .text(margin.text),
    ])
  }
}

extension RemoteSession {
  /// Adds an appointment, for which the daemon advises when to leave.
  ///
  /// - Parameters:
  ///   - key: the program's own name of the appointment. An appointment of the same key is replaced.
  public func addAppointment(_ key: String, _ options: AppointmentOptions) { perform(plan.start(.appointment(key, options))) }

  func add(_ key: String, _ options: AppointmentOptions, _ number: UInt64) {
    call("AddAppointment", [options.record.dbusValue], timeout: Self.thinking) { [unowned self] reply in
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
  /// Handles advice. A daemon that has restarted repeats some, which is dropped.
  mutating func appointmentEvent(_ key: String, _ event: Event) -> [Action] {
    guard let index = index(.appointment(key)), let kind = event.kind, let stage = Self.stages[kind] else { return [] }
    guard stage > items[index].advice.flatMap({ Self.stages[$0] }) ?? 0 else { return [] }
    items[index].advice = kind
    return [.report(.appointment(key, event))]
  }

  private static let stages: [Event.Kind: Int] = [.depart: 1, .hurry: 2, .arrive: 3, .miss: 3]
}
