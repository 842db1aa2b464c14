import Events
import Instants
import Venues
import Wayfinding

extension DepartureAdvice {
  /// Returns the event as every program sees it, without a number. Only advice of the device is stored.
  ///
  /// - Parameters:
  ///   - place: the name of the place in the language of the daemon.
  ///   - languages: those of the title, the best one first.
  func event(place: String?, languages: [String]) -> Event {
    let kind: Event.Kind =
      switch advice {
      case .leave: .depart
      case .leaveAtOnce: .hurry
      case .cancelled: .arrive
      case .missed: .miss
      }
    var event = Event(sequence: 0, kind: kind, time: time, reason: Event.Reason(kind == .arrive ? .approach : .deadline))
    (event.placeName, event.placeID) = (place, appointment.id.place)
    event.appointment = appointment.title.text(preferring: languages)
    event.appointmentTime = appointment.id.start
    if kind != .arrive, let travel { (event.travelTime, event.travelDistance) = (travel.time, travel.length) }
    if owner != .device { event.isDurable = false }
    return event
  }
}
