import Instants
import Locations
import RouteReports
import Scheduling
import Wayfinding

// The locations and headings by which clients are led.

extension GuidanceService {
  /// The shortest time between two reports because the device turns.
  private static let turnPace = Span.milliseconds(200)
  /// The time without a location after which the loss is reported to the client.
  private static let patience = Span.seconds(6)
  /// The age from which a location that is still valid counts as another location.
  private static let stillness = Span.seconds(5)

  /// Takes a location that the service has requested.
  public func take(_ location: Location) {
    unknownSince = nil
    for client in guides.keys.sorted() { lead(client, from: location) }
    answer(from: location)
    follow()
  }

  func lead(_ client: Client, from location: Location, isConfirmed: Bool = false) {
    guard var guide = guides[client] else { return }
    let time = isConfirmed ? locations.now : location.measured
    var before = guide.report
    let outputs = guide.take(
      location, heading: heading, motion: locations.motion(at: location), at: time, timestamp: wallClock(time), isConfirmed: isConfirmed)
    guides[client] = guide
    before.timestamp = guide.report.timestamp
    // A visitor who stays changes nothing.
    if isConfirmed, outputs == [.update(before)] { return }
    emit(outputs, to: client)
  }

  /// Takes a heading that the service has requested; nil if the direction cannot be trusted.
  ///
  /// - Parameter note: the reason why there is no heading, and what to do; nil if it is unknown.
  public func take(_ heading: TrustedHeading?, note: HeadingNote? = nil) {
    guard isPointing, heading != self.heading || note != headingNote else { return }
    (self.heading, headingNote) = (heading, note)
    for client in guides.keys { guides[client]?.headingNote = note }
    isTurnPending = true
    turnTimer?.arm(at: max(scheduler.now, lastTurn + Self.turnPace))
  }

  func turnNow() {
    guard isTurnPending else { return }
    (isTurnPending, lastTurn) = (false, scheduler.now)
    for client in guides.keys.sorted() {
      guard var guide = guides[client] else { continue }
      let outputs = guide.turn(to: heading, timestamp: scheduler.wallClock)
      guides[client] = guide
      emit(outputs, to: client)
    }
  }

  /// Checks whether the location is still known, and ends the queries that have waited long enough.
  func checkLocation() {
    let now = scheduler.now
    if isOn, nextCheck <= now { nextCheck = now + Self.checkInterval }
    if isOn, locations.location == nil {
      let since = unknownSince ?? now
      unknownSince = since
      if now - since >= Self.patience { lose() }
    } else {
      unknownSince = nil
    }
    // A source that reports only changes delivers no further location while the visitor stands still.
    if isOn, let location = locations.location, locations.now - location.measured >= Self.stillness {
      for client in guides.keys.sorted() where guides[client]?.isInDoubt == true { lead(client, from: location, isConfirmed: true) }
    }
    for query in queries.filter({ $0.deadline <= now }) {
      queries.removeAll { $0.client == query.client && $0.deadline == query.deadline && $0.query == query.query }
      query.completion(.failure(query.problem ?? GuidanceRefusal(.locationUnknown, locations.unknownReason)))
    }
    if dropNetworksAt <= now { venues.dropNetworks() }
    follow()
  }

  private func lose() {
    let reason = locations.unknownReason
    for client in guides.keys.sorted() {
      guard var guide = guides[client] else { continue }
      let outputs = guide.losePosition(reason, timestamp: scheduler.wallClock)
      guides[client] = guide
      // The loss is reported once while it lasts.
      if outputs.count > 1 { emit(outputs, to: client) }
    }
  }
}
