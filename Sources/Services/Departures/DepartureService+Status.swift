import Events
import Instants
import Status
import Venues
import Wayfinding

extension DepartureService {
  /// The appointments of the device that are not past for long, the next one first, and calendars that cannot be read.
  public var status: [AppointmentStatus] {
    let now = alarm.now
    return entries.indices.filter { entries[$0].owner == .device && entries[$0].appointment.id.start + .seconds(3600) > now }
      .map { status($0, at: now) }
      .sorted { ($0.time ?? .never) < ($1.time ?? .never) }
      + calendarNotes.map { calendar, note in
        var status = AppointmentStatus()
        (status.calendar, status.note) = (calendar, note)
        return status
      }
  }

  private func status(_ index: Int, at now: Instant) -> AppointmentStatus {
    let entry = entries[index]
    var status = AppointmentStatus()
    let id = entry.appointment.id
    status.title = entry.appointment.title.text(preferring: languages)
    (status.time, status.venue, status.placeID, status.calendar) = (id.start, id.venue, id.place, entry.appointment.calendar)
    status.place = placeName(of: id)
    // A position that shows an arrival counts as for advice, even long before the beginning.
    let isThere = entry.note == nil && known(index, at: now)?.hasArrived ?? false
    switch entry.advisor.stage {
    case .over: status.state = .arrived
    case .missed: status.state = .missed
    case _ where now > id.start + DepartureAdvisor.grace: status.state = entry.advisor.stage == .waiting ? .past : .unknown
    case _ where isThere: status.state = .arrived
    case _ where now >= id.start: status.state = .begun
    case .waiting: status.state = .waiting
    case .advised: status.state = .depart
    case .urgent: status.state = .hurry
    }
    guard entry.advisor.isNear(now) else { return status }
    status.note = entry.note
    if let (travel, _) = entry.travel, !isThere, now < id.start {
      status.travelTime = travel.time
      let leave = id.start - travel.time - entry.appointment.margin
      status.leaveTime = leave
      status.leaveIn = max(.zero, .seconds((leave - now).seconds.rounded(.down)))
    }
    return status
  }

  /// Returns the event of a piece of advice as every program sees it, without a number.
  public func event(of advice: DepartureAdvice) -> Event {
    advice.event(place: placeName(of: advice.appointment.id), languages: languages)
  }

  /// Returns the name of the place of an appointment in the language of the daemon.
  func placeName(of id: PlannedAppointment.ID) -> String? {
    venues.first { $0.id == id.venue }?.places.first { $0.id == id.place }?.name(preferring: languages)
  }

  /// Returns the place of a venue by its id or its title.
  ///
  /// - Parameter venue: the id of the venue; nil searches all.
  public func place(_ name: String, venue: String?) throws(AppointmentPlace.Failure) -> AppointmentPlace {
    try AppointmentPlace(name, venue: venue, in: venues)
  }
}
