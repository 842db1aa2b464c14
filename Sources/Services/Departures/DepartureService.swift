import Instants
import LocationArbitration
import Locations
import Logging
import Venues
import Wayfinding

/// Advises visitors when to leave for their appointments.
///
/// It asks for a location when the advice could change: two hours before an appointment for the first time, and each time after half of the
/// time that is left. Without an appointment it has no timer, no network of ways and no location.
public final class DepartureService {
  /// Receives each piece of advice, once.
  public var onAdvice: (DepartureAdvice) -> Void = { _ in }

  /// The problems of calendars, which the status shows; empty if all can be read.
  public var calendarNotes: [(calendar: String, note: String)] = []

  let alarm: any DepartureAlarm
  unowned let locations: any DepartureLocations
  let file: (any DepartureFile)?
  private let log: Logger
  var venues: [Venue] = []
  private(set) var languages: [String] = []
  var walking = WalkingSettings()
  var pace = WalkingPace(speed: RouteProfile.shortest.speed)
  var entries: [Entry] = []
  /// The networks of the venues whose appointments are near.
  var networks: [String: WayNetwork] = [:]
  /// The present search for a location; nil while there is none.
  var search: DepartureSearch?
  /// The time of measurement of the last location of a search.
  var lastFix: Instant?
  var stored: [StoredDeparture] = []
  var isLoaded = false

  /// Sessions without consent, with their appointments.
  private var suspended: [UInt32: [Entry]] = [:]

  /// The time for which the last known way is used while the position is unknown.
  static let travelLifetime = Span.seconds(600)
  /// The maximum number of appointments of one session.
  public static let mostOfSession = 16
  /// The maximum number of places to which one check finds the way, so that routes do not hold up the event loop.
  public static let mostPlaces = 16
  /// The maximum number of appointments of the device that are followed: the next ones.
  static let most = 1000
  /// The time for which a past appointment is followed, should the clock be set back.
  static let retention = Span.seconds(2 * 86_400)
  /// The maximum number of stored stages of other appointments, so that a clock that is wrong for a while loses none.
  static let mostStored = 200
  struct Entry {
    let owner: AppointmentOwner
    let appointment: PlannedAppointment
    var advisor: DepartureAdvisor
    /// The way by the last known position, and the time of that position.
    var travel: (estimate: TravelEstimate, time: Instant)?
    /// The reason why the way is unknown.
    var note: String?
    /// Whether the place was too far to walk at the last check.
    var isFar = false
    /// The time of the next check; nil if there is none.
    var nextCheck: Instant?
  }

  /// - Parameter file: stores the stages; nil keeps them in memory.
  public init(_ alarm: any DepartureAlarm, _ locations: any DepartureLocations, _ file: (any DepartureFile)?, log: Logger) {
    self.alarm = alarm
    self.locations = locations
    self.file = file
    self.log = log
    alarm.onAlarm = { [unowned self] in wake() }
  }

  /// Takes the speed of the visitor on foot in m/s, as guidance measures it. It applies from the next check.
  public func take(pace speed: Double) { pace.take(speed, accuracy: nil) }

  /// Ends the service, which does nothing afterwards.
  public func end() {
    alarm.arm(at: .never)
    if search != nil { locations.endDepartureSearch() }
    (entries, suspended, networks, search) = ([], [:], [:], nil)
  }
}

// MARK: Appointments

extension DepartureService {
  /// Replaces the appointments of the device, and the venues of all appointments.
  ///
  /// The advice for an appointment that stays continues.
  public func replace(_ appointments: [PlannedAppointment], venues: [Venue], walking: WalkingSettings, languages: [String]) {
    if venues != self.venues { networks = [:] }
    if walking != self.walking || pace.speed <= 0 { pace = WalkingPace(speed: walking.profile.speed) }
    (self.venues, self.walking, self.languages) = (venues, walking, languages)
    let now = alarm.now
    let upcoming = appointments.filter { $0.id.start + Self.retention > now }.sorted { $0.id.start < $1.id.start }
    if upcoming.count > Self.most { log.warning("only the next \(Self.most) of \(upcoming.count) appointments are followed") }
    if !upcoming.isEmpty { load() }
    var seen: Set<PlannedAppointment.ID> = []
    let kept = Dictionary(entries.filter { $0.owner == .device }.map { ($0.appointment.id, $0) }) { first, _ in first }
    let device = upcoming.prefix(Self.most).filter { seen.insert($0.id).inserted }
      .map { appointment -> Entry in
        if let known = kept[appointment.id], known.appointment == appointment { return known }
        let stage = kept[appointment.id]?.advisor.stage ?? stored.first { $0.id == appointment.id }?.stage ?? .waiting
        return entry(appointment, .device, stage)
      }
    entries = device + entries.filter { $0.owner != .device }
    checkDueAppointments()
  }

  /// Returns the reason why no appointment of a session can begin at a time, and what to do; nil if one can.
  ///
  /// - Parameter start: microseconds since the Unix epoch.
  public func refusal(ofStart start: UInt64) -> String? {
    let (now, latest) = (alarm.now, UInt64(Self.far.microseconds))
    guard start <= latest else {
      return "time \(start) is after the year 9999; it is the beginning in microseconds since the Unix epoch"
    }
    let begin = Instant(microseconds: Int64(start))
    guard begin < now else { return nil }
    return "time \(start) is in the past: \(begin.toSeconds), and the daemon's clock is \(now.toSeconds); "
      + "it is the beginning in microseconds since the Unix epoch"
  }

  /// Adds an appointment of a session, or replaces one at the same place and time.
  ///
  /// - Returns: false if the session already has the maximum number of appointments.
  public func add(_ appointment: PlannedAppointment, of session: UInt32) -> Bool {
    resume(session)
    let stage = entries.first { $0.owner == .session(session) && $0.appointment.id == appointment.id }?.advisor.stage
    remove(appointment.id, of: session)
    let now = alarm.now
    entries.removeAll { $0.owner == .session(session) && $0.appointment.id.start + Self.retention < now }
    guard entries.count(where: { $0.owner == .session(session) }) < Self.mostOfSession else { return false }
    entries.append(entry(appointment, .session(session), stage ?? .waiting))
    checkDueAppointments()
    return true
  }

  /// Removes an appointment of a session; returns false if the session does not have it.
  @discardableResult
  public func remove(_ id: PlannedAppointment.ID, of session: UInt32) -> Bool {
    let count = entries.count
    entries.removeAll { $0.owner == .session(session) && $0.appointment.id == id }
    var isSuspended = false
    if let index = suspended[session]?.firstIndex(where: { $0.appointment.id == id }) {
      suspended[session]?.remove(at: index)
      isSuspended = true
    }
    schedule()
    return entries.count < count || isSuspended
  }

  /// Removes the past appointments of a session, and returns the remaining ones.
  public func removePast(of session: UInt32) -> Set<PlannedAppointment.ID> {
    let now = alarm.now
    entries.removeAll { $0.owner == .session(session) && $0.appointment.id.start + DepartureAdvisor.grace < now }
    return Set(entries.filter { $0.owner == .session(session) }.map(\.appointment.id))
  }

  /// Suspends the appointments of a session, whose positions no longer count.
  public func suspend(_ session: UInt32) {
    let own = entries.filter { $0.owner == .session(session) }
    guard !own.isEmpty else { return }
    suspended[session, default: []] += own
    entries.removeAll { $0.owner == .session(session) }
    schedule()
  }

  /// Resumes the suspended appointments of a session. Advice that was given is not repeated.
  public func resume(_ session: UInt32) {
    guard let own = suspended.removeValue(forKey: session) else { return }
    entries += own.map { entry($0.appointment, $0.owner, $0.advisor.stage) }
    checkDueAppointments()
  }

  /// Removes all appointments of a session.
  public func removeAll(of session: UInt32) {
    suspended[session] = nil
    guard entries.contains(where: { $0.owner == .session(session) }) else { return }
    entries.removeAll { $0.owner == .session(session) }
    schedule()
  }

  private func entry(_ appointment: PlannedAppointment, _ owner: AppointmentOwner, _ stage: DepartureAdvisor.Stage) -> Entry {
    let advisor = DepartureAdvisor(start: appointment.id.start, margin: appointment.margin, stage: stage)
    return Entry(
      owner: owner, appointment: appointment, advisor: advisor, nextCheck: advisor.nextCheck(after: alarm.now, travel: nil)
    )
  }

  func load() {
    guard !isLoaded else { return }
    guard let file else {
      isLoaded = true
      return
    }
    // A disk that fails now may be readable at the next check.
    guard let loaded = file.loadDepartures() else { return }
    isLoaded = true
    stored = loaded
    for index in entries.indices where entries[index].owner == .device {
      let appointment = entries[index].appointment
      guard let stage = loaded.first(where: { $0.id == appointment.id })?.stage, stage > entries[index].advisor.stage else { continue }
      entries[index] = entry(appointment, .device, stage)
    }
  }
}

extension Instant {
  /// The time in whole seconds, such as `2026-12-01T14:00:00Z`.
  fileprivate var toSeconds: String { "\(rfc3339.prefix(19))Z" }
}
