import Instants
import LocationArbitration
public import Locations
import Venues
import Wayfinding

extension DepartureService {
  /// A place of a venue to which a check has found the way.
  private struct WayKey: Hashable {
    let venue: String
    let place: String
  }

  /// The accuracy in metres that shows an arrival.
  private static let arrivalAccuracy = 10.0
  /// A time that no clock reaches, at which only a set clock wakes the service.
  static let far = Instant(microseconds: 253_402_300_799_000_000)

  func wake() {
    let now = alarm.now
    if let search {
      follow(search, at: now)
      return schedule()
    }
    let isEarly = !entries.contains { $0.nextCheck.map { $0 <= now } ?? false }
    // The clock was set, so each check gets another time. An appointment that seemed past may be in the future.
    for index in entries.indices where isEarly || entries[index].nextCheck == nil {
      entries[index].nextCheck = entries[index].advisor.nextCheck(after: now, travel: known(index, at: now)?.time)
    }
    checkDueAppointments()
  }

  /// Asks for a location if an appointment needs one now.
  func checkDueAppointments() {
    let now = alarm.now
    // An appointment is past, or the clock was set back to long before it.
    for index in entries.indices where !entries[index].advisor.isNear(now) && entries[index].nextCheck.map({ $0 <= now }) ?? false {
      entries[index].nextCheck = entries[index].advisor.nextCheck(after: now, travel: nil)
    }
    // The first check of an appointment that is near already is now.
    for index in entries.indices where entries[index].travel == nil && entries[index].note == nil && entries[index].advisor.isNear(now) {
      entries[index].nextCheck = now
    }
    let due = entries.filter { $0.nextCheck.map { $0 <= now } ?? false }
    guard !due.isEmpty, search == nil else { return schedule() }
    search = DepartureSearch(begin: now, patience: patience(for: due, at: now))
    schedule()
    // A visitor who is too far away to walk needs no fine location.
    let accuracy = due.filter { !$0.isFar }.map { neededAccuracy(for: $0, at: now) }.min() ?? 1000
    locations.searchForDeparture(DesiredAccuracy(metres: min(1000, accuracy)) ?? .nearestTenMeters, timeout: DepartureSearch.timeout)
  }

  /// Returns the accuracy in metres that a check needs, which is coarse while the visitor is far away in time.
  private func neededAccuracy(for entry: Entry, at now: Instant) -> Double {
    let travel = entry.travel?.estimate.time ?? .zero
    let left = max(.zero, entry.appointment.id.start - now - travel)
    let (time, finest) =
      switch entry.advisor.stage {
      case .waiting: (left - entry.appointment.margin, 5.0)
      // The next step is the arrival or the next advice.
      case .advised: (min(left, travel), Self.arrivalAccuracy)
      default: (travel, Self.arrivalAccuracy)
      }
    return max(finest, time.seconds * pace.speed / 4)
  }

  /// Returns the time for which a search may wait for a fine location: until advice by the last known way is due.
  ///
  /// A position indoors may never be as accurate as requested. For a visitor on the way, a search does not wait, so that the arrival is
  /// detected soon.
  private func patience(for due: [Entry], at now: Instant) -> Span {
    let waits = due.map { entry -> Span in
      let left = entry.appointment.id.start - now
      guard let travel = entry.travel?.estimate.time else { return (left - entry.appointment.margin) * 0.1 }
      return entry.advisor.stage == .waiting ? left - travel - entry.appointment.margin : .zero
    }
    return max(DepartureSearch.shortestPatience, min(DepartureSearch.timeout, waits.min() ?? .zero))
  }

  /// Follows a search without an answer.
  private func follow(_ present: DepartureSearch, at now: Instant) {
    // The answer was lost, or the clock was set back by far.
    if now >= present.end || present.begin - now > DepartureSearch.timeout { return conclude() }
    guard now >= present.next else { return }
    if present.found != nil { return conclude() }
    // Judges the last known way, while the search continues.
    search?.judged = now
    judge(nil)
  }

  /// Takes a location that a search has found, before it ends.
  func take(progress location: Location) {
    guard search != nil else { return }
    search?.found = location
    search?.isFresh = isFresh(location)
    if let search, alarm.now >= search.next { conclude() } else { schedule() }
  }

  /// Ends the search with what it has found.
  private func conclude() {
    locations.endDepartureSearch()
    take(search?.found)
  }

  /// Takes the answer of a search; nil if the location is unknown.
  public func take(_ location: Location?) {
    guard search != nil else { return }
    search = nil
    judge(location)
  }

  /// Returns whether a location differs from that of the last search.
  private func isFresh(_ location: Location) -> Bool { location.end == .never || location.measured != lastFix }

  /// Decides which advice is due, by the location or, without one, by the last way.
  private func judge(_ location: Location?) {
    let now = alarm.now
    let isFresh = location.map(isFresh) ?? false
    lastFix = location?.measured ?? lastFix
    if entries.contains(where: { $0.owner == .device }) { load() }
    if let speed = location?.speed { pace.take(speed, accuracy: location?.speedAccuracy) }
    var due: [(index: Int, advice: DepartureAdvisor.Advice)] = []
    for index in entries.indices where !entries[index].advisor.isNear(now) {
      entries[index].nextCheck = entries[index].advisor.nextCheck(after: now, travel: nil)
    }
    var ways: [WayKey: Result<TravelEstimate, TravelFailure>] = [:]
    // A due appointment beyond the limit of places stays due, and the next check follows at once.
    for index in nearest(at: now) {
      guard estimate(index, location, at: now, &ways) else { continue }
      // An arrival counts only while a position shows it.
      let travel = known(index, at: now).flatMap { $0.hasArrived && entries[index].note != nil ? nil : $0 }
      let advice = entries[index].advisor.update(
        at: now, travel: travel?.time, hasArrived: entries[index].note == nil ? travel?.hasArrived : nil, isFresh: isFresh)
      entries[index].nextCheck = entries[index].advisor.nextCheck(after: now, travel: travel?.time)
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
    func isDue(_ index: Int) -> Bool { entries[index].nextCheck.map { $0 <= now } ?? false }
    return near.filter(isDue) + near.filter { !isDue($0) }
  }

  /// Finds the way of an appointment, or the reason why it is unknown.
  ///
  /// - Parameter ways: the ways that this check has found.
  /// - Returns: false for an appointment that waits for another check.
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
      guard let check = entries[index].nextCheck, check <= now, ways.count < Self.mostPlaces else { return false }
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
  func known(_ index: Int, at now: Instant) -> TravelEstimate? {
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

  func schedule() {
    let now = alarm.now
    if !networks.isEmpty {
      let needed = Set(entries.filter { $0.advisor.isNear(now) }.map(\.appointment.id.venue))
      networks = networks.filter { needed.contains($0.key) }
    }
    if entries.isEmpty, search != nil {
      search = nil
      locations.endDepartureSearch()
    }
    if let search { return alarm.arm(at: min(search.next, search.end)) }
    alarm.arm(at: entries.compactMap(\.nextCheck).min() ?? (entries.isEmpty ? .never : Self.far))
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
