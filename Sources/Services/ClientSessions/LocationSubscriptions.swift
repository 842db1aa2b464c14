import Consent
import Instants
import LocationArbitration
import Locations

/// The sessions and calls that want the device's location.
///
/// A session without consent, or on a device without a source, receives only the location that its own user states.
public final class LocationSubscriptions {
  /// One request: the updates of a session, or a call that waits for a fix.
  struct Subscription {
    let session: ClientSession
    /// The options of the updates; nil for a call.
    let request: LocationRequest?
    /// Answers the call; nil for updates.
    let answer: SessionAnswer<LocationReport>?
    /// The accuracy in metres that the client requests.
    let wanted: Double
    var reportedDenied = false
  }

  /// A session that updates its location without consent or a source: it receives only the location that its own user states.
  private struct UnservedSession {
    let session: ClientSession
    let request: LocationRequest
  }

  unowned let consent: any SessionConsent
  unowned let places: any SessionPlaces
  unowned let positioning: any SessionPositioning
  var subscriptions: [Locator.Listener: Subscription] = [:]
  /// The unserved sessions by number.
  private var unserved: [UInt32: UnservedSession] = [:]
  private var lastNumber: UInt32 = 0

  init(_ consent: any SessionConsent, _ places: any SessionPlaces, _ positioning: any SessionPositioning) {
    self.consent = consent
    self.places = places
    self.positioning = positioning
  }

  /// Sends an updating session the location that its user states, if no other location is known.
  public func reportManual(_ session: ClientSession) {
    guard let place = session.manualLocation else { return }
    if unserved[session.number] != nil || listener(of: session) != nil && positioning.location == nil {
      session.send(.locationUpdated(place))
    }
  }

  /// Starts the session's updates or changes their options, and sends a known location right after the answer.
  ///
  /// - Parameters:
  ///   - locale: the language of the names of places; nil for that of the daemon.
  ///   - refusal: the reason why the session may not learn the location; nil if it may.
  func start(
    _ request: LocationRequest, locale: String?, in session: ClientSession, _ refusal: SessionRefusal?, answer: SessionAnswer<Void>
  ) {
    session.locale = locale
    if let obstacle = refusal ?? obstacle {
      guard let place = session.manualLocation else { return answer(.failure(obstacle)) }
      answer(.success(()))
      unserved[session.number] = UnservedSession(session: session, request: request)
      return session.send(.locationUpdated(place))
    }
    answer(.success(()))
    listen(request, in: session)
  }

  private func listen(_ request: LocationRequest, in session: ClientSession) {
    unserved[session.number] = nil
    consent.beginUse(of: session)
    let listener = listener(of: session) ?? nextListener()
    session.wantedAccuracy = request.accuracy.metres
    subscriptions[listener] = Subscription(session: session, request: request, answer: nil, wanted: request.accuracy.metres)
    positioning.listen(listener, request)
    reportDenied()
  }

  /// Stops the session's updates. Throws if it has started none and states no location.
  public func stop(_ session: ClientSession) throws(SessionRefusal) {
    let wasUnserved = unserved.removeValue(forKey: session.number) != nil
    session.channel?.drop(.location)
    guard let listener = listener(of: session) else {
      if wasUnserved || session.manualLocation != nil { return }
      throw .notUpdatingLocation
    }
    remove(listener)
  }

  /// Searches for one location, which is the answer when the search ends.
  ///
  /// - Parameters:
  ///   - locale: the language of the names of places; nil for that of the session's earlier requests.
  ///   - refusal: the reason why the session may not learn the location; nil if it may.
  func search(
    _ accuracy: DesiredAccuracy, timeout: Span, locale: String?, in session: ClientSession, _ refusal: SessionRefusal?,
    answer: @escaping SessionAnswer<LocationReport>
  ) {
    session.locale = locale ?? session.locale
    if let obstacle = refusal ?? obstacle {
      return answer(session.manualLocation.map { .success(report(of: $0, for: session)) } ?? .failure(obstacle))
    }
    do throws(SessionRefusal) {
      try SessionLimits.admitSearch(subscriptions.values.count { $0.session === session && $0.answer != nil })
    } catch {
      return answer(.failure(error))
    }
    consent.beginUse(of: session)
    let listener = nextListener()
    subscriptions[listener] = Subscription(session: session, request: nil, answer: answer, wanted: accuracy.metres)
    positioning.search(listener, accuracy, timeout: timeout)
    reportDenied()
  }

  /// Ends the searches of a session.
  public func cancelSearches(of session: ClientSession) {
    for (listener, subscription) in requests(of: session) {
      guard let answer = subscription.answer else { continue }
      remove(listener)
      answer(.failure(.searchCancelled))
    }
  }

  /// Ends the requests of a session that lost consent; its updates now carry only the location that its user states.
  func withdraw(_ session: ClientSession, _ refusal: SessionRefusal) {
    let request = listener(of: session).flatMap { subscriptions[$0]?.request } ?? unserved[session.number]?.request
    forget(session, refusal)
    unserved[session.number] = request.map { UnservedSession(session: session, request: $0) }
  }

  /// Drops a session's unserved request after consent was given, so that its client can request the device's location.
  func allow(_ session: ClientSession) {
    if obstacle == nil { unserved[session.number] = nil }
  }

  /// Moves each unserved session that has consent to the device's location sources, if there are any now.
  func sourcesChanged() {
    guard obstacle == nil else { return }
    for number in unserved.keys.sorted() {
      // The first signal may end the sessions of a client that does not read.
      guard let waiting = unserved[number], consent.verdict(of: waiting.session).authorization.covers(.whenInUse) else { continue }
      listen(waiting.request, in: waiting.session)
    }
  }

  /// Ends the requests of a session that has ended, or has lost consent.
  func forget(_ session: ClientSession, _ refusal: SessionRefusal) {
    unserved[session.number] = nil
    for (listener, subscription) in requests(of: session) {
      subscription.answer?(.failure(refusal))
      remove(listener)
    }
  }

  /// The refusal that applies to every client; nil if the device has a location source.
  private var obstacle: SessionRefusal? { positioning.hasSources ? nil : .noLocationSource }

  private func requests(of session: ClientSession) -> [(Locator.Listener, Subscription)] {
    subscriptions.filter { $0.value.session === session }.sorted { $0.key < $1.key }
  }

  private func listener(of session: ClientSession) -> Locator.Listener? {
    subscriptions.first { $0.value.session === session && $0.value.answer == nil }?.key
  }

  private func nextListener() -> Locator.Listener {
    repeat { lastNumber &+= 1 } while subscriptions[.client(lastNumber)] != nil
    return .client(lastNumber)
  }

  func remove(_ listener: Locator.Listener) {
    subscriptions[listener] = nil
    positioning.end(listener)
  }
}
