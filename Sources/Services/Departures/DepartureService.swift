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
  private unowned let locations: any DepartureLocations
  private let file: (any DepartureFile)?
  private let log: Logger
  private(set) var venues: [Venue] = []
  private(set) var languages: [String] = []
  private var walking = WalkingSettings()
  private var pace = WalkingPace(speed: RouteProfile.shortest.speed)
  private(set) var entries: [Entry] = []
  /// The networks of the venues whose appointments are near.
  private var networks: [String: WayNetwork] = [:]
  /// The time at which a search counts as lost; nil while there is none.
  private var searchEnd: Instant?
  private var stored: [StoredDeparture] = []
  private var isLoaded = false

  /// Sessions without consent, with their appointments.
  private var suspended: [UInt32: [Entry]] = [:]

  /// The time for which the last known way counts while the position is unknown.
  static let travelLifetime = Span.seconds(600)
  /// The time that a search for a location may take.
  static let timeout = Span.seconds(30)
  /// The most appointments of one session.
  public static let mostOfSession = 16
  /// The most places to which one check finds the way, so that routes do not hold up the event loop.
  public static let mostPlaces = 16
  /// The most appointments of the device that are followed: the next ones.
  static let most = 1000
  /// The time for which a past appointment is followed, should the clock be set back.
  static let retention = Span.seconds(2 * 86_400)
  /// The most stages of other appointments that stay stored, the latest ones: a clock that is wrong for a while loses none.
  static let mostStored = 200
  /// A time that no clock reaches, at which only a set clock wakes the service.
  private static let far = Instant(microseconds: 253_402_300_799_000_000)

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
    var look: Instant?
  }

  /// A place of a venue to which a check has found the way.
  private struct WayKey: Hashable {
    let venue: String
    let place: String
  }

  /// - Parameter file: stores the stages; nil keeps them in memory.
  public init(_ alarm: any DepartureAlarm, _ locations: any DepartureLocations, _ file: (any DepartureFile)?, log: Logger) {
    self.alarm = alarm
    self.locations = locations
    self.file = file
    self.log = log
    alarm.onAlarm = { [unowned self] in wake() }
  }

  /// Ends the service, which does nothing afterwards.
  public func end() {
    alarm.arm(at: .never)
    if searchEnd != nil { locations.endDepartureSearch() }
    (entries, suspended, networks, searchEnd) = ([], [:], [:], nil)
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
    look()
  }

  /// Adds an appointment of a session, or replaces one at the same place and time.
  ///
  /// - Returns: false if the session has the most appointments already.
  public func add(_ appointment: PlannedAppointment, of session: UInt32) -> Bool {
    resume(session)
    let stage = entries.first { $0.owner == .session(session) && $0.appointment.id == appointment.id }?.advisor.stage
    remove(appointment.id, of: session)
    let now = alarm.now
    entries.removeAll { $0.owner == .session(session) && $0.appointment.id.start + Self.retention < now }
    guard entries.count(where: { $0.owner == .session(session) }) < Self.mostOfSession else { return false }
    entries.append(entry(appointment, .session(session), stage ?? .waiting))
    look()
    return true
  }

  /// Removes an appointment of a session; returns false if it has none such.
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
    look()
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
      owner: owner, appointment: appointment, advisor: advisor, look: advisor.nextLook(after: alarm.now, travel: nil)
    )
  }

  private func load() {
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

// MARK: Looks

extension DepartureService {
  private func wake() {
    let now = alarm.now
    if let end = searchEnd {
      // The answer of a search was lost, or the clock was set back far.
      if now >= end || end - now > Self.timeout * 2 { take(nil) }
      return schedule()
    }
    let isEarly = !entries.contains { $0.look.map { $0 <= now } ?? false }
    // The clock was set, so each check gets another time. An appointment that seemed past may lie ahead.
    for index in entries.indices where isEarly || entries[index].look == nil {
      entries[index].look = entries[index].advisor.nextLook(after: now, travel: known(index, at: now)?.time)
    }
    look()
  }

  /// Asks for a location if an appointment needs one now.
  private func look() {
    let now = alarm.now
    // An appointment is past, or the clock was set back to long before it.
    for index in entries.indices where !entries[index].advisor.isNear(now) && entries[index].look.map({ $0 <= now }) ?? false {
      entries[index].look = entries[index].advisor.nextLook(after: now, travel: nil)
    }
    // The first check of an appointment that is near already is now.
    for index in entries.indices where entries[index].travel == nil && entries[index].note == nil && entries[index].advisor.isNear(now) {
      entries[index].look = now
    }
    let due = entries.filter { $0.look.map { $0 <= now } ?? false }
    guard !due.isEmpty, searchEnd == nil else { return schedule() }
    searchEnd = now + Self.timeout * 2
    schedule()
    // A visitor who is far away in time or too far to walk needs no fine location. A way that is not known yet may be none.
    let slack =
      due.filter { !$0.isFar }.map { entry in
        (entry.appointment.id.start - now - (entry.travel?.estimate.time ?? .zero) - entry.appointment.margin).seconds
      }.min() ?? .infinity
    let accuracy = min(1000, max(5, slack * pace.speed / 4))
    locations.searchForDeparture(DesiredAccuracy(metres: accuracy) ?? .nearestTenMeters, timeout: Self.timeout)
  }

  /// Takes the answer of a search; nil if the location is unknown.
  public func take(_ location: Location?) {
    guard searchEnd != nil else { return }
    searchEnd = nil
    let now = alarm.now
    if entries.contains(where: { $0.owner == .device }) { load() }
    if let speed = location?.speed { pace.take(speed, accuracy: location?.speedAccuracy) }
    var due: [(index: Int, advice: DepartureAdvisor.Advice)] = []
    for index in entries.indices where !entries[index].advisor.isNear(now) {
      entries[index].look = entries[index].advisor.nextLook(after: now, travel: nil)
    }
    var ways: [WayKey: Result<TravelEstimate, TravelFailure>] = [:]
    // A due appointment beyond the limit of places stays due, and the next check follows at once.
    for index in nearest(at: now) {
      guard estimate(index, location, at: now, &ways) else { continue }
      // An arrival counts only as long as a position shows it.
      let travel = known(index, at: now).flatMap { $0.hasArrived && entries[index].note != nil ? nil : $0 }
      let advice = entries[index].advisor.update(
        at: now, travel: travel?.time, hasArrived: travel?.hasArrived ?? false)
      entries[index].look = entries[index].advisor.nextLook(after: now, travel: travel?.time)
      if let advice { due.append((index, advice)) }
    }
    let advised = due.map { index, advice in
      DepartureAdvice(
        owner: entries[index].owner, appointment: entries[index].appointment, advice: advice, time: now, travel: known(index, at: now))
    }
    // The stage is on disk before the advice is sent: a crash may lose advice, and never repeats it.
    save()
    schedule()
    for advice in advised { onAdvice(advice) }
  }

  /// Returns the near appointments, the due ones before those that share a way with them, the next one first.
  private func nearest(at now: Instant) -> [Int] {
    let near = entries.indices.filter { entries[$0].advisor.isNear(now) }.sorted {
      entries[$0].appointment.id.start < entries[$1].appointment.id.start
    }
    func isDue(_ index: Int) -> Bool { entries[index].look.map { $0 <= now } ?? false }
    return near.filter(isDue) + near.filter { !isDue($0) }
  }

  /// Finds the way of an appointment, or the reason why it is unknown.
  ///
  /// - Parameter ways: the ways that this look has found.
  /// - Returns: false for an appointment that waits for another look.
  private func estimate(
    _ index: Int, _ location: Location?, at now: Instant, _ ways: inout [WayKey: Result<TravelEstimate, TravelFailure>]
  ) -> Bool {
    guard let location else {
      entries[index].note = "the position is unknown"
      return true
    }
    // A device that does not move is at its stated position, even without an accuracy.
    guard let accuracy = location.horizontalAccuracy ?? (location.end == .never ? 0 : nil) else {
      entries[index].note = "the position has no accuracy"
      return true
    }
    let id = entries[index].appointment.id
    let key = WayKey(venue: id.venue, place: id.place)
    if ways[key] == nil {
      guard let look = entries[index].look, look <= now, ways.count < Self.mostPlaces else { return false }
      guard let network = network(of: id.venue) else {
        entries[index].note = "no venue has the id \"\(id.venue)\""
        return true
      }
      var profile = walking.profile
      profile.speed = pace.speed
      ways[key] = Result { () throws(TravelFailure) in
        try network.travel(from: location.coordinate, floor: location.floor, accuracy: accuracy, toPlace: id.place, profile: profile)
      }
    }
    entries[index].isFar = false
    switch ways[key] {
    case .success(let estimate): (entries[index].travel, entries[index].note) = ((estimate, now), nil)
    case .failure(let failure):
      (entries[index].travel, entries[index].note) = (nil, failure.description)
      if case .tooFar = failure { entries[index].isFar = true }
    case nil: break
    }
    return true
  }

  /// Returns the last known way, unless it is too old.
  private func known(_ index: Int, at now: Instant) -> TravelEstimate? {
    guard let travel = entries[index].travel, now - travel.time <= Self.travelLifetime, travel.time <= now else { return nil }
    return travel.estimate
  }

  private func network(of id: String) -> WayNetwork? {
    if let network = networks[id] { return network }
    guard let venue = venues.first(where: { $0.id == id }) else { return nil }
    let network = WayNetwork(venue)
    networks[id] = network
    return network
  }

  private func schedule() {
    let now = alarm.now
    if !networks.isEmpty {
      let needed = Set(entries.filter { $0.advisor.isNear(now) }.map(\.appointment.id.venue))
      networks = networks.filter { needed.contains($0.key) }
    }
    if entries.isEmpty, searchEnd != nil {
      searchEnd = nil
      locations.endDepartureSearch()
    }
    if let searchEnd { return alarm.arm(at: searchEnd) }
    alarm.arm(at: entries.compactMap(\.look).min() ?? (entries.isEmpty ? .never : Self.far))
  }

  private func save() {
    let present = entries.filter { $0.owner == .device && $0.advisor.stage > .waiting }
      .map { StoredDeparture(id: $0.appointment.id, stage: $0.advisor.stage) }
    let known = Set(present.map(\.id))
    // An appointment whose calendar cannot be read for a moment keeps its stage.
    let others = stored.filter { !known.contains($0.id) }.sorted { $0.id.start > $1.id.start }.prefix(Self.mostStored)
    let all = present + others
    // Stages that could not be read yet would be erased.
    guard all != stored, isLoaded else { return }
    // A disk that is full now may have room at the next check.
    if file?.save(all) ?? true { stored = all }
  }
}
