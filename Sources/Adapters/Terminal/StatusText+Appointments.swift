import Instants
import Status

extension StatusText {
  /// The maximum number of appointments that are shown.
  private static let mostAppointments = 5

  /// The next appointments: `Tour at Lodestone at 15:00:00, leave in 12 min (6 min on foot)`.
  func appointments(_ all: [AppointmentStatus]) -> [String] {
    let shown = all.filter { $0.time == nil || $0.state != .past }
    let lines = shown.prefix(Self.mostAppointments).flatMap { appointment -> [String] in
      guard let time = appointment.time else {
        return [fact("calendar", "\(appointment.calendar ?? style.dash): \((appointment.note ?? "").printable)")]
      }
      let title = (appointment.title ?? "appointment").printable
      let place = (appointment.place ?? appointment.placeID ?? style.dash).printable
      let advice = advice(appointment).map { ", \($0)" } ?? ""
      return [fact("agenda", "\(title) at \(place) at \(second(time))\(advice)")]
        + (appointment.note.map { [fact("", $0.printable)] } ?? [])
    }
    let more = shown.count - Self.mostAppointments
    return lines + (more > 0 ? [fact("", "and \(more) more")] : [])
  }

  private func advice(_ appointment: AppointmentStatus) -> String? {
    let travel = appointment.travelTime.map { " (\(Self.minutes($0)) on foot)" } ?? ""
    switch appointment.state {
    case .arrived: return "you have arrived"
    case .begun: return "it has begun"
    case .missed: return "missed: you were elsewhere at the beginning"
    case .unknown: return "it is unknown whether you arrived"
    case .depart: return "leave now\(travel)"
    case .hurry: return "late: hurry\(travel)"
    case .waiting:
      guard let left = appointment.leaveIn else { return nil }
      return (left > .zero ? "leave in \(Self.minutes(left))" : "leave now") + travel
    case .past, nil: return nil
    }
  }

  /// Returns `12 min`, rounded up, or `2 h 5 min`.
  private static func minutes(_ span: Span) -> String {
    let minutes = max(1, Int((min(span.seconds, 1e9) / 60).rounded(.up)))
    return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }
}
